// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/page/machine_json.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "platforms/draw_fold.h"
#include "platforms/draw_json.h"
#include "platforms/fabric.h"
#include "platforms/network_text.h"

namespace strata::analysis {
namespace {

std::optional<int> number(std::string_view digits) {
  int value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size() || value < 0) return {};
  return value;
}

// The number after `before`, if the text begins with it.
std::optional<int> number_behind(std::string_view before, std::string_view text) {
  return text.starts_with(before) ? number(text.substr(before.size())) : std::nullopt;
}

}  // namespace

ShownMachine::ShownMachine(const Machine& machine, const std::vector<int>& cores) : machine_(machine) {
  const Topology& t = *machine.topology;
  std::vector<bool> shown(t.num_vertices(), t.num_vertices() <= kMostVertices);
  for (const int core : cores) {
    for (int v = t.cores()[core]; v >= 0 && !shown[v]; v = t.parent(v)) shown[v] = true;
  }
  shown[0] = true;
  entry_.assign(t.num_vertices(), -1);
  for (int v = 0; v < t.num_vertices(); ++v) {
    if (!shown[v]) continue;
    entry_[v] = static_cast<int>(vertex_.size());
    vertex_.push_back(v);
  }
}

int ShownMachine::vertex_of_link(const std::string& link) const {
  const Topology& t = *machine_.topology;
  const size_t hash = link.rfind('#');
  if (hash != std::string::npos) {
    const std::optional<int> vertex = number(std::string_view(link).substr(hash + 1));
    return vertex && *vertex < t.num_vertices() ? *vertex : -1;
  }
  const std::string_view text = link;
  const size_t dot = text.find('.');
  const std::optional<int> node = number_behind("node", text.substr(0, dot));
  if (!node || *node >= t.num_nodes()) return -1;
  const int machine = t.node_vertex(*node);
  if (dot == std::string_view::npos) return machine;
  const std::optional<int> core = number_behind("core", text.substr(dot + 1));
  if (!core || *core >= t.num_cores(machine)) return -1;
  return t.cores()[t.first_core(machine) + *core];
}

Json ShownMachine::json() const {
  const Topology& t = *machine_.topology;
  const Folding folding(t);
  std::vector<std::string> names;
  std::vector<int> name, parent, index, core;
  for (const int v : vertex_) {
    auto known = std::find(names.begin(), names.end(), t.name(v));
    if (known == names.end()) known = names.insert(names.end(), t.name(v));
    name.push_back(static_cast<int>(known - names.begin()));
    parent.push_back(v == 0 ? -1 : entry_[t.parent(v)]);
    const NodeObject* object = t.object(v);
    const bool is_core = object != nullptr && object->is_core;
    core.push_back(is_core ? t.first_core(v) : -1);
    if (object == nullptr) {
      index.push_back(folding.network_index(v));
    } else if (object->type == ObjectType::kMachine) {
      index.push_back(t.node(v));
    } else if (is_core) {
      index.push_back(t.first_core(v) - t.first_core(t.node_vertex(t.node(v))));
    } else {
      index.push_back(object->logical_index);
    }
  }
  return {{"name", machine_.name},
          {"description", machine_.description},
          {"source", machine_.source},
          {"network", network_text(machine_)},
          {"nodes", t.num_nodes()},
          {"cores", t.cores().size()},
          {"left_out", t.num_vertices() - static_cast<int>(vertex_.size())},
          {"names", names},
          {"name_of", name},
          {"parent", parent},
          {"index", index},
          {"core", core},
          {"vertex", vertex_},
          {"costs", costs_json(machine_)}};
}

}  // namespace strata::analysis
