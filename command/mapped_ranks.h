// SPDX-License-Identifier: LGPL-2.1-only
// Maps the ranks of an application to processes on a machine's cores, by their messages (mpi_ext/reorder).
#pragma once

#include <vector>

#include "mpi_ext/reorder/mapping.h"
#include "mpi_ext/reorder/place_tree.h"
#include "platforms/machine.h"
#include "platforms/placement.h"
#include "platforms/topology.h"
#include "records/matrix/pattern.h"

namespace strata::command {

/// For each of the application's ranks, the process that takes it over.
std::vector<int> processes_by_mapping(const Machine& machine, const std::vector<Binding>& ranks, const Pattern& pattern,
                                      mpix::MapMethod method);

/// The places of the ranks' cores, for mappings.
mpix::PlaceTree place_tree_of(const Topology& topology, const std::vector<Binding>& ranks);

}  // namespace strata::command
