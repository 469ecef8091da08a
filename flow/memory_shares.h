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
// Memory is not loaded by data that stay in their core's outermost cache: both copies of a message or of copied data,
// both operands, or the working set that a program states. The cores that have such work under way share the cache
// (caches.h). Data that lose their place there while the work is under way load memory from then on.
//
// If the machine states shared_cache_bandwidth, data that stay in a cache load a link of that cache instead, with the
// weights of memory: k copies below one cache of capacity S get m / min(b, S / 2k), and a combination's bytes count
// 2/3, because the cache carries 1.5 times as much of them. Otherwise caches are never a bottleneck.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "flow/caches.h"
#include "flow/flows.h"
#include "flow/path.h"
#include "platforms/machine.h"
#include "platforms/memory.h"

namespace strata::flow {

/// How much the ends of a message have touched since they last touched its buffers, B
/// (records/exchange/buffer_reuse.h). Has an effect only on a machine whose caches go by buffers.
struct Spans {
  double source = 0, destination = 0;  // 0: not known; the data of the message count
};

/// For MachineFlows::start_work.
struct Work {
  double amount = 0;  // 0: it takes no time
  Path path = {};
  Data data = {};  // none: the work does not use the cache
  bool cached = false;
  // If the data lose their place in the cache: the factor of the remaining amount, and the weight of the memory's use.
  double scale = 1, memory_weight = 0;
};

class Memory {
 public:
  /// `machine` must have figures of its memory; it and `flows` must outlive this. Adds a link for each memory to
  /// `flows`, then one for each core, then one for each outermost cache if the machine states what it carries.
  Memory(const Machine& machine, Flows& flows);

  /// Adds the uses of cores and memories by a message of `payload` (B) between two cores to its path, whose bandwidth
  /// must be set. The result depends on the data under way, so it holds for a message that starts now. With
  /// `has_copies` the path has the uses of cores already.
  void add_uses(int source, int destination, double payload, bool has_copies, const Spans& spans, Path& path);

  /// A copy of `bytes`; a combination of two operands of `bytes` each, onto one of them; arithmetic while `bytes` move
  /// between memory and core, where `working_set` (B) is the data that it uses repeatedly; computation that uses only
  /// the core. As above. `span`: the larger one of both buffers, as in Spans. Each result is valid until the next call.
  const Work& copy(int core, double bytes, double span = 0);
  const Work& combine(int core, double bytes, double span = 0);
  const Work& stream(int core, double flops, double bytes, double working_set);
  const Work& compute(int core, double seconds);

  /// The message of the last add_uses(), or the work, is about to start as `flow`; others may lose their place in a
  /// cache.
  void begin_message(int flow, double now);
  void begin_work(int flow, const Work& work, double now);
  /// The link of a core's time, whose capacity is the machine's copy bandwidth.
  int core_link(int core) const { return first_core_link_ + core; }

  /// A message or work has ended. No effect if it has no data in a cache.
  void end(int flow);

 private:
  // A message or work under way, as far as it is needed to change its uses.
  struct UnderWay {
    int source = -1, destination = -1;  // of a message; -1: a work
    bool within_node = false, has_copies = false;
    double bandwidth = 0;                 // of a message
    std::size_t first_use = 0;            // of cores and memories
    std::array<Data, 2> data = {};        // of a message, at its source and its destination
    std::array<bool, 2> cached = {};      // by data
    double scale = 1, memory_weight = 0;  // Work's
  };
  // The core works for `seconds`, or longer if its share of the core or of the link is less than the work can use.
  // `moved`: bytes of the link, a memory or cache.
  const Work& work(int core, double seconds, int link, double moved);
  // The same for work on data that stay in the cache and move `moved_in_cache` there, or else take `seconds` and move
  // `moved`.
  const Work& work_on(const Data& data, double cached_s, double moved_in_cache, double seconds, double moved);
  const Work& stream_on(const Data& data, double flops, double bytes);
  double known(double span) const { return goes_by_buffers_ ? span : 0; }
  // `link`: of a memory or cache; -1: none.
  void add_uses_of_work(int core, int link, double weight, std::vector<FairShares::Use>& uses) const;
  void add_uses_of_message(const UnderWay& message, std::vector<FairShares::Use>& uses) const;
  void begin(int flow, double now);
  void evict(int flow, int side, double now);
  int memory_link(int core) const { return first_memory_link_ + memories_.of(core); }
  // -1: none
  int cache_link(int core) const {
    return first_cache_link_ < 0 || caches_.of(core) < 0 ? -1 : first_cache_link_ + caches_.of(core);
  }

  const Machine& machine_;
  Flows& flows_;
  const Memories memories_;
  const bool goes_by_buffers_;
  const bool both_copy_;            // for messages within a node: sender and receiver copy
  const double copy_bandwidth_;     // B/s
  const double combine_bandwidth_;  // B/s of one operand
  const double cache_bandwidth_;    // B/s, read plus written
  const double of_combined_;        // for a byte that a combination moves: the bytes of a copy that load memory equally
  double of_combined_in_cache_ = 1;                  // the same for a cache
  int first_memory_link_ = 0, first_core_link_ = 0;  // of Flows
  int first_cache_link_ = -1;                        // -1: caches are never a bottleneck
  Caches caches_;
  std::vector<UnderWay> under_way_;    // by number of the flow
  UnderWay message_;                   // of the last add_uses()
  Work work_;                          // the last one
  std::vector<int> evicted_;           // scratch
  std::vector<FairShares::Use> uses_;  // scratch
};

}  // namespace strata::flow
