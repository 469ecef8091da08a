// SPDX-License-Identifier: LGPL-2.1-only
// Torus and mesh: routers on a grid, a link each way between neighbours along each dimension. The network of Blue
// Waters (Gemini: R. Alverson, D. Roweth, L. Kaplan, "The Gemini System Interconnect", Hot Interconnects 2010).
//
// Routes are in dimension order, the first dimension first, and take the shorter way round a dimension that wraps.
// Where both ways are as long, they alternate: up where the coordinates of both routers, except the target's in this
// dimension, add up to an even number. So over all routers both are taken equally often, and a dimension's links carry
// the same under uniform traffic wherever that can be (tests/platforms/fabric_test.cc).
//
// Spread evenly over all shortest ways, a message goes on from each router in proportion to the hops left along each
// dimension: with r_i left along dimension i, (r_1 + r_2 + ...)! / (r_1! r_2! ...) ways lead on, and of these the part
// r_i / (r_1 + r_2 + ...) begins along i. Where both ways round a dimension are as long, half of it takes either.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "platforms/topology.h"

namespace strata {

class Fabric;

/// The most dimensions: Tofu's six, whose names (x, y, z, a, b, c) the dimensions have.
inline constexpr int kMaxTorusDimensions = 6;

struct TorusShape {
  std::vector<int> dims;          // routers along each dimension
  std::vector<bool> wrap;         // by dimension: whether the last router is the first one's neighbour
  int nodes_per_router = 1;       //
  std::string router = "Router";  // what the level of the nodes of one router is called, where they are several
};

/// Routers are numbered in row-major order: the last coordinate changes fastest. A dimension of one router has no
/// links; one of two that wraps has two links each way, as it has two cables. Throws std::invalid_argument where the
/// shape has no dimension or more than kMaxTorusDimensions, one below 1, or not as many `wrap`.
std::unique_ptr<const Fabric> make_torus(const TorusShape& shape);

/// The tree that the nodes hang in: routers of several nodes are a level, of one are none.
NetworkGroup tree_of(const TorusShape& shape);

/// "torus 24 x 24 x 24, 2 nodes a router", "mesh 4 x 4", "torus 4 x 4 x 2 (open in z)".
std::string describe(const TorusShape& shape);

}  // namespace strata
