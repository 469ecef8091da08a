// SPDX-License-Identifier: LGPL-2.1-only
// The barrier over a hierarchy: first up the bridges (whole.h), innermost first, then down again.
#include <vector>

#include "mpi_ext/coll/barrier.h"
#include "mpi_ext/coll/over_hierarchy.h"
#include "mpi_ext/monitoring/report_collective.h"
#include "mpi_ext/mpix.h"
#include "mpi_ext/report_error.h"

extern "C" int MPIX_Hierarchy_barrier(MPIX_Hierarchy hierarchy, int algorithm) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return guarded(hierarchy, [&](int) {
    if (algorithm != MPIX_ALGORITHM_LINEAR && algorithm != MPIX_ALGORITHM_BINOMIAL) check(MPI_ERR_ARG);
    monitoring::called(hierarchy->comms.front(), Meaning::kToAll, 0, 0, MPI_BYTE);
    const std::vector<MPI_Comm> bridges = bridges_of(*hierarchy);
    for (auto bridge = bridges.rbegin(); bridge != bridges.rend(); ++bridge) barrier_up(*bridge, algorithm);
    for (const MPI_Comm bridge : bridges) barrier_down(bridge, algorithm);
  });
}
