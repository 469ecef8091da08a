// Where Open MPI is to start each rank: a rankfile for `mpirun --rankfile`.
#pragma once

#include <string>
#include <vector>

#include "platforms/placement.h"
#include "platforms/topology.h"

namespace strata::command {

/// A line a rank, "rank 3=+n1 slot=4-7": the node by its number among the hosts of the job, the cores of its binding by
/// hwloc's logical index on the node, which is how Open MPI 4 numbers slots (orte/mca/rmaps/rank_file). Throws
/// InputError where a binding has so many ranges of cores that Open MPI cuts their list off (64 characters).
std::string format_rankfile(const Topology& topology, const std::vector<Binding>& ranks);

}  // namespace strata::command
