// SPDX-License-Identifier: LGPL-2.1-only
// The links of a fabric that a message takes with the machine's routing.
#pragma once

#include <vector>

#include "base/words.h"
#include "platforms/fabric.h"
#include "platforms/fabric_network.h"

namespace strata {

/// Their names in machine.yaml.
inline constexpr Word<Routing> kRoutingWords[] = {
    {Routing::kMinimal, "minimal"}, {Routing::kSpread, "spread"}, {Routing::kAdaptive, "adaptive"}};

/// Appends the links that a message from node `from` to node `to` takes in an idle network, with the part of its bytes
/// on each: one route, or all minimal ones. None if both nodes have the same router.
void find_ways(const FabricNetwork& fabric, int from, int to, std::vector<Fabric::Part>& parts);

/// The same via router `via`: all minimal routes to it, and from it. A link on both halves has the sum of its parts.
void find_ways_around(const FabricNetwork& fabric, int from, int via, int to, std::vector<Fabric::Part>& parts);

}  // namespace strata
