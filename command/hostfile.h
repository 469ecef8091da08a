// SPDX-License-Identifier: LGPL-2.1-only
// Files that say to mpirun where ranks go, read for a simulated machine: hostfiles of Open MPI and MPICH, and Open
// MPI's rankfiles (which rankfile.h writes).
//
//   node0 slots=4                      a hostfile: four ranks on the machine's first node,
//   node3:2                            two on its fourth
//
//   rank 0=node0 slot=0-3              a rankfile: rank 0 bound to the first four cores of node 0,
//   rank 1=+n1 slot=1:0                rank 1 to the first core of the second socket of node 1
//
// Nodes have the names that the machine knows (platforms/node_names.h), or are called node0, node1, ..., or +n0, +n1.
// On a machine without names all others, those of a real cluster, are its nodes in the order in which the file first
// names them. A file has names of one kind only.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "platforms/placement.h"
#include "platforms/topology.h"

namespace strata::command {

/// A line of a hostfile.
struct HostSlots {
  int node = 0;
  int slots = 0;     // how many ranks it takes
  std::string name;  // as the file calls it
};

/// `slots=N` or `:N`, else one slot for each line that names the node, and if that is one line, all its cores, as Open
/// MPI has it. `max_slots=` is not needed and passed over. Throws InputError with file and line.
/// `names`: those of the machine's nodes; empty where it has none.
std::vector<HostSlots> read_hostfile(const std::filesystem::path& file, const Topology& topology,
                                     const std::vector<std::string>& names);

/// Places `np` ranks (0: as many as there are slots) on these nodes: one node after the other, with --map-by node in
/// turn; on a node as place() (platforms/placement.h) would, also in how ranks are bound. Throws InputError where there
/// are more ranks than slots, unless `options` allows it.
std::vector<Binding> place_on_hosts(const Topology& topology, const std::vector<HostSlots>& hosts, int np,
                                    const PlacementOptions& options);

/// Bindings by rank: ranks 0 to n-1, each once, in any order. A slot is a list of logical core indexes on the node, or
/// SOCKET:CORES with the cores counted within the socket, `*` for all. `np`, if not 0, is how many there must be.
/// `names` as above. Throws InputError with file and line.
std::vector<Binding> read_rankfile(const std::filesystem::path& file, const Topology& topology,
                                   const std::vector<std::string>& names, int np = 0);

}  // namespace strata::command
