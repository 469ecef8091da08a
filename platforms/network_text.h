// SPDX-License-Identifier: LGPL-2.1-only
// The parts of a network that its tree does not show, as text for drawings and lists: the shape of a torus, the ports
// of the nodes.
//
//   "dragonfly of 9 groups ...; 2 ports a node, at Package 0, Package 1, 100 Gb/s each"
#pragma once

#include <map>
#include <string>

#include "platforms/machine.h"

namespace strata {

/// Its shape if it is not a tree, and the ports of a node. Empty for a tree of nodes with a single port.
std::string network_text(const Machine& machine);

/// "2 ports a node, at Package 0, Package 1, 100 Gb/s each".
std::string describe(const NetworkPorts& ports);

/// By vertex: the text of drawings about the ports there, "port 0: 100 Gb/s" or "ports 0, 1: 100 Gb/s each". Empty if
/// the machine has no ports.
std::map<int, std::string> port_labels(const Machine& machine);

}  // namespace strata
