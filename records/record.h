// SPDX-License-Identifier: LGPL-2.1-only
// A results folder: one record a measured point in records.jsonl, and manifest.json, which says what was run.
//
//   records.jsonl   {"schema":"strata.record/1","scenario":...,"point":0,"parameters":{...},"metric":"time",
//                    "value":...,"unit":"s","seed":1}
//                   a line each, by point; nothing in it depends on when or how fast it was made
//   manifest.json   the study, machine hash, versions, command line, seed, start and end
//   machine.yaml, node.xml, fabric.txt   the machine, as it was used: the tree of its nodes where that is a file, and
//                   the cables between its switches where it has any
//   bindings.txt    where ranks ran, then, where they had progress threads, those in the order of their ranks; or,
//                   where the sweep places ranks, bindings/ranks=62,progress=numa.txt for each placement (placement.h)
//   seconds.csv     how long the points took: no result (seconds.h)
//   output/point-0.out, .err   what the program printed
//   traces/point-0.paje   where the study keeps traces: what each core was busy with at that point (paje.h)
//   traffic/point-0/   where the study keeps traffic:
//     size.mtx, msg.mtx   bytes and messages of the whole program by sender (row) and receiver (column), all messages
//                         that collectives and one-sided operations are made of included (matrix/matrix_market.h).
//                         Messages of a progress thread are its rank's. Bytes are the program's: no envelopes
//     links.csv           what each link carried (links.h)
//     samples.csv         where a period is given: the same in each period (samples.h)
//     sends.csv, messages.csv   of `messages`: each message, as it was sent and as it was carried (messages.h)
//
// While a run goes on, records are appended as points finish; a run that is killed leaves whole lines, except perhaps
// the last. When all are there the file is put in the order of the points.
//
// The folder of a shard (`--shard 3/8`) is the same with some of the points; its manifest says which. merge.h puts the
// shards of a run together.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "records/shard.h"
#include "records/study.h"
#include "records/whole_file.h"

namespace strata {

struct Record {
  std::string scenario;
  int point = 0;                     // index into Study::points()
  Json parameters = Json::object();  // of the point
  std::string metric;
  double value = 0;
  std::string unit;
  std::uint64_t seed = 0;
};

/// One line, without the line feed. Numbers in full precision.
std::string format_record(const Record& record);

/// The points of a shard, and hashes that all shards of a run have in common.
struct ShardContent {
  Shard shard;
  std::vector<int> points;    // ascending; a shard may be empty
  std::string scenario_hash;  // of the study, the seed and where ranks run
  std::string program_hash;   // of the program's file (trace/program_hash.h)
};

struct Manifest {
  Study study;
  std::string machine;       // its name
  std::string machine_hash;  // machine_hash() of platforms
  std::map<std::string, std::string> versions;
  std::vector<std::string> command_line;
  std::uint64_t seed = 0;
  std::optional<double> reference;  // the value of the study's reference, once it is known
  std::optional<ShardContent> shard = {};
  std::string start, end;  // UTC, ISO 8601; `end` is empty while the run is not finished
};

/// A run's folder as it is on disk.
struct Results {
  std::filesystem::path folder;
  Manifest manifest;
  std::vector<Record> records;  // by point, then in the order of the program's output
  bool truncated = false;       // the last line was cut off by a kill and is left out
};

/// What the program was told at a record's point, its own arguments aside that no option names: the record's
/// parameters, those of a case in its place; where these say nothing, the study's arguments ("--root", "3", or
/// "--root=3"), which are numbers where they look so, and true where an option has no value; the reference's value by
/// its option.
Json parameters_of(const Manifest& manifest, const Record& record);

/// Reads a folder. Throws InputError naming file and line where it is not a results folder or a line is damaged.
Results load_results(const std::filesystem::path& folder);

/// The folder's manifest alone. Throws InputError as load_results.
Manifest load_manifest(const std::filesystem::path& folder);

/// Writes the manifest, whole or not at all. Throws OutputError.
void write_manifest(const std::filesystem::path& folder, const Manifest& manifest);

/// Appends records to records.jsonl. A killed process loses none; a computer that loses its power loses at most those
/// of the last second. Not thread-safe: one writer a folder.
class RecordWriter {
 public:
  /// Opens the folder's records.jsonl, keeping what is there; cuts off a last line that is not whole. Throws
  /// OutputError where that cannot be, or another process has it open for writing.
  explicit RecordWriter(const std::filesystem::path& folder);
  /// All records of one point, as one write: after a kill a point is there whole or not at all, but for a cut last
  /// line. Throws OutputError where the disk is full; what was there before stays.
  void append(const std::vector<Record>& records);
  /// All records are on the disk when it returns. Throws OutputError where they can't be.
  void sync();

 private:
  std::filesystem::path file_;
  Descriptor descriptor_;
  std::chrono::steady_clock::time_point synced_ = std::chrono::steady_clock::now();
};

/// Writes records.jsonl, whole or not at all. Throws OutputError.
void write_records(const std::filesystem::path& folder, const std::vector<Record>& records);

}  // namespace strata
