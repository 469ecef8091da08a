// SPDX-License-Identifier: LGPL-2.1-only
// A network of switches as they are cabled: leaf switches of different sizes, missing cables, any number of levels.
//
//   network: {switches: {file: fabric.txt}}
//
// Height: a switch with nodes has height 0, any other one is one higher than its lowest neighbour. Switches that can
// reach each other without exceeding height h form a group of the tree that contains the nodes: the leaf switches
// themselves, then for h = 1, 2, ... each new group. In a fat tree these are its pods. The groups of a level are called
// `Switch`, `Switch 2`, ... unless machine.yaml names them.
//
// Routes: the network is a fat tree if cables only join neighbouring heights, and if between any two leaf switches a
// shortest route goes up, and then down. Then routes are D-mod-k (fat_tree.h), as in InfiniBand's subnet managers: a
// switch of height h sends a message to target j over number
//
//   floor(j / (w_1 ... w_h)) modulo their number
//
// of the cables that lead to it on such a route: first one cable to each switch above, in their order, then the second
// one to each. w_i is the largest number of switches above that a switch of height i - 1 uses. On a regular fat tree
// these are the routes of fat_tree.h (tests/platforms/switches_test.cc). Each route depends only on its target and the
// current switch, like a routing table.
//
// Otherwise routes are shortest paths. A switch selects among the cables on which one begins by a hash of the target
// and itself.
//
// Memory is O(switches x leaf switches); construction takes O(cables x leaf switches).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "platforms/switch_graph.h"
#include "platforms/topology.h"

namespace strata {

class Fabric;
class SwitchRoutes;

/// A graph with its tree and routes. Immutable; copies share it.
class SwitchNetwork {
 public:
  /// Puts switches and nodes in the order of the tree. The nodes' switches must be connected.
  explicit SwitchNetwork(const SwitchGraph& graph);

  /// The leaf switches first, group after group, then those of the next heights.
  const SwitchGraph& graph() const;
  int num_leaves() const;
  /// Levels below the root, including that of the leaf switches; 0 if all nodes are on one switch.
  int num_levels() const;
  /// The tree, with the num_levels() names `levels`, from the leaf switches up.
  NetworkGroup tree(const std::vector<std::string>& levels) const;
  /// Why it is not a fat tree: "switches leaf1 and leaf2 have one height and a cable"; empty if it is one.
  const std::string& why_no_fat_tree() const;
  const SwitchRoutes& routes() const { return *routes_; }

 private:
  std::shared_ptr<const SwitchRoutes> routes_;
};

struct SwitchesShape {
  SwitchNetwork network;
  std::vector<std::string> levels;  // names of the groups, from the leaf switches up: num_levels()
};

/// The kinds of links are the kinds of cables.
std::unique_ptr<const Fabric> make_switches(const SwitchesShape& shape);

NetworkGroup tree_of(const SwitchesShape& shape);

/// "fat tree of 3 leaf switches with 2 to 4 nodes each and 2 other switches, 12 cables", "5 switches ...".
std::string describe(const SwitchesShape& shape);

/// Default names of levels: "Switch", "Switch 2", ...
std::vector<std::string> usual_level_names(int count);

}  // namespace strata
