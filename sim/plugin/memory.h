// SPDX-License-Identifier: LGPL-2.1-only
// Memory and cores as links of the flow model: what copies, combinations, computations and messages take of them.
//
// A memory's link carries what the machine's memory bandwidth says, bytes read plus bytes written as a copy counts
// them. A core's link carries a copy at copy_bandwidth; every other work goes by the copy that would take the core as
// long, so that works that share a core get equal times of it. Alone, and with k others of its kind in one memory of
// capacity C on a core that copies at b:
//
//   copy of m bytes        m / min(b, C / 2k)               1 of its core, 2 of its memory
//   message in a node      m / min(b, C / 2k, its level's)  1 of the receiver's core, 1 of each memory;
//                                                   copied twice, also 1 of the sender's core, which may be the same
//   between nodes          as without memory                1 of each memory
//   combination            m / min(c, D / 3k)               c: combine_bandwidth, D: memory's combine_bandwidth
//   f flop on m bytes      max(f / speed, m / min(3 c, D / k))   the roofline, with k cores under it
//
// Memory is not loaded where data stay in the core's share of its outermost cache (platforms/memory.h): both copies of
// a message or of what is copied, both operands, or the working set that a program states. Cores that have no rank
// leave their share to the others.
#pragma once

#include <simgrid/s4u/Host.hpp>
#include <vector>

#include "platforms/machine.h"
#include "platforms/memory.h"
#include "records/exchange/memory_work.h"
#include "sim/plugin/flow_model.h"

namespace strata::sim {

class Memory : public MemoryWork {
 public:
  /// `machine` has figures of its memory. Adds a link for each memory to `flows`, then one for each core. Both must
  /// outlive it, and it the simulation. Made before any actor.
  Memory(const Machine& machine, FlowModel& flows);
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  /// Adds what a message of `payload` (B) between two cores takes of cores and memories to its path, whose bandwidth is
  /// known.
  void add_uses(int source, int destination, double payload, Path& path);

  void copy(double bytes) override;
  void combine(double bytes) override;
  void stream(double flops, double bytes, double working_set) override;
  void compute(double seconds) override;

 private:
  // Blocks the calling actor while its core works for `seconds` or, if its share of the core or of the memory is less
  // than all that it can use, longer. `moved`: of its memory, B.
  void work(int core, double seconds, double moved);
  bool stays_in_cache(int core, double bytes);
  int memory_link(int core) const { return first_memory_link_ + memories_.of(core); }
  int core_link(int core) const { return first_core_link_ + core; }

  const Machine& machine_;
  FlowModel& flows_;
  const Memories memories_;
  const bool both_copy_;            // messages within a node, sender and receiver
  const double copy_bandwidth_;     // B/s
  const double combine_bandwidth_;  // B/s of one operand
  const double cache_bandwidth_;    // B/s, read plus written
  const double of_combined_;        // of a byte that a combination moves: the bytes of a copy that load memory as much
  int first_memory_link_ = 0, first_core_link_ = 0;  // of flows_
  std::vector<bool> busy_;           // by core: whether it has ranks; kept up to date until the first question
  std::vector<double> cache_share_;  // by core, B; -1: not known yet
  bool started_ = false;
};

}  // namespace strata::sim
