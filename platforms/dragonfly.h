// SPDX-License-Identifier: LGPL-2.1-only
// Dragonfly, as Aries connects it (Theta, Piz Daint; B. Alverson, E. Froese, L. Kaplan, D. Roweth, "Cray XC Series
// Network", 2012): a group is a grid of routers; the routers of a row (a chassis) are all connected with each other,
// and so are those of a column; any two groups are connected by as many links.
//
// The links between groups. Each group has the ends of (groups - 1) global_links of them. Slot l (groups - 1) + p is
// the end of the l-th link to the group that comes p + 1 after it, round the groups; slots are spread evenly over the
// group's routers in their order, so that no router has more than one end more than another, and the links to one group
// lie as far apart as can be.
//
// Routes. Within a group along the row to the right column, then along the column: two links at most. To another group
// by one link between the groups, and so to and from its ends. Among the links to that group the message takes number
// (position of its router in the group + row of the target) mod global_links: each is taken by equally many pairs
// (where the number divides), and neither neighbours that send to neighbours nor, where there are several rows, one
// router that sends to all take a few only. Where there are more of these links than routers in a group, the target's
// column, times the routers of a group, counts too, so that all are taken. Five links at most.
//
// Spread, a message takes all links between the two groups, the same part over each, and to and from their ends, or
// within a group, half along the row first and half along the column first. Minimal is a way with one link between
// groups at most (J. Kim, W. J. Dally, S. Scott, D. Abts, "Technology-Driven, Highly-Scalable Dragonfly Topology", ISCA
// 2008): such ways may differ in length.
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

/// Routers are numbered group after group, row after row. Throws std::invalid_argument where a number is below 1.
std::unique_ptr<const Fabric> make_dragonfly(const DragonflyShape& shape);

/// The tree that the nodes hang in. A group, a row or a router of which nothing hangs apart (a row of one router, a
/// router of one node) is not a level.
NetworkGroup tree_of(const DragonflyShape& shape);

/// "dragonfly of 2 groups of 6 x 16 routers, 4 nodes a router, 8 links between any two groups".
std::string describe(const DragonflyShape& shape);

}  // namespace strata
