// SPDX-License-Identifier: LGPL-2.1-only
// How each kind of fabric is written in files: its key and shape in `network` of a machine.yaml, its figures in
// `costs`, and its shape as JSON. A kind of fabric is one file that defines a FabricForm (torus_form.cc), and a row of
// fabric_forms(). No other file compares the names of kinds.
#pragma once

#include <yaml-cpp/yaml.h>

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <vector>

#include "base/keys.h"
#include "base/yaml_reader.h"
#include "platforms/fabric_network.h"
#include "platforms/figure_yaml.h"
#include "platforms/topology.h"

namespace strata {

/// The file of switches in a machine's folder.
inline constexpr const char* kFabricFile = "fabric.txt";

/// Names that the levels of a network must not have: those of the levels inside the nodes.
using LevelNames = std::set<std::string>;

struct FabricForm {
  /// How the figures of the links are written: a list in the order of the kinds (`links: [F, F]`), a key for each kind
  /// beside hop_latency and injection (`row: F`), or a mapping by kind (`links: {4xEDR: F}`).
  enum class Links { kList, kByKind, kMapping };

  const char* key;           // in machine.yaml: "fat_tree"
  const char* noun;          // "fat tree"
  const char* with_article;  // "a fat tree"
  Links links;
  Key network_key;  // the row of `network`
  Value cost_value;
  /// Reads the value of the key. The figures are left empty. Throws InputError.
  FabricNetwork (*read)(const YamlReader& at, const LevelNames& inside);
  /// The keys of the figures; for kByKind, of all kinds of links that such a fabric may have.
  Keys<FabricNetwork> (*cost_keys)();
  /// Writes the pairs of the shape's mapping.
  void (*emit)(YAML::Emitter& out, const FabricNetwork& fabric);
  nlohmann::ordered_json (*json)(const FabricNetwork& fabric);
};

/// In the order of FabricNetwork::shape.
const std::array<const FabricForm*, 4>& fabric_forms();

const FabricForm& torus_form();
const FabricForm& dragonfly_form();
const FabricForm& fat_tree_form();
const FabricForm& switches_form();

// --- for the files of the forms ------------------------------------------------------------------------------------

/// As for nodes, this refuses typing errors instead of attempting them.
inline constexpr std::int64_t kMaxLinks = 10'000'000;

/// Costs refer to levels by name, so a network level must not have the name of the root, of an object inside the nodes,
/// or of one of `others`.
bool is_own_name(const std::string& name, const LevelNames& inside, const std::set<std::string>& others);

inline constexpr const char* kNameOfAnother = "' is the name of another level of this machine";

/// Checks the name of a fabric's level, whether given under `key` or default. Throws InputError.
void require_own_name(const YamlReader& fabric, const std::string& key, const std::string& name,
                      const LevelNames& inside, const std::set<std::string>& others);
/// The same for a list of names, which also differ from each other.
void require_own_names(const YamlReader& fabric, const std::string& key, const std::vector<std::string>& names,
                       const LevelNames& inside);

/// Throws InputError: "has N WHAT; give at most MOST".
void require_at_most(const YamlReader& at, std::int64_t n, std::int64_t most, const std::string& what);

int read_count(const YamlReader& at);

/// The row of `routing`, whose value read_routing reads. `around`: whether messages can be sent around.
Key routing_key(bool around);
Routing read_routing(const YamlReader& fabric);

/// The keys that all fabrics have.
Keys<FabricNetwork> common_fabric_keys();
/// The key of the figure of one kind of links.
KeyOf<FabricNetwork> link_key(const std::string& kind, const std::string& meaning);
/// The key for a list with a figure for each kind of link.
KeyOf<FabricNetwork> links_key(const std::string& meaning, const std::string& of_each);

void emit_name(YAML::Emitter& out, const char* key, const std::string& name);
void emit_names(YAML::Emitter& out, const char* key, const std::vector<std::string>& names);
void emit_count(YAML::Emitter& out, const char* key, int count);

}  // namespace strata
