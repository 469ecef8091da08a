// SPDX-License-Identifier: LGPL-2.1-only
// The rank that each wait waits for, in the order in which waits begin.
//
// A file of events names this rank at the end of a wait, but a timeline needs it at the start. So the events are read
// twice: the first pass fills this list, the second reads it in order. Recent numbers are in memory, older ones in a
// temporary file, so memory is bounded for any number of waits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/whole_file.h"

namespace strata {

class WaitTargets {
 public:
  /// At most this many numbers are in memory, 4 B each.
  explicit WaitTargets(size_t most_kept = 1 << 20) : most_kept_(most_kept) {}

  /// A wait begins. Returns its number, counted from 0. Throws OutputError if the temporary file cannot be written.
  std::int64_t add();
  /// The wait is for this rank; -1, the default: unknown.
  void set(std::int64_t wait, int rank);

  /// Starts reading at the first wait.
  void rewind() { next_ = 0; }
  /// The rank of the next wait.
  int next();

 private:
  void spill();

  size_t most_kept_;
  std::vector<int> kept_;  // from the wait spilled_ on
  std::int64_t spilled_ = 0;
  std::optional<Descriptor> file_;  // the earlier numbers
  std::int64_t next_ = 0;
  std::vector<int> block_;  // the part of the file that was read last
  std::int64_t block_start_ = 0;
};

}  // namespace strata
