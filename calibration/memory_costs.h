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

/// B/s; empty where it was not measured.
struct MemoryEstimate {
  int cores = 1;                              // of a NUMA node
  std::optional<Estimate> core_copy = {};     // bytes that one core copies
  std::optional<Estimate> core_combine = {};  // bytes of one operand that one core combines
  std::optional<SaturationOf> copy = {};      // of the cores of a NUMA node, read plus written
  std::optional<SaturationOf> combine = {};
  std::optional<Estimate> cache = {};  // one core, in its outermost cache, read plus written
  bool from_triads = false;            // `copy` and `core_copy` are of triads
};

/// Arrays larger than the outermost caches that their cores can use are in memory; those of one core of which two fit
/// into a cache are in that cache; others in between tell nothing. Rates of more cores than a NUMA node has are used
/// where they are all cores of nodes: each NUMA node then has its part.
MemoryEstimate estimate_memory(const Topology& topology, const Evidence& measurements, std::vector<std::string>& notes);

}  // namespace strata::calibration
