// SPDX-License-Identifier: LGPL-2.1-only
// Patterns and trees for the tests of rank mapping.
#pragma once

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "check/areas/patterns.h"
#include "check/areas/slow_mapping.h"
#include "mpi_ext/reorder/place_tree.h"
#include "platforms/topology.h"
#include "records/matrix/pattern.h"

namespace strata::mpix::testing {

using Engine = std::mt19937_64;
using check::below;
using check::identity_of;
using check::shuffled;

/// Ranks on the cores of a machine (parse_tree), in order.
inline PlaceTree packed(const std::string& machine) {
  const std::shared_ptr<const Topology> topology = parse_tree(machine);
  return place_tree(*topology, {topology->cores().begin(), topology->cores().end()});
}

inline Pattern random_pattern(int order, int per_rank, int most, Engine& engine) {
  return {order, check::random_flows(order, per_rank, most, engine)};
}

inline Pattern stencil(const std::vector<int>& dims, const std::vector<int>& name) {
  return {static_cast<int>(name.size()), check::stencil(dims, name)};
}

/// The number of edges between any two processes, counted as in place_tree.h.
inline check::HopTable hop_table(const PlaceTree& tree) {
  return {static_cast<int>(tree.place.size()), [&](int a, int b) { return hops(tree, a, b); }};
}

}  // namespace strata::mpix::testing
