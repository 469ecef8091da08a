// SPDX-License-Identifier: LGPL-2.1-only
// Where Open MPI is to start each rank: a rankfile for `mpirun --rankfile FILE`, in Open MPI 5
// `mpirun --map-by rankfile:file=FILE`.
#pragma once

#include <string>
#include <vector>

#include "platforms/placement.h"
#include "platforms/topology.h"

namespace strata::command {

/// A line a rank, "rank 3=host1 slot=4-7": the node's name in `hosts`, or, where that is empty, "+n1", its number among
/// the nodes that a resource manager gives to the job; the cores of its binding by hwloc's logical index on the node,
/// which is how Open MPI 4 numbers slots (opal_hwloc_base_cpu_list_parse), and PRRTE, which starts
/// ranks for Open MPI 5 ("all slot locations are logical indexes", its help on rankfiles). Throws InputError where a
/// node has no name, and if a binding has more ranges of cores than Open MPI reads (64 characters).
std::string format_rankfile(const Topology& topology, const std::vector<Binding>& ranks,
                            const std::vector<std::string>& hosts);

}  // namespace strata::command
