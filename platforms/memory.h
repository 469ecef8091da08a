// SPDX-License-Identifier: LGPL-2.1-only
// A machine's memory: figures that are not stated, which cores share a memory, and what of a cache is a core's own.
//
// Memory bandwidth is counted as STREAM counts it, bytes read plus bytes written: 2 for each byte that is copied, 3 for
// each byte of an operand that is combined. A copy whose writes allocate their lines really moves 3 bytes for the 2
// that count, a combination that writes onto one of its operands 3 for 3. So the same memory carries 1.5 times as much
// of combinations, unless the machine says otherwise:
//
//   bandwidth          17.6 GB/s: at most 8.8 GB/s copied, by all cores of the NUMA node together
//   combine_bandwidth  26.4 GB/s: at most 8.8 GB/s of one operand combined
#pragma once

#include <string>
#include <vector>

#include "platforms/machine.h"
#include "platforms/payload.h"

namespace strata {

/// The rate at which memory carries combinations.
Figure memory_combine_bandwidth(const MemoryCosts& memory);

/// The bytes that one core moves, read plus written, while it computes on data in its cache.
Figure cache_bandwidth(const Machine& machine);

/// The memories of a machine, by the order of their first cores: that of each NUMA node, or of the node for cores that
/// are in none (the division of cores_by_numa_node). Cores go by their index in Topology::cores().
class Memories {
 public:
  explicit Memories(const Topology& topology);

  int count() const { return static_cast<int>(vertices_.size()); }
  /// The memory that is near to a core.
  int of(int core) const { return of_core_[core]; }
  /// The NUMA node or the node.
  int vertex(int memory) const { return vertices_[memory]; }
  /// Whether a vertex is one of these.
  bool is_one(int vertex) const;
  /// "memory of node 3, NUMANode 1"; "memory of node 3".
  std::string name(int memory) const;

 private:
  const Topology& topology_;
  std::vector<int> vertices_;  // by memory
  std::vector<int> of_core_;   // memory
};

/// B that a core has of its outermost cache, which it shares with those cores below it that are busy as well; 0 where
/// it has none, or the machine does not say how large it is. `busy`: by core; those that are not leave theirs to the
/// others.
double cache_share(const Topology& topology, int core, const std::vector<bool>& busy);

}  // namespace strata
