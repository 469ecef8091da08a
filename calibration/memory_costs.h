// SPDX-License-Identifier: LGPL-2.1-only
// The figures of a core and of the memory that cores share, from copies, triads and daxpys. All rates count bytes read
// plus bytes written (platforms/memory.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibration/evidence.h"
#include "calibration/level_costs.h"
#include "platforms/topology.h"

namespace strata::calibration {

/// B/s; empty if not measured.
struct MemoryEstimate {
  int cores = 1;                              // of a NUMA node
  std::optional<Estimate> core_copy = {};     // bytes copied by one core
  std::optional<Estimate> core_combine = {};  // bytes of one operand combined by one core
  std::optional<SaturationOf> copy = {};      // by the cores of a NUMA node, read plus written
  std::optional<SaturationOf> combine = {};
  std::optional<Estimate> cache = {};             // by one core, in its outermost cache, read plus written
  int sharing_cache = 1;                          // cores below that cache
  std::optional<SaturationOf> shared_cache = {};  // the same by the cores below it together
  bool from_triads = false;                       // `copy` and `core_copy` were derived from triads
};

/// An array is in memory if it is larger than the outermost caches that its cores can use. One core's array is in a
/// cache if two such arrays fit into it. Arrays of several cores below one cache are in it if they also are larger than
/// these cores' inner caches. Sizes in between are not used. Rates of more cores than a NUMA node has are
/// used if they are all cores of one or more nodes; each NUMA node then gets its share.
MemoryEstimate estimate_memory(const Topology& topology, const Evidence& measurements, std::vector<std::string>& notes);

}  // namespace strata::calibration
