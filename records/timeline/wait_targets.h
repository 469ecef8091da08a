// SPDX-License-Identifier: LGPL-2.1-only
// The rank that each wait is for, by the order in which waits begin, though it is known only when they end.
//
// A file of events says at the end of a wait which rank it was for; a timeline says so at its begin. So the events are
// read twice: the first time fills this list, the second reads it in order. The newest numbers are in memory, the older
// ones in a temporary file: memory is bounded for any number of waits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "records/whole_file.h"

namespace strata {

class WaitTargets {
 public:
  /// At most this many numbers are in memory, 4 B each.
  explicit WaitTargets(size_t most_kept = 1 << 20) : most_kept_(most_kept) {}

  /// A wait begins: its number, from 0. Throws OutputError where the temporary file cannot be written.
  std::int64_t add();
  /// The wait is for this rank; -1, as at first: unknown.
  void set(std::int64_t wait, int rank);

  /// Reading starts at the first wait.
  void rewind() { next_ = 0; }
  /// The rank of the next wait.
  int next();

 private:
  void spill();

  size_t most_kept_;
  std::vector<int> kept_;  // from number spilled_ on
  std::int64_t spilled_ = 0;
  std::optional<Descriptor> file_;  // the numbers before
  std::int64_t next_ = 0;
  std::vector<int> block_;  // of the file, as last read
  std::int64_t block_start_ = 0;
};

}  // namespace strata
