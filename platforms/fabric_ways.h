// SPDX-License-Identifier: LGPL-2.1-only
// Which links of a fabric a message takes by the machine's routing.
#pragma once

#include <vector>

#include "platforms/fabric.h"
#include "platforms/fabric_network.h"
#include "platforms/words.h"

namespace strata {

/// As machine.yaml calls them.
inline constexpr Word<Routing> kRoutingWords[] = {
    {Routing::kMinimal, "minimal"}, {Routing::kSpread, "spread"}, {Routing::kAdaptive, "adaptive"}};

/// Appends the links that a message from node `from` to node `to` takes in an idle network, with the part
/// of its bytes that each gets: one way, or all minimal ones. Nothing where both nodes have one router.
void find_ways(const FabricNetwork& fabric, int from, int to, std::vector<Fabric::Part>& parts);

/// The same by way of router `via`: all minimal ways there, and on from there. A link of both has both parts.
void find_ways_around(const FabricNetwork& fabric, int from, int via, int to, std::vector<Fabric::Part>& parts);

}  // namespace strata
