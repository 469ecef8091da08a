// SPDX-License-Identifier: LGPL-2.1-only
// seconds.csv in a results folder: the wall-clock time in seconds that this computer needed for each point. It is not a
// result: it differs from run to run, and comparisons of folders ignore it. It is used to balance shards.
//
//   point,seconds
//   0,0.0312
//   1,2.75
//
// During a run, rows are appended as points finish; at the end they are sorted by point.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>

namespace strata {

/// By point; empty if the file does not exist. The last row of a point counts; a row that was cut off by a kill does
/// not. Throws InputError if the file is damaged.
std::map<int, double> read_seconds(const std::filesystem::path& folder);

/// Throws OutputError.
void write_seconds(const std::filesystem::path& folder, const std::map<int, double>& seconds);

/// Appends rows to a file that write_seconds has written. A full disk is ignored, because results do not depend on
/// them.
class SecondsWriter {
 public:
  explicit SecondsWriter(const std::filesystem::path& folder);
  void append(int point, double seconds);

 private:
  std::ofstream out_;
};

}  // namespace strata
