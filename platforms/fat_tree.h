// SPDX-License-Identifier: LGPL-2.1-only
// Fat tree: switches in levels, each connected with several of the level above, so that there are as many routes up as
// the network needs. For example, two levels of switches: 18 leaf switches with 24 nodes each, and 12 spine switches
// with two cables to every leaf:
//
//   network: {fat_tree: {down: [24, 18], up: [12], cables: [2]}}
//
// This is the extended generalized fat tree of S. Oehring, M. Ibel, S. Das, M. Kumar, "On Generalized Fat Trees", IPPS
// 1995: XGFT(h; m_1..m_h; w_1..w_h), with m = down and w = 1 followed by up, and with parallel cables between switches.
// A subtree of level i has m_1 ... m_i nodes and w_1 ... w_i switches at its top.
//
// Level 1 consists of the leaf switches. Level l has w_1 ... w_l switches for each subtree; switch number b is
// connected with those of the subtree above whose numbers are b modulo w_1 ... w_l.
//
// Routes are D-mod-k (E. Zahavi, "D-Mod-K Routing Providing Non-Blocking Traffic for Shift Permutations on Real Life
// Fat Trees", Technion CCIT 776, 2010), as in InfiniBand's subnet managers: the target's number selects the way up, so
// that all messages to one node come down the same way. A message to node j goes up to switch j mod (w_1 ... w_l) of
// level l, and over cable floor(j / (w_1 ... w_l)) mod p_l into it and out of it. It goes up only as far as necessary.
//
// With spread routing, a message takes all ways up, and down from all switches that it reaches.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "platforms/topology.h"

namespace strata {

class Fabric;

struct FatTreeShape {
  std::vector<int> down;                 // children of a switch on each level; of a leaf switch, its nodes
  std::vector<int> up;                   // switches above a switch of level 1, 2, ...: one less than `down`
  std::vector<int> cables;               // between a switch and each of those above it, by level: as many as `up`
  int nodes_per_router = 1;              // down[0]
  std::vector<std::string> levels = {};  // names of the subtrees of level 1, 2, ...: as many as `up`
};

/// Routes lead from leaf switch to leaf switch. Switches are numbered level by level, the leaf switches first, and
/// subtree by subtree. The kinds of links are named after the subtrees that they leave upwards. Throws
/// std::invalid_argument if the shape has no level, a number below 1, or a wrong number of `up`, `cables` or `levels`,
/// or if `nodes_per_router` is not down[0].
std::unique_ptr<const Fabric> make_fat_tree(const FatTreeShape& shape);

/// The tree that contains the nodes. A subtree with only one part is not a level.
NetworkGroup tree_of(const FatTreeShape& shape);

/// "fat tree of 18 leaf switches with 24 nodes each, 12 switches at the top".
std::string describe(const FatTreeShape& shape);

}  // namespace strata
