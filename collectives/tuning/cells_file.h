// SPDX-License-Identifier: LGPL-2.1-only
// Keeps the times of cells in a file as soon as they are known, so that work that was interrupted continues:
//
//   {"schema":"strata.collectives.cells/1","inputs":"5c0e0f8f8b6d1a2e"}
//   {"op":"bcast","ranks":64,"bytes":8,"own":{"algorithm":5,...},"own_s":1.2e-05,"best":{...},"best_s":1.1e-05,...}
//
// `inputs` is a hash of all that determines the times; a file with other inputs is refused. A last line without an end,
// of a process that was killed, is cut off. Files of several shards, one after the other, are a file, too.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "base/whole_file.h"
#include "collectives/tuning/fastest.h"

namespace strata::collectives {

class CellsFile {
 public:
  /// `inputs`: a hash. Reads the file if it exists, and creates it otherwise. Throws InputError, OutputError.
  CellsFile(const std::string& file, std::uint64_t inputs);

  /// Null: the file did not have it.
  const CellTimes* find(const Cell& cell) const;
  std::size_t size() const { return known_.size(); }
  /// Appends a line, in one write. Thread-safe. Cells that were added are found when the file is opened again. Throws
  /// OutputError.
  void add(const CellTimes& times);

 private:
  void read(const std::string& text, const std::string& header);

  std::string file_;
  Descriptor descriptor_;
  std::map<Cell, CellTimes> known_;
  std::mutex mutex_;
};

}  // namespace strata::collectives
