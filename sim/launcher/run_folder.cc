// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/run_folder.h"

#include <string>
#include <system_error>

#include "base/output_error.h"
#include "base/whole_file.h"
#include "records/folder.h"
#include "sim/launcher/run.h"

namespace strata::sim {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEarlier = ".earlier";
constexpr const char* kAgain = "again-";  // prefix of outputs while an earlier run's are still there

// Whether an entry of a results folder describes a run, and is replaced when the next one begins: all but the folders
// that get a file for each point, and what others have put there.
bool is_of_run(const std::string& name) {
  for (const char* known : {kManifestFile, kRecordsFile, kSecondsFile, kChecksumsFile, "machine.yaml", "fabric.txt",
                            "bindings.txt", "bindings"}) {
    if (name == known) return true;
  }
  return name.starts_with("node") && name.ends_with(".xml");
}

void move(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::remove_all(to, error);
  fs::rename(from, to, error);
  if (error)
    throw OutputError(from.string(), "cannot be moved to " + to.string() + ": " + error.message(),
                      "choose another --out");
}

// The manifest says whether the folder is complete, so it is the first to go and the last to come.
void move_all(const fs::path& from, const fs::path& to, bool manifest_first) {
  const auto move_manifest = [&] {
    if (fs::exists(from / kManifestFile)) move(from / kManifestFile, to / kManifestFile);
  };
  if (manifest_first) move_manifest();
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(from)) {
    const std::string name = entry.path().filename();
    if (is_of_run(name) && name != kManifestFile) names.push_back(name);
  }
  for (const std::string& name : names) move(from / name, to / name);
  if (!manifest_first) move_manifest();
}

// An earlier run that is moved aside, and comes back at the end of the scope unless it is discarded.
class Aside {
 public:
  explicit Aside(const fs::path& folder) : folder_(folder), aside_(folder / kEarlier) {
    make_folder(aside_);
    move_all(folder_, aside_, true);
  }
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;
  ~Aside() {
    try {
      if (!discarded_) restore_earlier(folder_);
    } catch (const std::exception&) {  // the next run tries again
    }
  }
  void discard() {
    discarded_ = true;
    std::error_code ignored;
    fs::remove(aside_ / kManifestFile, ignored);  // from now on it does not come back
    fs::remove_all(aside_, ignored);
  }

 private:
  const fs::path folder_, aside_;
  bool discarded_ = false;
};

bool has_records(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / kManifestFile, ignored) && fs::exists(folder / kRecordsFile, ignored) &&
         fs::file_size(folder / kRecordsFile, ignored) > 0;
}

}  // namespace

void restore_earlier(const fs::path& folder) {
  const fs::path aside = folder / kEarlier;
  std::error_code ignored;
  if (fs::exists(aside / kManifestFile, ignored)) move_all(aside, folder, false);
  fs::remove_all(aside, ignored);
}

RunFolder::RunFolder(fs::path folder, const Machine& machine, const Placements& placements, const EarlierRun& found,
                     Manifest& manifest)
    : folder_(std::move(folder)),
      machine_(machine),
      placements_(placements),
      found_(found),
      manifest_(manifest),
      replaces_(found.done.empty() && has_records(folder_)) {
  manifest_.start = found_.start.empty() ? timestamp() : found_.start;
}

void RunFolder::begin_if_nothing_is_lost() {
  if (!replaces_) begin();
}

// This order matters if we are killed in between: records are never left beside another run's manifest, and a manifest
// never without its machine and bindings.
void RunFolder::begin() {
  if (found_.done.empty()) {
    std::error_code ignored;  // the file may not exist
    fs::remove(folder_ / kRecordsFile, ignored);
  } else {
    write_records(folder_, found_.records);
  }
  std::map<int, double> seconds = read_seconds(folder_);
  std::erase_if(seconds, [&](const auto& of_point) { return !found_.done.contains(of_point.first); });
  write_seconds(folder_, seconds);
  if (manifest_.shard) write_checksums(folder_, checksums_by_point(found_.records));
  save_machine(machine_, folder_);
  for (std::size_t i = 0; i < placements_.files.size(); ++i) {
    make_folder((folder_ / placements_.files[i]).parent_path());
    write_whole(folder_ / placements_.files[i], format_placement(placements_.placements[i]));
  }
  write_manifest(folder_, manifest_);
  records_.emplace(folder_);
  seconds_.emplace(folder_);
  if (manifest_.shard) checksums_.emplace(folder_);
}

void RunFolder::append(int point, const std::vector<Record>& records, double wall_s) {
  std::optional<Aside> earlier;
  if (!records_) {
    earlier.emplace(folder_);
    begin();
  }
  seconds_->append(point, wall_s);
  if (checksums_) checksums_->append(point, checksum_of(records));
  records_->append(records);
  if (earlier) earlier->discard();
}

void RunFolder::sync() {
  if (records_) records_->sync();
}

Results RunFolder::finish() {
  if (!records_) begin();
  Results results = load_results(folder_);
  write_records(folder_, results.records);
  write_seconds(folder_, read_seconds(folder_));
  if (manifest_.shard) write_checksums(folder_, checksums_by_point(results.records));
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_ / kOutputFolder)) {
    if (entry.path().filename().string().starts_with(kAgain)) fs::remove(entry.path(), ignored);
  }
  manifest_.end = results.manifest.end = timestamp();
  write_manifest(folder_, manifest_);
  return results;
}

fs::path RunFolder::usual_output_of(int point) const { return fs::absolute(folder_ / output_path(point)); }

fs::path RunFolder::output_of(int point) const {
  const fs::path usual = usual_output_of(point);
  return keeps_earlier() ? usual.parent_path() / (kAgain + usual.filename().string()) : usual;
}

void RunFolder::settle_output(int point, const fs::path& output) const {
  const fs::path usual = usual_output_of(point);
  if (output == usual) return;
  for (const char* suffix : {".out", ".err"}) move(output.string() + suffix, usual.string() + suffix);
}

}  // namespace strata::sim
