// SPDX-License-Identifier: LGPL-2.1-only
// Finds the ranks that wait, and those for which they wait: late senders, late receivers, and the last ranks at
// barriers. For example, rank 1 enters MPI_Recv at 1 ms for a message that rank 0 sends at 3 ms, so it waits 2 ms for a
// late sender. These are the wait states of Scalasca (docs/critical-path.md).
//
//   late sender     a rank is blocked until a message that it receives begins to flow
//   late receiver   a rank is blocked until a message that it sends begins to flow, since the receiver was not ready
//   barrier         a rank is blocked until the last one comes (MPI_Init, MPI_Win_free), or another releases a lock
//   unknown         a rank is blocked without a known cause, such as unsuccessful polls
//
// MPI_Barrier consists of messages.
//
// The four add up to the time that `strata exec` calls waiting. Memory is proportional to the number of pairs of ranks
// that wait for each other.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analysis/waits.h"

namespace strata::analysis {

struct LatePair {
  int late = -1;              // the late rank
  int waits = -1;             // the rank that waits for it
  long count = 0;             // number of waits
  double seconds = 0;         // total
  double longest = 0;         // s
  double in_collectives = 0;  // the part of `seconds` for messages of MPI's own collectives
};

/// Barriers at which one rank was last, and locks that it held.
struct LateToBarrier {
  int last = -1;
  long count = 0;      // number of waiting ranks, over all barriers
  double seconds = 0;  // their total waiting time
  double longest = 0;  // s
};

struct Late {
  std::vector<LatePair> senders, receivers;                                                   // worst first
  std::vector<LateToBarrier> barriers;                                                        // worst first
  double sender_seconds = 0, receiver_seconds = 0, barrier_seconds = 0, unknown_seconds = 0;  // sums over the ranks
};

class LateFinder {
 public:
  void take(const Wait& wait);
  Late late() const;

 private:
  using Pairs = std::unordered_map<std::uint64_t, LatePair>;
  static std::vector<LatePair> sorted(const Pairs& pairs);

  Pairs senders_, receivers_;
  std::unordered_map<int, LateToBarrier> barriers_;
  Late sums_;
};

}  // namespace strata::analysis
