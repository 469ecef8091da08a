// SPDX-License-Identifier: LGPL-2.1-only
// A dragonfly network as in Aries (Theta, Piz Daint; B. Alverson, E. Froese, L. Kaplan, D. Roweth, "Cray XC Series
// Network", 2012). A group is a grid of routers. All routers of a row (a chassis) are connected with each other, and so
// are those of a column. Any two groups are connected by the same number of links.
//
// Links between groups: each group has (groups - 1) global_links ends. Slot l (groups - 1) + p is the end of the l-th
// link to the group that comes p + 1 after it, cyclically. Slots are spread evenly over the group's routers in their
// order, so that the routers' numbers of ends differ by at most one, and the links to one group are as far apart as
// possible.
//
// Routes: within a group a message goes along the row to the right column, then along the column, over at most two
// links. To another group it takes one link between the groups, and such routes to and from its ends; at most five
// links. Among the links to that group, it takes number (position of its router in the group + row of the target) mod
// global_links. Each link is then used by equally many pairs (if the number divides), and neither neighbours that send
// to neighbours nor, with several rows, one router that sends to all use only a few links. If there are more of these
// links than routers in a group, the target's column times the number of routers in a group is added, so that all links
// are used.
//
// With spread routing, a message takes all links between the two groups, the same part over each. To and from their
// ends, or within a group, half of it goes along the row first and half along the column first. A route is minimal if
// it has at most one link between groups (J. Kim, W. J. Dally, S. Scott, D. Abts, "Technology-Driven, Highly-Scalable
// Dragonfly Topology", ISCA 2008), so minimal routes may differ in length.
#pragma once

#include <memory>
#include <string>

#include "platforms/topology.h"

namespace strata {

class Fabric;

struct DragonflyShape {
  int groups = 1, rows = 1, columns = 1;
  int nodes_per_router = 1;
  int global_links = 1;  // between any two groups
  // Names of the levels of the tree: all routers of a group, of a row, all nodes of a router.
  std::string group = "Group", row = "Chassis", router = "Router";
};

/// Routers are numbered group after group, row after row. Throws std::invalid_argument if a number is below 1.
std::unique_ptr<const Fabric> make_dragonfly(const DragonflyShape& shape);

/// The tree that contains the nodes. Groups, rows and routers with only one child (a row of one router, a router of one
/// node) do not form a level.
NetworkGroup tree_of(const DragonflyShape& shape);

/// "dragonfly of 2 groups of 6 x 16 routers, 4 nodes a router, 8 links between any two groups".
std::string describe(const DragonflyShape& shape);

}  // namespace strata
