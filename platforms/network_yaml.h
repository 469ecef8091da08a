// SPDX-License-Identifier: LGPL-2.1-only
// The network in machine.yaml, a tree of switches or what fabric_network.h shows: reading and writing.
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
  NetworkGroup tree;  // that the nodes hang in
  std::optional<FabricNetwork> fabric;
};

/// The names of levels inside the nodes, which levels of the network must not have.
using LevelNames = std::set<std::string>;

/// Of the key `network`. `inside` are the names of levels inside the nodes. Leaves the
/// fabric's figures empty. Throws InputError with file, line and remedy.
NetworkDescription read_network(const YamlReader& network, const LevelNames& inside);

/// What the value of `network` may be.
Value network_value();

/// The values that the key `torus`, `dragonfly`, `fat_tree` or `switches` of `costs` may be.
Value fabric_cost_value(const std::string& type);

/// The fabric's figures, of that key.
void read_fabric_costs(const YamlReader& at, FabricNetwork& fabric);

/// The value of `network`.
void emit_network(YAML::Emitter& out, const NetworkGroup& tree, const std::optional<FabricNetwork>& fabric);

/// The key `torus`, `dragonfly`, `fat_tree` or `switches` of `costs`, and its figures.
void emit_fabric_costs(YAML::Emitter& out, const FabricNetwork& fabric);

}  // namespace strata
