// SPDX-License-Identifier: LGPL-2.1-only
// A machine's memory: defaults of its figures, and the cores that share a memory.
//
// Memory bandwidth is counted like STREAM does, as bytes read plus bytes written: 2 for each byte that is copied, 3 for
// each byte of an operand that is combined. But a copy whose writes allocate their lines really moves 3 bytes for the
// counted 2, while a combination that writes onto one of its operands moves 3 for 3. So the same memory carries 1.5
// times as much for combinations, unless the machine says otherwise:
//
//   bandwidth          17.6 GB/s: at most 8.8 GB/s copied, by all cores of the NUMA node together
//   combine_bandwidth  26.4 GB/s: at most 8.8 GB/s of one operand combined
//
// A cache that cores share behaves the same: a write that misses the inner caches first reads the line from it. So it
// carries 1.5 times its `shared_cache_bandwidth` for combinations. Measured on cores that share an L3 (kerncraft's
// machine files, copy and daxpy): 178 and 268 GB/s by four cores of an EPYC 7452, 193 and 301 by ten of an E5-2697 v4.
#pragma once

#include <string>
#include <vector>

#include "base/words.h"
#include "platforms/machine.h"
#include "platforms/payload.h"

namespace strata {

inline constexpr Word<CachedBy> kCachedWords[] = {{CachedBy::kMessages, "messages"}, {CachedBy::kBuffers, "buffers"}};

/// Whether the machine has to know how ranks reuse their buffers.
inline bool is_cached_by_buffers(const Machine& m) { return m.memory && m.memory->cached == CachedBy::kBuffers; }

/// The rate at which memory carries combinations.
Figure memory_combine_bandwidth(const MemoryCosts& memory);

/// The rate at which a shared cache carries combinations. `memory` must have its bandwidth.
Figure shared_cache_combine_bandwidth(const MemoryCosts& memory);

/// The bytes per second, read plus written, that one core moves while it computes on data in its cache.
Figure cache_bandwidth(const Machine& machine);

/// How long a core takes, s, while no other core uses its memory, for data that are in memory rather than in a cache:
/// for a copy of `bytes`; for a combination of two operands of `bytes` each; for `flops` while `bytes` move. The
/// machine must have figures of its memory; flow/memory_shares.h has the same rates for cores that share it.
double copy_alone_s(const Machine& machine, double bytes);
double combine_alone_s(const Machine& machine, double bytes);
double stream_alone_s(const Machine& machine, double flops, double bytes);

/// "memory of node 3, NUMANode 1", "cache of node 3, L3 1", "memory of node 3" for `what` at a vertex inside a node.
std::string name_in_node(const Topology& topology, const char* what, int vertex);

/// An object above each core, such as its NUMA node. The objects are ordered by their first cores. Cores are indexes
/// into Topology::cores().
class ObjectsOfCores {
 public:
  int count() const { return static_cast<int>(vertices_.size()); }
  /// That of a core; -1: it has none.
  int of(int core) const { return of_core_[core]; }
  int vertex(int object) const { return vertices_[object]; }
  /// Whether a vertex is one of these objects.
  bool is_one(int vertex) const;
  /// As name_in_node.
  std::string name(int object) const { return name_in_node(topology_, what_, vertices_[object]); }

 protected:
  /// `above` gives the vertex of the object above a core (a vertex); -1: none.
  ObjectsOfCores(const Topology& topology, const char* what, int (*above)(const Topology&, int core));
  const Topology& topology() const { return topology_; }

 private:
  const Topology& topology_;
  const char* what_;
  std::vector<int> vertices_;  // by object
  std::vector<int> of_core_;
};

/// The memories of a machine: that of each NUMA node, or of the node for cores that are in no NUMA node (as in
/// cores_by_numa_node).
class Memories : public ObjectsOfCores {
 public:
  explicit Memories(const Topology& topology);
};

/// The outermost caches of a machine. A core may have none.
class OutermostCaches : public ObjectsOfCores {
 public:
  explicit OutermostCaches(const Topology& topology);
  double bytes(int cache) const;
};

}  // namespace strata
