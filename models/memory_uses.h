// SPDX-License-Identifier: LGPL-2.1-only
// Shared memory in closed form: the rate of each of k cores of a NUMA node that all do the same work, and the uses of
// memories, caches and cores by a message or a combination.
//
// Let b be a core's copy bandwidth, c its combine bandwidth, and C and D the memory's bandwidths for copies and
// combinations, read plus written (platforms/memory.h):
//
//   each of k copies              min(b, C / 2k)        a byte is read and written
//   each of k combinations        min(c, D / 3k)        of one operand: two are read, one is written
//   f flop on m bytes, k cores    max(f / speed, m / min(3c, D / k))
//                                 the roofline (S. Williams, A. Waterman, D. Patterson, CACM 52(4), 2009), whose
//                                 slanted part is the core's own bandwidth or its share of the memory
//   data in a cache               S / 2k for C / 2k, and 1.5 S / 3k for D / 3k, where S is what the k cores below one
//                                 cache get from it together; without S a cache is never a bottleneck
//   ring of k ranks               min(b, C / 2k, the level's bandwidth) for each message: 1 of the memory to read, 1 to
//                                 write, 1 of the receiver's core, which copies
//
// So bandwidth grows in proportion to the number of cores until the memory is saturated, and then stays constant.
// Measured curves bend earlier: copying by 1, 2, 3 and 6 cores of a NUMA node of an E5-2695 v3 moves 10.0, 15.2, 16.7
// and 17.7 GB/s (kerncraft, examples/machine-files/HaswellEP_E5-2695v3_CoD.yml); with 10.0 and 17.7 the model gives
// 17.7 from two cores on.
#pragma once

#include <vector>

#include "base/units.h"
#include "platforms/machine.h"
#include "platforms/memory.h"
#include "platforms/placement.h"

namespace strata::models {

/// The rate of each of `cores` cores that copy at the same time in one memory. Requires figures of the machine's
/// memory, here and below.
BytesPerSecond copy_rate(const Machine& machine, int cores);
/// The rate at which each combines, of one operand.
BytesPerSecond combine_rate(const Machine& machine, int cores);
/// The rate at which each moves bytes between memory and core, read plus written, while it computes.
BytesPerSecond stream_rate(const Machine& machine, int cores);
/// The time of each for `flops` during which `bytes` move.
Seconds roofline_time(const Machine& machine, int cores, double flops, Bytes bytes);

/// The rate that all cores together reach, as STREAM counts it: bytes read plus bytes written, lines that are only read
/// to be written not counted.
struct SaturationPoint {
  int cores;
  BytesPerSecond copy;     // a[i] = b[i]
  BytesPerSecond combine;  // a[i] = a[i] + s b[i], a daxpy
  BytesPerSecond triad;    // a[i] = b[i] + s c[i]: 3 bytes of 4 that move count
};

/// From one core to all of the machine's first memory.
std::vector<SaturationPoint> saturation_curve(const Machine& machine);

/// A flow of x B/s uses weight times x of it.
struct MemoryUse {
  enum class Of { kMemory, kCore, kCache };
  int vertex;  // a memory's NUMA node or node; a core; an outermost cache
  Of of;
  double weight;
};

/// B/s.
double capacity(const MemoryUse& use, const Machine& machine);
/// The largest flow (B/s) that has room in all of them.
double room(const std::vector<MemoryUse>& uses, const Machine& machine);

/// Data that a message or a combination needs in the cache of a core.
struct CacheNeed {
  int cache;  // vertex
  int core;   // vertex
  double bytes;
  bool fits_alone;   // so it stays in the cache unless others need space there at the same time
  bool always_fits;  // even if all cores with ranks need as much
};

/// The uses of memories and cores by messages and combinations, and of caches. Data that fit into a cache alone do not
/// load memory, but the cache if the machine states what cores get from it together; whether they do so beside those of
/// others is for find_crowded_cache (contention.h). Cores are vertices. Immutable.
class MemoryUses {
 public:
  /// If `ranks` is empty, all cores count as having one. Keeps a reference to the machine, which must have figures of
  /// its memory.
  MemoryUses(const Machine& machine, const std::vector<Binding>& ranks);

  /// The uses of a message of `payload` (B) from core `a` to core `b` with `bandwidth` (B/s) at its level. With
  /// `has_copies` only those of memories and caches, because the level states those of cores.
  std::vector<MemoryUse> of_message(int a, int b, double payload, double bandwidth, bool has_copies) const;
  /// The uses of a combination of two operands of `bytes`; its flow is in bytes of one of them.
  std::vector<MemoryUse> of_combination(int core, double bytes) const;
  /// The data of the same in caches; none for cores without a cache.
  std::vector<CacheNeed> needs_of_message(int a, int b, double payload) const;
  std::vector<CacheNeed> needs_of_combination(int core, double bytes) const;

 private:
  // Where the data of a core are: a memory, or a cache that may be a bottleneck. Vertex -1: neither.
  MemoryUse place_of(int core, bool cached) const;
  void add_need(int core, double bytes, int other, std::vector<CacheNeed>& into) const;
  bool stays_in_cache(int core, double bytes, int other = -1) const;

  const Machine& machine_;
  Memories memories_;
  std::vector<int> cache_;  // by the core's index: the vertex of its outermost cache, -1: none
  std::vector<int> users_;  // by the cache's vertex: the number of cores with ranks below it
};

}  // namespace strata::models
