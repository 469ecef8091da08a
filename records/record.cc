// SPDX-License-Identifier: LGPL-2.1-only
#include "records/record.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/input_file.h"
#include "base/json_fields.h"
#include "base/output_error.h"
#include "records/folder.h"
#include "records/study_fields.h"

namespace strata {

template <class Fields, Either<Record> T>
void list(Fields& fields, T& r) {
  fields("scenario", r.scenario);
  fields("point", r.point);
  fields("parameters", r.parameters);
  fields("metric", r.metric);
  fields("value", r.value);
  fields("unit", r.unit);
  fields("seed", r.seed);
  fields.unless_empty("error_bar", r.bar);
}

template <class Fields, Either<ShardContent> T>
void list(Fields& fields, T& s) {
  fields("number", s.shard.number);
  fields("of", s.shard.of);
  fields("points", s.points);
  fields("scenario_hash", s.scenario_hash);
  fields("program_hash", s.program_hash);
}

template <class Fields, Either<Manifest> T>
void list(Fields& fields, T& m) {
  fields("study", m.study);
  fields("machine", m.machine);
  fields("machine_hash", m.machine_hash);
  fields("versions", m.versions);
  fields("command_line", m.command_line);
  fields("seed", m.seed);
  fields.unless_empty("reference", m.reference);
  fields.unless_empty("shard", m.shard);
  fields("start", m.start);
  fields("end", m.end);
}

namespace {

constexpr const char* kRecordSchema = "strata.record/1";
constexpr const char* kManifestSchema = "strata.manifest/1";

std::string slurp(const std::filesystem::path& file) {
  return read_input(file, "give a results folder, as `strata run --out DIR` makes it", kAnySize_bytes);
}

// Throws nlohmann's exceptions, as from_json.
template <class T>
T read_document(const Json& json, const char* schema) {
  if (json.at("schema") != schema) throw std::runtime_error(std::string("schema is not ") + schema);
  return json.get<T>();
}

template <class T>
Json document_of(const T& value, const char* schema) {
  Json json = {{"schema", schema}};
  json.update(Json(value));
  return json;
}

std::vector<Record> parse_records(const std::string& bytes, const std::filesystem::path& file, bool& truncated) {
  std::vector<Record> records;
  size_t at = 0;
  truncated = false;
  for (int line = 1; at < bytes.size(); ++line) {
    const size_t end = bytes.find('\n', at);
    if (end == std::string::npos) {  // a write was interrupted by a kill
      truncated = true;
      break;
    }
    try {
      records.push_back(read_document<Record>(Json::parse(bytes.begin() + at, bytes.begin() + end), kRecordSchema));
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

bool is_option(const std::string& argument) { return argument.size() > 2 && argument.starts_with("--"); }

Json number_or_text(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  return is_number ? Json(number) : Json(text);
}

}  // namespace

std::string format_record(const Record& record) { return document_of(record, kRecordSchema).dump(); }

Json parameters_of(const Manifest& manifest, const Record& record) {
  const Study& study = manifest.study;
  Json parameters = study.parameters_of(record.parameters);
  const std::vector<std::string> arguments = study.arguments_at(parameters);
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (!is_option(argument)) continue;
    const size_t equals = argument.find('=');
    const std::string name = argument.substr(2, equals == std::string::npos ? equals : equals - 2);
    if (parameters.contains(name)) continue;
    if (equals != std::string::npos) {
      parameters[name] = number_or_text(argument.substr(equals + 1));
    } else if (i + 1 < arguments.size() && !is_option(arguments[i + 1])) {
      parameters[name] = number_or_text(arguments[i + 1]);
    } else {
      parameters[name] = true;  // a flag
    }
  }
  if (study.reference && manifest.reference) parameters[study.reference->option] = *manifest.reference;
  return parameters;
}

Manifest load_manifest(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / kManifestFile;
  const std::string bytes = slurp(file);
  try {
    return read_document<Manifest>(Json::parse(bytes), kManifestSchema);
  } catch (const std::exception&) {
    throw InputError(file.string(), "is not a manifest of schema " + std::string(kManifestSchema),
                     "run the scenario again with another --out");
  }
}

Results load_results(const std::filesystem::path& folder) {
  Results results;
  results.folder = folder;
  results.manifest = load_manifest(folder);
  const std::filesystem::path file = folder / kRecordsFile;
  if (std::filesystem::exists(file)) results.records = parse_records(slurp(file), file, results.truncated);
  return results;
}

void write_manifest(const std::filesystem::path& folder, const Manifest& manifest) {
  // The command line may not be UTF-8: such bytes are replaced.
  write_whole(folder / kManifestFile,
              document_of(manifest, kManifestSchema).dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

RecordWriter::RecordWriter(const std::filesystem::path& folder)
    : file_(folder / kRecordsFile), descriptor_(::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  if (!descriptor_.is_open()) fail_write(file_, "cannot be opened");
  const std::string bytes = slurp(file_);
  const size_t whole = bytes.rfind('\n') == std::string::npos ? 0 : bytes.rfind('\n') + 1;
  if (::ftruncate(descriptor_.get(), static_cast<off_t>(whole)) != 0) fail_write(file_, "cannot be cut to whole lines");
  ::lseek(descriptor_.get(), 0, SEEK_END);
}

void RecordWriter::append(const std::vector<Record>& records) {
  std::string lines;
  for (const Record& r : records) lines += format_record(r) + "\n";
  const off_t before = ::lseek(descriptor_.get(), 0, SEEK_END);
  try {
    write_all(descriptor_, lines, file_);
    // Syncing each point would take longer than simulating many points.
    if (std::chrono::steady_clock::now() - synced_ >= std::chrono::seconds(1)) sync();
  } catch (const OutputError& e) {
    if (::ftruncate(descriptor_.get(), before) == 0)
      ::lseek(descriptor_.get(), 0, SEEK_END);  // removes an incomplete point
    throw OutputError(e, "finished records are kept: --resume");
  }
}

void RecordWriter::sync() {
  if (::fdatasync(descriptor_.get()) != 0 && errno != EINVAL) fail_write(file_, "cannot be synced");
  synced_ = std::chrono::steady_clock::now();
}

void write_records(const std::filesystem::path& folder, const std::vector<Record>& records) {
  std::string lines;
  for (const Record& r : records) lines += format_record(r) + "\n";
  write_whole(folder / kRecordsFile, lines);
}

}  // namespace strata
