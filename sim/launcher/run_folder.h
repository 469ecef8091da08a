// SPDX-License-Identifier: LGPL-2.1-only
// The results folder of a run while it runs. An earlier run there stays until this run has its first point: a
// run that cannot start (no compiler, no scratch folder, a program that crashes, Ctrl-C) loses nothing. For example
//
//   restore_earlier(out);                          under a FolderLock: completes what a killed run has begun
//   RunFolder folder(out, machine, placements, found, manifest);
//   folder.begin_if_nothing_is_lost();             a new folder, or a run that is continued
//   folder.append(3, records, 0.7);                begins otherwise
//   const Results results = folder.finish();
//
// The manifest is written twice: when the run begins, for --resume, and with its end.
//
// The files of the earlier run are moved into a folder .earlier meanwhile. If the new ones cannot be written, because
// the disk is full for example, they come back.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "platforms/machine.h"
#include "records/checksums.h"
#include "records/record.h"
#include "records/seconds.h"
#include "sim/launcher/earlier_run.h"
#include "sim/launcher/placements.h"

namespace strata::sim {

/// Brings back an earlier run that a killed one has moved aside. Throws OutputError.
void restore_earlier(const std::filesystem::path& folder);

/// All functions throw OutputError. The arguments must outlive it.
class RunFolder {
 public:
  /// Sets the manifest's start.
  RunFolder(std::filesystem::path folder, const Machine& machine, const Placements& placements, const EarlierRun& found,
            Manifest& manifest);

  /// Whether an earlier run is still there, which the first point of this one replaces. Until then, outputs of points
  /// need other names (output_name).
  bool keeps_earlier() const { return !records_ && replaces_; }
  void begin_if_nothing_is_lost();
  /// Keeps the records of a point, which took `wall_s` on this computer.
  void append(int point, const std::vector<Record>& records, double wall_s);
  /// Returns when all records are on the disk.
  void sync();
  /// Sorts the records, writes the manifest's end, and returns what the folder holds.
  Results finish();

  /// The absolute path of the output files of a point, without ".out" or ".err".
  std::filesystem::path output_of(int point) const;
  /// Gives the output of a point, which was made for output_of(), its final name.
  void settle_output(int point, const std::filesystem::path& output) const;

 private:
  void begin();
  std::filesystem::path usual_output_of(int point) const;

  const std::filesystem::path folder_;
  const Machine& machine_;
  const Placements& placements_;
  const EarlierRun& found_;
  Manifest& manifest_;
  bool replaces_;
  std::optional<RecordWriter> records_;
  std::optional<SecondsWriter> seconds_;
  std::optional<ChecksumWriter> checksums_;
};

}  // namespace strata::sim
