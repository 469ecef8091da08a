// SPDX-License-Identifier: LGPL-2.1-only
// The topology that is kept with a communicator, for MPI's functions on topologies and the neighborhood collectives. A
// dup of the communicator has it too.
#pragma once

#include <mpi.h>

#include <memory>
#include <variant>
#include <vector>

#include "mpi_ext/coll/attribute.h"
#include "mpi_ext/supply/graph.h"

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

/// Null where the communicator has none. Throws ReportedByMpi.
const KnownTopology* topology_of(MPI_Comm comm);

/// The neighbours of the calling rank, in MPI's order; MPI_PROC_NULL is one that is not there.
struct Neighborhood {
  std::vector<int> in, out;
  /// Numbers of `in`, in the order in which messages from one process to this one arrive. In a graph they come in the
  /// order of `in`. In a mesh what is sent towards one end of a dimension arrives from the other: where both neighbours
  /// are one process, the block 2i + 1 comes before 2i.
  std::vector<int> arrivals;
};

/// Throws Unreported, MPI_ERR_TOPOLOGY where the communicator has no topology; ReportedByMpi.
Neighborhood neighborhood_of(MPI_Comm comm);

}  // namespace strata::mpix
