// SPDX-License-Identifier: LGPL-2.1-only
// Writes where Open MPI should start each rank: a rankfile for `mpirun --rankfile FILE`, or in Open MPI 5 `mpirun
// --map-by rankfile:file=FILE`.
#pragma once

#include <string>
#include <vector>

#include "platforms/placement.h"
#include "platforms/topology.h"

namespace strata {

/// A line for each rank, "rank 3=host1 slot=4-7". The node is its name in `hosts`, or "+n1" if `hosts` is empty: its
/// number among the nodes of the job. The slots are the cores of the binding by hwloc's logical index on the node. Open
/// MPI 4 numbers slots in this way (opal_hwloc_base_cpu_list_parse), and so does PRRTE, which starts ranks for Open MPI
/// 5 ("all slot locations are logical indexes", its help on rankfiles). Throws InputError if a node has no name, or a
/// binding has more ranges of cores than Open MPI can read (64 characters).
std::string format_rankfile(const Topology& topology, const std::vector<Binding>& ranks,
                            const std::vector<std::string>& hosts);

}  // namespace strata
