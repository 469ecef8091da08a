// SPDX-License-Identifier: LGPL-2.1-only
// seconds.csv in a results folder: how long this computer took for each point, in seconds of wall time. No result: it
// differs from run to run, and comparisons of folders leave it out. Shards are balanced by it.
//
//   point,seconds
//   0,0.0312
//   1,2.75
//
// While a run goes on, rows are appended as points finish; at its end they are put in the order of the points.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>

namespace strata {

/// By point; empty where there is no such file. The last row of a point counts, one that a kill has cut off does not.
/// Throws InputError where the file is damaged.
std::map<int, double> read_seconds(const std::filesystem::path& folder);

/// Throws OutputError.
void write_seconds(const std::filesystem::path& folder, const std::map<int, double>& seconds);

/// Appends rows to a file that write_seconds has written. A full disk is ignored: results do not depend on them.
class SecondsWriter {
 public:
  explicit SecondsWriter(const std::filesystem::path& folder);
  void append(int point, double seconds);

 private:
  std::ofstream out_;
};

}  // namespace strata
