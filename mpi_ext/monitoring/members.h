// SPDX-License-Identifier: LGPL-2.1-only
// Which processes are members of a session, and what rank each has. Immutable: all ranks of a session share one under
// SMPI, O(members) for all of them together.
#pragma once

#include <cstdint>
#include <vector>

#include "records/exchange/tap.h"

namespace strata::mpix {

class Members {
 public:
  /// By rank; a negative id is of a process that nobody sees. No other id occurs twice.
  explicit Members(std::vector<ProcessId> by_rank);

  /// -1 where it is no member. O(1) where the ids lie close together, else O(log members).
  int rank_of(ProcessId process) const;
  const std::vector<ProcessId>& by_rank() const { return by_rank_; }

 private:
  struct Found {
    ProcessId process;
    int rank;
  };
  std::vector<ProcessId> by_rank_;
  ProcessId first_ = 0;      // the smallest id
  std::vector<int> ranks_;   // by id from `first_` on; -1 between members; empty where that would be large
  std::vector<Found> list_;  // then: by id
};

}  // namespace strata::mpix
