// SPDX-License-Identifier: LGPL-2.1-only
// The placement of progress threads: the core of each rank's thread, by the policies of IJHPCA'19, Sections 4 and 5.
//
// A communication core is a core that runs no rank. map_by "spread" (placement.h) leaves evenly spread communication
// cores in each NUMA node: with n ranks on N cores, those at positions ceil(k N / (N - n)) - 1, k = 1 to N - n.
#pragma once

#include <string>
#include <vector>

#include "platforms/placement.h"
#include "platforms/topology.h"

namespace strata {

/// The binding of each rank's progress thread, by rank. Policies:
///   bind      the rank's own core
///   numa      the first communication core after the rank's core in its NUMA node, or the last one if none comes after
///             it; the rank's own core if its NUMA node has none. For spread ranks this is Equation 1.
///   odd-even  communication core number (r mod their number) of the node, in order, where r is the rank's index among
///             those on its node. For spread ranks on one NUMA node this is Equation 2, which requires that p - n
///             divides p; this definition has no such requirement.
///   a list    "31,63" or "31,63,31": OS indexes of PUs on the rank's node, one core each; element (r mod their number)
/// Throws InputError (place `option`): an unknown policy, a malformed list, a PU that does not exist, a core that runs
/// a rank (in a list), no core left for communication (odd-even).
std::vector<Binding> place_progress(const Topology& topology, const std::vector<Binding>& ranks,
                                    const std::string& policy, const std::string& option = "--placement");

/// The number of different cores in a list of bindings.
int count_cores(const std::vector<Binding>& bindings);

}  // namespace strata
