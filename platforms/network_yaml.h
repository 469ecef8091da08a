// SPDX-License-Identifier: LGPL-2.1-only
// Reads and writes the network in machine.yaml: a tree of switches, or one of the forms in fabric_network.h.
#pragma once

#include <optional>

#include "base/keys.h"
#include "base/yaml_reader.h"
#include "platforms/fabric_form.h"
#include "platforms/fabric_network.h"
#include "platforms/network_ports.h"
#include "platforms/topology.h"

namespace strata {

struct NetworkDescription {
  NetworkGroup tree;  // the tree that contains the nodes
  std::optional<FabricNetwork> fabric;
  std::optional<NetworkPorts> ports;
};

/// Reads the key `network`. `inside` are the names of levels inside the nodes. Leaves the figures of fabric and ports
/// empty, and does not check whether the nodes have the objects of the ports.
/// Throws InputError with file, line and remedy.
NetworkDescription read_network(const YamlReader& network, const LevelNames& inside);

/// The allowed values of `network`.
Value network_value();

/// Reads the fabric's figures, the value of its key in `costs`.
void read_fabric_costs(const YamlReader& at, FabricNetwork& fabric);

/// Writes the value of `network`.
void emit_network(YAML::Emitter& out, const NetworkGroup& tree, const std::optional<FabricNetwork>& fabric,
                  const std::optional<NetworkPorts>& ports);

}  // namespace strata
