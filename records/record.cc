#include "records/record.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "platforms/error.h"
#include "records/output_error.h"

namespace strata {
namespace {

constexpr const char* kRecordSchema = "strata.record/1";
constexpr const char* kRecordsFile = "records.jsonl";
constexpr const char* kManifestSchema = "strata.manifest/1";

[[noreturn]] void fail_write(const std::filesystem::path& file, const std::string& action) {
  const bool records = file.filename().string().rfind(kRecordsFile, 0) == 0;  // or what will replace it
  throw OutputError(
      file.string(), action + ": " + std::strerror(errno),
      std::string("free space or choose another place") + (records ? "; finished records are kept: --resume" : ""));
}

void write_all(int descriptor, const std::string& bytes, const std::filesystem::path& file) {
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::write(descriptor, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail_write(file, "cannot be written");
    done += static_cast<size_t>(n);
  }
}

void write_synced(const std::filesystem::path& file, const std::string& bytes) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) fail_write(file, "cannot be made");
  try {
    write_all(descriptor, bytes, file);
    if (::fsync(descriptor) != 0 && errno != EINVAL) fail_write(file, "cannot be synced");
  } catch (...) {
    ::close(descriptor);
    throw;
  }
  ::close(descriptor);
}

std::string slurp(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    throw InputError(file.string(), std::strerror(errno), "give a results folder, as `strata run --out DIR` makes it");
  }
  return std::string(std::istreambuf_iterator<char>(in), {});
}

Record record_from_json(const Json& j) {
  if (j.at("schema") != kRecordSchema) throw std::runtime_error("schema is not " + std::string(kRecordSchema));
  Record r;
  j.at("scenario").get_to(r.scenario);
  j.at("point").get_to(r.point);
  r.parameters = j.at("parameters");
  j.at("metric").get_to(r.metric);
  j.at("value").get_to(r.value);
  j.at("unit").get_to(r.unit);
  j.at("seed").get_to(r.seed);
  return r;
}

std::vector<Record> parse_records(const std::string& bytes, const std::filesystem::path& file, bool& truncated) {
  std::vector<Record> records;
  size_t at = 0;
  truncated = false;
  for (int line = 1; at < bytes.size(); ++line) {
    const size_t end = bytes.find('\n', at);
    if (end == std::string::npos) {  // a kill in the middle of a write
      truncated = true;
      break;
    }
    try {
      records.push_back(record_from_json(Json::parse(bytes.begin() + at, bytes.begin() + end)));
    } catch (const std::exception&) {
      throw InputError(file.string() + ":" + std::to_string(line),
                       "is not a record of schema " + std::string(kRecordSchema),
                       "remove the line and run again with --resume");
    }
    at = end + 1;
  }
  std::stable_sort(records.begin(), records.end(), [](const Record& a, const Record& b) { return a.point < b.point; });
  return records;
}

}  // namespace

std::string format_record(const Record& r) {
  return Json{{"schema", kRecordSchema}, {"scenario", r.scenario}, {"point", r.point}, {"parameters", r.parameters},
              {"metric", r.metric},      {"value", r.value},       {"unit", r.unit},   {"seed", r.seed}}
      .dump();
}

Json parameters_of(const Manifest& manifest, const Record& record) {
  const Study& study = manifest.study;
  Json parameters = study.parameters_of(record.parameters);
  for (size_t i = 0; i + 1 < study.arguments.size(); ++i) {
    if (study.arguments[i].rfind("--", 0) != 0) continue;
    const std::string name = study.arguments[i].substr(2), &text = study.arguments[i + 1];
    if (parameters.contains(name) || text.rfind("--", 0) == 0) continue;
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_number = error == std::errc() && end == text.data() + text.size();
    parameters[name] = is_number ? Json(number) : Json(text);
  }
  if (study.reference && manifest.reference) parameters[study.reference->option] = *manifest.reference;
  return parameters;
}

Results load_results(const std::filesystem::path& folder) {
  Results results;
  results.folder = folder;
  const std::filesystem::path manifest = folder / "manifest.json";
  const std::string bytes = slurp(manifest);
  try {
    const Json j = Json::parse(bytes);
    if (j.at("schema") != kManifestSchema) throw std::runtime_error("schema");
    Manifest& m = results.manifest;
    m.study = study_from_json(j.at("study"));
    j.at("machine").get_to(m.machine);
    j.at("machine_hash").get_to(m.machine_hash);
    m.versions = j.at("versions").get<std::map<std::string, std::string>>();
    j.at("command_line").get_to(m.command_line);
    j.at("seed").get_to(m.seed);
    if (j.contains("reference")) m.reference = j.at("reference").get<double>();
    j.at("start").get_to(m.start);
    j.at("end").get_to(m.end);
  } catch (const std::exception&) {
    throw InputError(manifest.string(), "is not a manifest of schema " + std::string(kManifestSchema),
                     "run the scenario again with another --out");
  }
  const std::filesystem::path file = folder / kRecordsFile;
  if (std::filesystem::exists(file)) results.records = parse_records(slurp(file), file, results.truncated);
  return results;
}

void write_whole(const std::filesystem::path& file, const std::string& bytes) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) {
    throw OutputError(file.string(), "is a directory", "give the name of a file");
  }
  // A device or a pipe is written to, never replaced or removed.
  if (std::filesystem::exists(file, ignored) && !std::filesystem::is_regular_file(file, ignored)) {
    return write_synced(file, bytes);
  }
  const std::filesystem::path temporary = file.string() + ".new";
  try {
    write_synced(temporary, bytes);
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
  if (::rename(temporary.c_str(), file.c_str()) != 0) {
    const int reason = errno;
    ::unlink(temporary.c_str());
    errno = reason;
    fail_write(file, "cannot be replaced");
  }
}

void write_manifest(const std::filesystem::path& folder, const Manifest& m) {
  Json j = {{"schema", kManifestSchema},
            {"study", to_json(m.study)},
            {"machine", m.machine},
            {"machine_hash", m.machine_hash},
            {"versions", m.versions},
            {"command_line", m.command_line},
            {"seed", m.seed}};
  if (m.reference) j["reference"] = *m.reference;
  j["start"] = m.start;
  j["end"] = m.end;
  // What somebody typed may be no UTF-8: such bytes are replaced.
  write_whole(folder / "manifest.json", j.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

FolderLock::FolderLock(const std::filesystem::path& folder)
    : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  // A file system that knows no locks is no reason to refuse.
  if (descriptor_ < 0 || ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  ::close(descriptor_);
  throw OutputError(folder.string(), "is being written by another run", "wait for it, or choose another --out");
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

RecordWriter::RecordWriter(const std::filesystem::path& folder)
    : file_(folder / kRecordsFile), descriptor_(::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) fail_write(file_, "cannot be opened");
  const std::string bytes = slurp(file_);
  const size_t whole = bytes.rfind('\n') == std::string::npos ? 0 : bytes.rfind('\n') + 1;
  if (::ftruncate(descriptor_, static_cast<off_t>(whole)) != 0) fail_write(file_, "cannot be cut to whole lines");
  ::lseek(descriptor_, 0, SEEK_END);
}

RecordWriter::~RecordWriter() { ::close(descriptor_); }

void RecordWriter::append(const std::vector<Record>& records) {
  std::string lines;
  for (const Record& r : records) lines += format_record(r) + "\n";
  const off_t before = ::lseek(descriptor_, 0, SEEK_END);
  try {
    write_all(descriptor_, lines, file_);
    if (::fdatasync(descriptor_) != 0 && errno != EINVAL) fail_write(file_, "cannot be synced");
  } catch (...) {
    const int reason = errno;
    if (::ftruncate(descriptor_, before) == 0) ::lseek(descriptor_, 0, SEEK_END);  // half a point is no point
    errno = reason;
    throw;
  }
}

void write_records(const std::filesystem::path& folder, const std::vector<Record>& records) {
  std::string lines;
  for (const Record& r : records) lines += format_record(r) + "\n";
  write_whole(folder / kRecordsFile, lines);
}

}  // namespace strata
