// SPDX-License-Identifier: LGPL-2.1-only
// A results folder: records.jsonl, with one record for each measured point, and manifest.json, which describes the run.
//
//   records.jsonl   {"schema":"strata.record/1","scenario":...,"point":0,"parameters":{...},"metric":"time",
//                    "value":...,"unit":"s","seed":1}
//                   one record on each line, sorted by point; does not depend on when and how fast it was computed
//   manifest.json   the study, machine hash, versions, command line, seed, start and end
//   machine.yaml, node.xml, fabric.txt   the machine in the form in which it was used, with the tree of its nodes if it
//                   is a file, and the cables between its switches if it has any
//   bindings.txt    where ranks ran, followed by their progress threads, if any, in the order of the ranks.
//                   If the sweep places ranks: bindings/ranks=62,progress=numa.txt for each placement (placement.h)
//   seconds.csv     the time that each point took: not a result (seconds.h)
//   output/point-0.out, .err   the output of the program
//   traces/point-0.paje   if the study keeps traces: what each core did at that point (paje.h)
//   traffic/point-0/   if the study keeps traffic:
//     size.mtx, msg.mtx   bytes and messages of the whole program by sender (row) and receiver (column), including
//                         messages inside collectives and one-sided operations (matrix/matrix_market.h). Messages of a
//                         progress thread count for its rank. Bytes are the program's, without envelopes
//     links.csv           the traffic on each link (links.h)
//     samples.csv         if a period is given: the same in each period (samples.h)
//     sends.csv, messages.csv   for `traffic: messages`: each message, as sent and as transferred (messages.h)
//
// During a run, records are appended as points finish. A run that is killed leaves complete lines, except perhaps the
// last. At the end of the run, the file is sorted by point.
//
// The folder of a shard (`--shard 3/8`) contains a part of the points; its manifest lists them. merge.h merges the
// shards of a run.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/whole_file.h"
#include "records/recorded_bar.h"
#include "records/shard.h"
#include "records/study.h"

namespace strata {

struct Record {
  std::string scenario;
  int point = 0;                     // index into Study::points()
  Json parameters = Json::object();  // of the point
  std::string metric;
  double value = 0;
  std::string unit;
  std::uint64_t seed = 0;
  std::optional<RecordedBar> bar = {};  // if the study has error bars: of a time or a rate
};

/// One line, without the line feed. Numbers have full precision.
std::string format_record(const Record& record);

/// The points of a shard, and hashes that are equal for all shards of a run.
struct ShardContent {
  Shard shard;
  std::vector<int> points;    // ascending; a shard may be empty
  std::string scenario_hash;  // of the study, the seed and the placement of ranks
  std::string program_hash;   // of the program's file (trace/program_hash.h)
};

struct Manifest {
  Study study;
  std::string machine;       // its name
  std::string machine_hash;  // platforms' machine_hash()
  std::map<std::string, std::string> versions;
  std::vector<std::string> command_line;
  std::uint64_t seed = 0;
  std::optional<double> reference;  // the value of the study's reference, once it is measured
  std::optional<ShardContent> shard = {};
  std::string start, end;  // UTC, ISO 8601; `end` is empty until the run is finished
};

/// The contents of a run's folder.
struct Results {
  std::filesystem::path folder;
  Manifest manifest;
  std::vector<Record> records;  // by point, then in the order of the program's output
  bool truncated = false;       // the last line was cut off by a kill, and is omitted
};

/// The options that the program got at a record's point: the record's parameters, with cases replaced by theirs; then
/// options in the study's arguments ("--root", "3", or "--root=3") that these do not set; then the reference's value.
/// Arguments that look like numbers become numbers, and options without a value become true. Arguments without an
/// option are omitted.
Json parameters_of(const Manifest& manifest, const Record& record);

/// Reads a folder. Throws InputError with file and line if it is not a results folder or a line is damaged.
Results load_results(const std::filesystem::path& folder);

/// Reads only the manifest. Throws InputError like load_results.
Manifest load_manifest(const std::filesystem::path& folder);

/// Writes the manifest, completely or not at all. Throws OutputError.
void write_manifest(const std::filesystem::path& folder, const Manifest& manifest);

/// Appends records to records.jsonl. If the process is killed, no record is lost. If the computer loses power, at most
/// the records of the last second are lost. Not thread-safe: a folder has only one writer.
class RecordWriter {
 public:
  /// Opens the folder's records.jsonl. Keeps its contents, except an incomplete last line. Throws OutputError if this
  /// fails, or if another process has it open for writing.
  explicit RecordWriter(const std::filesystem::path& folder);
  /// Appends all records of one point in one write: after a kill, the file contains all of them or none, except a
  /// truncated last line. Throws OutputError if the disk is full; the earlier contents stay.
  void append(const std::vector<Record>& records);
  /// When it returns, all records are on the disk. Throws OutputError if this fails.
  void sync();

 private:
  std::filesystem::path file_;
  Descriptor descriptor_;
  std::chrono::steady_clock::time_point synced_ = std::chrono::steady_clock::now();
};

/// Writes records.jsonl, completely or not at all. Throws OutputError.
void write_records(const std::filesystem::path& folder, const std::vector<Record>& records);

}  // namespace strata
