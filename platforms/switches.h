// SPDX-License-Identifier: LGPL-2.1-only
// A network of switches as they are connected: leaf switches of different sizes, missing cables, any number of levels.
//
//   network: {switches: {file: fabric.txt}}
//
// Height. A switch with nodes has height 0, any other one more than the lowest beside it. Switches that reach each
// other without leaving height h are a group of the tree that the nodes hang in: the leaf switches themselves, then
// for h = 1, 2, ... what is new. In a fat tree these are its pods. The groups of a level are called `Switch`,
// `Switch 2`, ... where machine.yaml does not say otherwise.
//
// Routes. The network is a fat tree if cables only join neighbouring heights, and if from every leaf switch to every
// other one of the shortest ways goes up, and then down. Then routes are D-mod-k (fat_tree.h), as InfiniBand's subnet
// managers do it: a switch of height h sends a message to target j over number
//
//   floor(j / (w_1 ... w_h)) modulo their number
//
// of the cables that lead to it on such a way: first one to each switch above, in their order, then the second one to
// each. w_i is the most switches that one of height i - 1 has above it and uses. On a regular fat tree these are the
// routes of fat_tree.h (tests/platforms/switches_test.cc). Each route depends on its target and where it is, as a
// table in a switch does.
//
// Otherwise they are shortest ways. A switch takes one of the cables that begin one by a hash of the target and itself.
//
// Memory is O(switches x leaf switches); making it takes O(cables x leaf switches).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "platforms/switch_graph.h"
#include "platforms/topology.h"

namespace strata {

class Fabric;
class SwitchRoutes;

/// A graph and all that follows from it. Immutable; copies share it.
class SwitchNetwork {
 public:
  /// Puts switches and nodes in the order of the tree. The nodes' switches must be connected.
  explicit SwitchNetwork(const SwitchGraph& graph);

  /// The leaf switches first, group after group, then those of the next heights.
  const SwitchGraph& graph() const;
  int num_leaves() const;
  /// Below the root, the leaf switches' included; 0 where all nodes have one switch.
  int num_levels() const;
  /// The tree, its levels called `levels`, from the leaf switches' up: num_levels() of them.
  NetworkGroup tree(const std::vector<std::string>& levels) const;
  /// Why it is not a fat tree: "switches leaf1 and leaf2 have one height and a cable"; empty if it is one.
  const std::string& why_no_fat_tree() const;
  const SwitchRoutes& routes() const { return *routes_; }

 private:
  std::shared_ptr<const SwitchRoutes> routes_;
};

struct SwitchesShape {
  SwitchNetwork network;
  std::vector<std::string> levels;  // what the groups are called, from the leaf switches' up: num_levels()
};

/// Links are called by their kinds of cables.
std::unique_ptr<const Fabric> make_switches(const SwitchesShape& shape);

NetworkGroup tree_of(const SwitchesShape& shape);

/// "fat tree of 3 leaf switches with 2 to 4 nodes each and 2 other switches, 12 cables", "5 switches ...".
std::string describe(const SwitchesShape& shape);

/// "Switch", "Switch 2", ...: what levels are called where no name is given.
std::vector<std::string> usual_level_names(int count);

}  // namespace strata
