// SPDX-License-Identifier: LGPL-2.1-only
// Default costs for a machine without figures. All are marked `assumed`.
#pragma once

#include <string>
#include <vector>

#include "platforms/machine.h"

namespace strata {

/// The levels at which cores meet: names of vertices with cores below at least two children.
std::vector<std::string> branching_levels(const Topology& topology);

/// Sets every cost to a default order of magnitude.
void assume_costs(Machine& machine);

/// Sets the costs of a machine on another network to those of `known`, or to the default ones if it is null. All
/// network levels get the costs of the outermost network level of `known`. On a tree, a link above several nodes
/// carries as much as their links together. On a fabric, `known` also gives the nodes' injection; the other figures are
/// the fabric's.
void assume_network_costs(const Machine* known, Machine& machine);

}  // namespace strata
