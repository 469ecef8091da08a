// SPDX-License-Identifier: LGPL-2.1-only
// Memory and cores as links that copies, combinations, computations and messages use.
//
// The capacity of a memory's link is the machine's memory bandwidth, in bytes read plus bytes written as for a copy.
// The capacity of a core's link is that of a copy at copy_bandwidth. Every other work is expressed as the copy that
// would occupy the core for the same time, so that works that share a core get equal times of it. The rates of a work
// alone, and with k others of its kind in one memory of capacity C on a core that copies at b:
//
//   work                    rate or time                     what it takes
//   copy of m bytes         m / min(b, C / 2k)               1 of its core, 2 of its memory
//   message in a node       m / min(b, C / 2k, its level's)  1 of the receiver's core, 1 of each memory; copied twice,
//                                                            also 1 of the sender's core, which may be the same
//   message between nodes   as without memory                1 of each memory
//   combination             m / min(c, D / 3k)               c: combine_bandwidth, D: memory's combine_bandwidth
//   f flop on m bytes       max(f / speed, m / min(3 c, D / k))   the roofline, with k cores under it
//
// Memory is not loaded if the data stays in the core's share of its outermost cache (platforms/memory.h): both copies
// of a message or of copied data, both operands, or the working set that a program states. Cores without a rank leave
// their share to the others.
#pragma once

#include <vector>

#include "flow/flows.h"
#include "flow/path.h"
#include "platforms/machine.h"
#include "platforms/memory.h"

namespace strata::flow {

/// For Flows::start_work.
struct Work {
  double amount = 0;  // 0: it takes no time
  Path path;
};

class Memory {
 public:
  /// `machine` must have figures of its memory, and must outlive this. Adds a link for each memory to `flows`, then one
  /// for each core.
  Memory(const Machine& machine, Flows& flows);

  /// Marks the core as having a rank. Must be called before the first message or work.
  void occupy(int core);

  /// Adds the uses of cores and memories by a message of `payload` (B) between two cores to its path, whose bandwidth
  /// must be set.
  void add_uses(int source, int destination, double payload, Path& path);

  /// A copy of `bytes`; a combination of two operands of `bytes` each, onto one of them; arithmetic while `bytes` move
  /// between memory and core, where `working_set` (B) is the data that it uses repeatedly; computation that uses only
  /// the core. Each result is valid until the next call.
  const Work& copy(int core, double bytes);
  const Work& combine(int core, double bytes);
  const Work& stream(int core, double flops, double bytes, double working_set);
  const Work& compute(int core, double seconds);

 private:
  // The core works for `seconds`, or longer if its share of the core or of the memory is less than the work can use.
  // `moved`: bytes of its memory.
  const Work& work(int core, double seconds, double moved);
  bool stays_in_cache(int core, double bytes);
  int memory_link(int core) const { return first_memory_link_ + memories_.of(core); }
  int core_link(int core) const { return first_core_link_ + core; }

  const Machine& machine_;
  const Memories memories_;
  const bool both_copy_;            // for messages within a node: sender and receiver copy
  const double copy_bandwidth_;     // B/s
  const double combine_bandwidth_;  // B/s of one operand
  const double cache_bandwidth_;    // B/s, read plus written
  const double of_combined_;        // for a byte that a combination moves: the bytes of a copy that load memory equally
  int first_memory_link_ = 0, first_core_link_ = 0;  // of Flows
  std::vector<bool> busy_;           // by core: whether it has ranks; kept up to date until the first query
  std::vector<double> cache_share_;  // by core, B; -1: not computed yet
  bool started_ = false;
  Work work_;  // the last one
};

}  // namespace strata::flow
