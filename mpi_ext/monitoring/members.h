// SPDX-License-Identifier: LGPL-2.1-only
// The members of a session and the rank of each. Immutable: under SMPI all ranks of a session share one object,
// O(members) for all of them together.
#pragma once

#include <cstdint>
#include <vector>

#include "records/exchange/tap.h"

namespace strata::mpix {

class Members {
 public:
  /// Indexed by rank. A negative id means a process that cannot be observed; all other ids are distinct.
  explicit Members(std::vector<ProcessId> by_rank);

  /// The rank of a process; -1 if it is not a member. O(1) if the ids are close together, otherwise O(log members).
  int rank_of(ProcessId process) const;
  const std::vector<ProcessId>& by_rank() const { return by_rank_; }

 private:
  struct Found {
    ProcessId process;
    int rank;
  };
  std::vector<ProcessId> by_rank_;
  ProcessId first_ = 0;      // the smallest id
  std::vector<int> ranks_;   // by id, from `first_` on; -1 if not a member; empty if the table would be large
  std::vector<Found> list_;  // used if ranks_ is empty; sorted by id
};

}  // namespace strata::mpix
