// SPDX-License-Identifier: LGPL-2.1-only
// Reads files that tell mpirun where ranks go, for a simulated machine: hostfiles of Open MPI and MPICH, and Open MPI's
// rankfiles (which rankfile.h writes).
//
//   node0 slots=4                      a hostfile: four ranks on the machine's first node,
//   node3:2                            two on its fourth
//
//   rank 0=node0 slot=0-3              a rankfile: rank 0 bound to the first four cores of node 0,
//   rank 1=+n1 slot=1:0                rank 1 to the first core of the second socket of node 1
//
// Nodes have the names that the machine knows (platforms/node_names.h), or are called node0, node1, ..., or +n0, +n1.
// On a machine without names, any other names, such as those of a real cluster, stand for its nodes in the order in
// which the file first mentions them. All names in a file must be of the same kind.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "platforms/placement.h"
#include "platforms/topology.h"

namespace strata {

/// A line of a hostfile.
struct HostSlots {
  int node = 0;
  int slots = 0;     // number of ranks that it takes
  std::string name;  // as in the file
};

/// The number of slots is that of `slots=N` or `:N`. Otherwise it is the number of lines that name the node, or all its
/// cores if there is only one line, as in Open MPI. `max_slots=` is ignored. `names`: those of the machine's nodes;
/// empty if it has none. Throws InputError with file and line.
std::vector<HostSlots> read_hostfile(const std::filesystem::path& file, const Topology& topology,
                                     const std::vector<std::string>& names);

/// Places `np` ranks (0: as many as there are slots) on these nodes: node by node, or round-robin with --map-by node.
/// On each node, ranks are placed and bound as by place() (platforms/placement.h). Throws InputError if there are more
/// ranks than slots, unless `options` allows it.
std::vector<Binding> place_on_hosts(const Topology& topology, const std::vector<HostSlots>& hosts, int np,
                                    const PlacementOptions& options);

/// Bindings by rank. The file must have ranks 0 to n-1, each once, in any order. A slot is a list of logical core
/// indexes on the node, or SOCKET:CORES with cores counted within the socket; `*` means all. `np`: if not 0, the
/// required number of ranks. `names` as above. Throws InputError with file and line.
std::vector<Binding> read_rankfile(const std::filesystem::path& file, const Topology& topology,
                                   const std::vector<std::string>& names, int np = 0);

}  // namespace strata
