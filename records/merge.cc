// SPDX-License-Identifier: LGPL-2.1-only
#include "records/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/output_error.h"
#include "base/whole_file.h"
#include "base/whole_file_pieces.h"
#include "platforms/machine.h"
#include "records/checksums.h"
#include "records/folder.h"
#include "records/launch.h"
#include "records/seconds.h"

namespace strata {
namespace {

namespace fs = std::filesystem;

// ------------------------------------------------------------------------------------------------------------ records

// Reads the records of one shard line by line. Opens the file for each piece, so that a thousand shards do not need a
// thousand open files.
class RecordStream {
 public:
  RecordStream(const ShardFolder& shard, const Study& study, size_t piece) : shard_(&shard), piece_(piece) {
    Record any;
    any.scenario = study.scenario;
    const std::string record = format_record(any);
    constexpr std::string_view kPoint = "\"point\":";
    head_ = record.substr(0, record.find(kPoint) + kPoint.size());
    next();
  }

  /// The current line, with its line feed, and its point; the point is -1 at the end.
  std::string_view line() const { return line_; }
  int point() const { return point_; }
  /// The number of the current line, from 1.
  long number() const { return number_; }

  void next() {
    at_ += line_.size();
    line_ = {};
    point_ = -1;
    size_t end = buffer_.find('\n', at_);
    while (end == std::string::npos && fill()) end = buffer_.find('\n', at_);
    if (end == std::string::npos) {
      if (at_ < buffer_.size()) fail("is cut off");
      return;
    }
    ++number_;
    line_ = std::string_view(buffer_).substr(at_, end + 1 - at_);
    read_point();
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(
        fmt::format("{}:{}", file().string(), number_), what,
        "copy the folder again from where it was made, or remove the line and run `" + shard_->command(true) + "`");
  }
  fs::path file() const { return shard_->folder / kRecordsFile; }

 private:
  // Returns false at the end of the file.
  bool fill() {
    buffer_.erase(0, at_);
    at_ = 0;
    std::ifstream in(file(), std::ios::binary);
    if (!in) throw InputError(file().string(), "is missing", "continue the shard with `" + shard_->command(true) + "`");
    in.seekg(static_cast<std::streamoff>(read_));
    const size_t before = buffer_.size();
    buffer_.resize(before + piece_);
    in.read(buffer_.data() + before, static_cast<std::streamsize>(piece_));
    buffer_.resize(before + static_cast<size_t>(in.gcount()));
    read_ += buffer_.size() - before;
    return buffer_.size() > before;
  }

  void read_point() {
    if (line_.starts_with(head_)) {
      const char *begin = line_.data() + head_.size(), *end = line_.data() + line_.size();
      const auto [after, error] = std::from_chars(begin, end, point_);
      if (error == std::errc() && point_ >= 0 && *after == ',' && Json::accept(line_)) return;
    }
    fail("is not a record of this run");
  }

  const ShardFolder* shard_;
  size_t piece_;
  std::string head_;  // start of every line, up to the number of its point
  std::string buffer_;
  size_t at_ = 0;    // start of the current line in it
  size_t read_ = 0;  // B of the file
  std::string_view line_;
  int point_ = -1;
  long number_ = 0;
};

size_t merge_records(const ShardSet& set, const fs::path& into, const std::function<void(size_t)>& progress) {
  constexpr size_t kMost = 64 << 20, kLargest = 1 << 20, kLeast = 16 << 10;  // B: of all pieces together; of one piece
  const size_t piece = std::clamp(kMost / set.shards.size(), kLeast, kLargest);
  std::vector<RecordStream> streams;
  streams.reserve(set.shards.size());  // a stream has a view of its own buffer, so it must not move
  for (const ShardFolder& shard : set.shards) streams.emplace_back(shard, set.whole.study, piece);
  size_t records = 0;
  write_whole_in_pieces(into / kRecordsFile, [&](const PutPiece& put) {
    std::string lines;
    for (size_t p = 0; p < set.shard_of.size(); ++p) {
      const ShardFolder& shard = set.shards[set.shard_of[p]];
      RecordStream& stream = streams[set.shard_of[p]];
      if (stream.point() != static_cast<int>(p)) {
        throw InputError(stream.file().string(), fmt::format("has no record of point {} in its place", p),
                         "complete it with `" + shard.command(true) + "`");
      }
      const size_t start = lines.size();
      const long first = stream.number();
      for (; stream.point() == static_cast<int>(p); stream.next()) {
        lines += stream.line();
        ++records;
      }
      if (set.checksums[p] && *set.checksums[p] != checksum_of(std::string_view(lines).substr(start))) {
        throw InputError(
            fmt::format("{}:{}", stream.file().string(), first),
            fmt::format("the records of point {} are not those that the run has written ({})", p, kChecksumsFile),
            "copy the folder again from where it was made, or run the point again with `" + shard.command(true) + "`");
      }
      if (lines.size() >= kLargest || p + 1 == set.shard_of.size()) {
        put(lines);
        lines.clear();
      }
      progress(p + 1);
    }
  });
  for (const RecordStream& stream : streams) {
    if (stream.point() >= 0) stream.fail(fmt::format("is of point {}, not in its place", stream.point()));
  }
  return records;
}

// -------------------------------------------------------------------------------------------------------------- files

[[noreturn]] void fail_copy(const fs::path& to, const std::error_code& error) {
  throw OutputError(to.string(), "cannot be written: " + error.message(), "free space or choose another --out");
}

void copy_one(const fs::path& from, const fs::path& to) {
  std::error_code error;
  if (!fs::exists(from, error)) {
    throw InputError(from.string(), "is missing",
                     "copy the shard's folder again, whole, from where it was made, or run the shard again");
  }
  if (!fs::copy_file(from, to, error)) fail_copy(to, error);
}

bool same_bytes(const fs::path& a, const fs::path& b) {
  std::ifstream left(a, std::ios::binary), right(b, std::ios::binary);
  using Bytes = std::istreambuf_iterator<char>;
  return std::equal(Bytes(left), Bytes(), Bytes(right), Bytes());
}

bool is_of_a_point(const fs::path& file) { return file.filename().string().starts_with("point-"); }

// Copies files that shards may have in common, such as recordings of the program.
void copy_common(const fs::path& from, const fs::path& to) {
  std::error_code ignored;
  if (!fs::is_directory(from, ignored)) return;
  make_folder(to);
  for (const fs::directory_entry& entry : fs::directory_iterator(from)) {
    const fs::path &file = entry.path(), copied = to / file.filename();
    if (is_of_a_point(file) || !entry.is_regular_file() || file.extension() == ".new") continue;
    if (!fs::exists(copied)) {
      copy_one(file, copied);
    } else if (from.filename() == kRecordingsFolder && !same_bytes(file, copied)) {
      throw InputError(file.string(), "differs from that of another shard", "run the shards again with --record DIR");
    }
  }
}

void copy_machine(const ShardFolder& shard, const fs::path& out) {
  const fs::path file = shard.folder / "machine.yaml";
  const Machine machine = load_machine(file);
  if (machine_hash(machine) != shard.manifest.machine_hash)
    throw InputError(file.string(), "is not the machine of the run",
                     "run the shard again: `" + shard.command(false) + "`");
  save_machine(machine, out);
}

void copy_points(const ShardFolder& shard, const Study& study, const fs::path& out,
                 const std::function<void(int)>& done) {
  const bool traffic = traffic_of(study.traffic)->kept;
  for (const int p : shard.content().points) {
    std::vector<std::string> files;
    if (study.engine == Engine::kSimulation) files = {output_path(p) + ".out", output_path(p) + ".err"};
    if (study.traces) files.insert(files.end(), {trace_path(p), events_path(p)});
    for (const std::string& file : files) copy_one(shard.folder / file, out / file);
    if (traffic) {
      const fs::path from = shard.folder / traffic_path(p), to = out / traffic_path(p);
      make_folder(to);
      if (!fs::is_directory(from)) copy_one(from, to);  // reports that it is missing
      for (const fs::directory_entry& entry : fs::directory_iterator(from))
        copy_one(entry, to / entry.path().filename());
    }
    done(p);
  }
}

void merge_seconds(const ShardSet& set, const fs::path& out) {
  std::map<int, double> all;
  for (const ShardFolder& shard : set.shards) {
    const std::map<int, double> its = read_seconds(shard.folder);
    for (const int p : shard.content().points) {
      if (const auto found = its.find(p); found != its.end()) all.insert(*found);
    }
  }
  write_seconds(out, all);
}

// Removes a folder at the end, unless it becomes the result.
class Unfinished {
 public:
  explicit Unfinished(const fs::path& out) : path_((out / "").parent_path().string() + ".merging") {
    make_folder(path_);
    lock_.emplace(path_);
    for (const fs::directory_entry& left : fs::directory_iterator(path_)) fs::remove_all(left);  // left by a killed run
  }
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;
  ~Unfinished() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }
  void becomes(const fs::path& out) {
    std::error_code error;
    fs::rename(path_, out, error);
    if (error) throw OutputError(out.string(), "cannot be made: " + error.message(), "choose another --out");
    path_.clear();
  }

 private:
  fs::path path_;
  std::optional<FolderLock> lock_;
};

}  // namespace

std::size_t merge_shards(const ShardSet& set, const fs::path& out, const std::function<void(size_t)>& progress) {
  std::error_code ignored;
  if (fs::exists(out, ignored) && !(fs::is_directory(out, ignored) && fs::is_empty(out, ignored)))
    throw InputError(out.string(), "exists", "remove it, or choose another --out");
  Unfinished made(out);
  const fs::path& into = made.path();
  const size_t records = merge_records(set, into, progress);
  const ShardFolder& first = set.shards.front();
  copy_machine(first, into);
  if (fs::exists(first.folder / "bindings")) {
    copy_common(first.folder / "bindings", into / "bindings");
  } else {
    copy_one(first.folder / "bindings.txt", into / "bindings.txt");
  }
  make_folder(into / kOutputFolder);
  if (set.whole.study.traces) make_folder(into / kTracesFolder);
  for (const ShardFolder& shard : set.shards) {
    copy_points(shard, set.whole.study, into, [&](int) { progress(set.shard_of.size()); });
    for (const char* folder : {kOutputFolder, kRecordingsFolder}) copy_common(shard.folder / folder, into / folder);
  }
  merge_seconds(set, into);
  write_manifest(into, set.whole);
  made.becomes(out);
  return records;
}

}  // namespace strata
