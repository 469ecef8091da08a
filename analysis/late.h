// SPDX-License-Identifier: LGPL-2.1-only
// Which ranks wait for which: late senders, late receivers, and who comes last to barriers. For example a rank 1 that
// enters MPI_Recv at 1 ms for a message that rank 0 sends at 3 ms has waited 2 ms for a late sender. These are the wait
// states of Scalasca (docs/critical-path.md).
//
//   late sender     a rank is blocked until a message that it receives begins to flow
//   late receiver   a rank is blocked until a message that it sends begins to flow, as the receiver was not ready
//   barrier         a rank is blocked until the last one comes (MPI_Init, MPI_Win_fence), or another lets go of a lock
//   unknown         a rank is blocked without a known cause: polls that find nothing
//
// MPI_Barrier is made of messages.
//
// The four together are the time that `strata exec` calls waiting. Memory in proportion to the pairs of ranks.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analysis/waits.h"

namespace strata::analysis {

struct LatePair {
  int late = -1;              // the rank that is late
  int waits = -1;             // the rank that waits for it
  long count = 0;             // times
  double seconds = 0;         // in all
  double longest = 0;         // s
  double in_collectives = 0;  // the part of `seconds` for messages of MPI's own collectives
};

/// Barriers to which one rank came last, and locks that it had.
struct LateToBarrier {
  int last = -1;
  long count = 0;      // ranks that waited, each time
  double seconds = 0;  // that they waited in all
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
