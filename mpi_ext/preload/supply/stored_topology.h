// SPDX-License-Identifier: LGPL-2.1-only
// The topology that is stored with a communicator, for MPI's topology functions and the neighborhood collectives. A dup
// of the communicator has it too.
#pragma once

#include <mpi.h>

#include <memory>
#include <variant>
#include <vector>

#include "mpi_ext/context/attribute.h"
#include "mpi_ext/preload/supply/graph.h"

namespace strata::mpix {

/// SMPI, or the shim, knows the mesh.
struct Cartesian {};

struct DistributedGraph {
  Vertex mine;
  bool weighted = false;
};

/// All ranks share one graph.
using SharedGraph = std::shared_ptr<const Graph>;

using KnownTopology = std::variant<Cartesian, std::shared_ptr<const DistributedGraph>, SharedGraph>;

using TopologyAttribute = CommAttribute<KnownTopology, OnDup::kCopy>;

/// Null if the communicator has no topology. Throws ReportedByMpi.
const KnownTopology* topology_of(MPI_Comm comm);

/// The neighbours of the calling rank, in MPI's order; MPI_PROC_NULL for a missing one.
struct Neighborhood {
  std::vector<int> in, out;
  /// Indexes into `in`, in the order in which messages from one process to this one arrive. In a graph they arrive in
  /// the order of `in`. In a mesh, a message sent towards one end of a dimension arrives from the other: if both
  /// neighbours are the same process, the block 2i + 1 comes before 2i.
  std::vector<int> arrivals;
};

/// Throws Unreported (MPI_ERR_TOPOLOGY) if the communicator has no topology; ReportedByMpi.
Neighborhood neighborhood_of(MPI_Comm comm);

}  // namespace strata::mpix
