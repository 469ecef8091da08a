// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/fabric_form.h"

#include "platforms/fabric.h"
#include "platforms/fabric_ways.h"
#include "platforms/machine_figures.h"

namespace strata {

const std::array<const FabricForm*, 4>& fabric_forms() {
  static const std::array<const FabricForm*, 4> all = {&torus_form(), &dragonfly_form(), &fat_tree_form(),
                                                       &switches_form()};
  return all;
}

bool is_own_name(const std::string& name, const LevelNames& inside, const std::set<std::string>& others) {
  return name != kClusterName && !others.contains(name) && !inside.contains(name);
}

void require_own_name(const YamlReader& fabric, const std::string& key, const std::string& name,
                      const LevelNames& inside, const std::set<std::string>& others) {
  if (is_own_name(name, inside, others)) return;
  const YamlReader at = fabric.has(key) ? fabric.at(key) : fabric;
  at.fail("'" + name + kNameOfAnother, "give `" + key + ": NAME` with a name of its own");
}

void require_own_names(const YamlReader& fabric, const std::string& key, const std::vector<std::string>& names,
                       const LevelNames& inside) {
  std::set<std::string> known;
  for (const std::string& name : names) {
    require_own_name(fabric, key, name, inside, known);
    known.insert(name);
  }
}

void require_at_most(const YamlReader& at, std::int64_t n, std::int64_t most, const std::string& what) {
  if (n > most) at.fail("has " + std::to_string(n) + " " + what, "give at most " + std::to_string(most));
}

int read_count(const YamlReader& at) { return static_cast<int>(at.integer()); }

Key routing_key(bool around) {
  std::vector<std::string> words = names_of(kRoutingWords);
  std::string meaning =
      "Which way a message takes where several are minimal: `minimal` is one of them, the same for the same pair at "
      "all "
      "times; `spread` is an equal part of its bytes over each";
  if (around) {
    meaning +=
        "; `adaptive` is as `spread`, or by way of another router, drawn for each message, where the minimal ways are "
        "so much fuller when it starts that their longer way around pays";
  } else {
    std::erase(words, word_of(kRoutingWords, Routing::kAdaptive));
  }
  return {.name = "routing",
          .value = Value::word(words, "routing"),
          .meaning = meaning + ".",
          .usual = word_of(kRoutingWords, Routing::kMinimal)};
}

Routing read_routing(const YamlReader& fabric) {
  return fabric.has("routing") ? *find_word(kRoutingWords, fabric.at("routing").text()) : Routing::kMinimal;
}

Keys<FabricNetwork> common_fabric_keys() { return keys_of(fabric_figures()); }

KeyOf<FabricNetwork> link_key(const std::string& kind, const std::string& meaning) {
  return {{.name = kind, .value = figure_value("bandwidth"), .meaning = meaning},
          [](const YamlReader& at, FabricNetwork& fabric) { fabric.links.push_back(read_figure(at, "bandwidth")); }};
}

KeyOf<FabricNetwork> links_key(const std::string& meaning, const std::string& of_each) {
  const std::string remedy = "give a figure for " + of_each;
  return {{.name = "links", .value = Value::list(figure_value("bandwidth")), .meaning = meaning, .missing = remedy},
          [remedy](const YamlReader& at, FabricNetwork& fabric) {
            const std::vector<YamlReader> links = at.items();
            const size_t kinds = fabric.fabric->kinds().size();
            if (links.size() != kinds) {
              at.fail("has " + std::to_string(links.size()) + " figures", remedy + ": " + std::to_string(kinds));
            }
            for (const YamlReader& item : links) fabric.links.push_back(read_figure(item, "bandwidth"));
          }};
}

void emit_name(YAML::Emitter& out, const char* key, const std::string& name) {
  out << YAML::Key << key << YAML::Value << YAML::DoubleQuoted << name;
}

void emit_names(YAML::Emitter& out, const char* key, const std::vector<std::string>& names) {
  out << YAML::Key << key << YAML::Value << YAML::Flow << YAML::BeginSeq;
  for (const std::string& name : names) out << YAML::DoubleQuoted << name;
  out << YAML::EndSeq;
}

void emit_count(YAML::Emitter& out, const char* key, int count) { out << YAML::Key << key << YAML::Value << count; }

}  // namespace strata
