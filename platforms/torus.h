// SPDX-License-Identifier: LGPL-2.1-only
// Torus and mesh: routers on a grid, with a link each way between neighbours along each dimension. The network of Blue
// Waters (Gemini: R. Alverson, D. Roweth, L. Kaplan, "The Gemini System Interconnect", Hot Interconnects 2010).
//
// Routes are in dimension order, the first dimension first, and take the shorter direction in a dimension that wraps.
// If both directions are equally long, they alternate: up if the coordinates of both routers, except the target's in
// this dimension, add up to an even number. Over all routers both are then used equally often, and all links of a
// dimension carry the same under uniform traffic wherever that is possible (tests/platforms/fabric_test.cc).
//
// With spread routing, a message is spread evenly over all shortest routes, so it continues from each router in
// proportion to the hops left along each dimension. With r_i left along dimension i, there are (r_1 + r_2 + ...)! /
// (r_1! r_2! ...) routes, of which the part r_i / (r_1 + r_2 + ...) begins along i. If both directions of a dimension
// are equally long, each gets half.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "platforms/topology.h"

namespace strata {

class Fabric;

/// The largest number of dimensions: those of Tofu, whose names (x, y, z, a, b, c) are used.
inline constexpr int kMaxTorusDimensions = 6;

struct TorusShape {
  std::vector<int> dims;          // routers along each dimension
  std::vector<bool> wrap;         // by dimension: whether the last router is the first one's neighbour
  int nodes_per_router = 1;       //
  std::string router = "Router";  // name of the level of a router's nodes, if it has several
};

/// Routers are numbered in row-major order: the last coordinate changes fastest. A dimension of one router has no
/// links; a dimension of two that wraps has two links each way, as it has two cables. Throws std::invalid_argument if
/// the shape has no dimension or more than kMaxTorusDimensions, one below 1, or a wrong number of `wrap`.
std::unique_ptr<const Fabric> make_torus(const TorusShape& shape);

/// The tree that contains the nodes: routers with several nodes are a level, routers with one are not.
NetworkGroup tree_of(const TorusShape& shape);

/// "torus 24 x 24 x 24, 2 nodes a router", "mesh 4 x 4", "torus 4 x 4 x 2 (open in z)".
std::string describe(const TorusShape& shape);

}  // namespace strata
