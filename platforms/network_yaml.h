// SPDX-License-Identifier: LGPL-2.1-only
// Reads and writes the network in machine.yaml: a tree of switches, or one of the forms in fabric_network.h.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "platforms/fabric_network.h"
#include "platforms/keys.h"
#include "platforms/topology.h"
#include "platforms/yaml_reader.h"

namespace strata {

/// The file of switches in a machine's folder.
inline constexpr const char* kFabricFile = "fabric.txt";

struct NetworkDescription {
  NetworkGroup tree;  // the tree that contains the nodes
  std::optional<FabricNetwork> fabric;
};

/// The names of levels inside the nodes, which network levels must not use.
using LevelNames = std::set<std::string>;

/// Reads the key `network`. `inside` are the names of levels inside the nodes. Leaves the fabric's figures empty.
/// Throws InputError with file, line and remedy.
NetworkDescription read_network(const YamlReader& network, const LevelNames& inside);

/// The allowed values of `network`.
Value network_value();

/// The allowed values of the key `torus`, `dragonfly`, `fat_tree` or `switches` of `costs`.
Value fabric_cost_value(const std::string& type);

/// Reads the fabric's figures, the value of that key.
void read_fabric_costs(const YamlReader& at, FabricNetwork& fabric);

/// Writes the value of `network`.
void emit_network(YAML::Emitter& out, const NetworkGroup& tree, const std::optional<FabricNetwork>& fabric);

/// Writes the key `torus`, `dragonfly`, `fat_tree` or `switches` of `costs`, and its figures.
void emit_fabric_costs(YAML::Emitter& out, const FabricNetwork& fabric);

}  // namespace strata
