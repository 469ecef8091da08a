// SPDX-License-Identifier: LGPL-2.1-only
// Where the ranks of a job are: the node, local rank and binding of each. For example 3 ranks on 2 nodes, by node:
//
//   Places{.nodes = {{"node0", "fat.xml"}, {"node1", "thin.xml"}},
//          .ranks = {{.node = 0, .local_rank = 0, .cpuset = "0"}, {1, 0, "0-3"}, {0, 1, "1"}}}
//
// Nodes may have unequal numbers of ranks, or none, and ranks may be in any order.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace strata::native {

struct NodePlace {
  std::string host;           // what MPI_Get_processor_name returns there
  std::filesystem::path xml;  // what libhwloc loads there, an hwloc 2 XML file; empty: this computer
};

struct RankPlace {
  int node = 0;
  int local_rank = 0;       // its position among the node's ranks: 0, 1, ... in the order of ranks
  std::string cpuset = {};  // its binding, in hwloc's list syntax of OS indexes ("0-3,8"); empty: not bound
  int app = 0;              // which of the programs of MPI_Comm_spawn_multiple it runs: MPI_APPNUM
};

struct Places {
  std::vector<NodePlace> nodes = {};
  std::vector<RankPlace> ranks = {};
  int universe = 0;  // how many ranks there may be with those of MPI_Comm_spawn; 0: these

  int size() const { return static_cast<int>(ranks.size()); }
  int universe_size() const { return universe == 0 ? size() : universe; }
  const NodePlace& node_of(int rank) const { return nodes[ranks[rank].node]; }
};

/// The ranks of each node in ascending order: {{0, 2}, {1}} in the example.
std::vector<std::vector<int>> ranks_by_node(const Places& places);

/// Numbers the local ranks in the order of ranks.
void number_local_ranks(Places& places);

/// Throws std::invalid_argument if there is no rank, a rank is on a node that does not exist, a local rank is not the
/// position among the node's ranks, or two nodes have the same host name.
void check_places(const Places& places);

}  // namespace strata::native
