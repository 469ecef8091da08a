// SPDX-License-Identifier: LGPL-2.1-only
// Costs of a machine without figures, all marked `assumed`.
#pragma once

#include <string>
#include <vector>

#include "platforms/machine.h"

namespace strata {

/// The levels at which cores meet: vertices with cores below at least two children.
std::vector<std::string> branching_levels(const Topology& topology);

/// Default orders of magnitude for every cost.
void assume_costs(Machine& machine);

/// The costs of `known`, or the default ones where it is null, for a machine on another network. Levels of a network
/// have those of the outermost level of the network of `known`. On a tree a link above several nodes carries as much as
/// their links together. On a fabric `known` also gives the nodes' injection; the other figures are the fabric's.
void assume_network_costs(const Machine* known, Machine& machine);

}  // namespace strata
