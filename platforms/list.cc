// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "platforms/draw_fold.h"
#include "platforms/draw_json.h"
#include "platforms/machine.h"
#include "platforms/machine_figures.h"
#include "platforms/network_text.h"

namespace strata {
namespace {

std::vector<Machine> load_catalog(const std::filesystem::path& catalog) {
  std::vector<Machine> machines;
  for (const std::string& name : catalog_names(catalog)) machines.push_back(find_machine(name, catalog));
  if (machines.empty()) {
    throw InputError(catalog.string(), "has no machines", "give a folder with NAME/machine.yaml in it");
  }
  return machines;
}

struct Row {
  std::string figure, value, source;
};

std::vector<Row> rows_of(const Machine& m) {
  std::vector<Row> rows;
  for (const PlacedFigure& f : figures_of(m)) {
    const std::optional<Figure>& shown = f.stated || !f.is_listed_unstated ? f.stated : f.otherwise;
    const bool begins_segment = f.name.ends_with(".from");  // it is in the titles of the segment's others
    if (!shown || !f.stated_here || begins_segment) continue;
    rows.push_back({f.title, fmt::format("{} {}", shown->value, shown->unit), shown->source});
  }
  return rows;
}

}  // namespace

std::string list_machines_text(const std::filesystem::path& catalog) {
  const std::vector<Machine> machines = load_catalog(catalog);
  std::vector<std::array<std::string, 4>> rows;
  std::array<size_t, 3> width{};
  for (const Machine& m : machines) {
    rows.push_back({m.name, counted(m.topology->num_nodes(), "node"),
                    counted(static_cast<int>(m.topology->cores().size()), "core"), m.description});
    for (size_t i = 0; i < width.size(); ++i) width[i] = std::max(width[i], rows.back()[i].size());
  }
  std::string text;
  for (const auto& [name, nodes, cores, description] : rows)
    text += fmt::format("{:<{}}  {:>{}}  {:>{}}  {}\n", name, width[0], nodes, width[1], cores, width[2], description);
  return text;
}

std::string machine_figures_text(const Machine& m) {
  const std::string network = network_text(m);
  std::string text =
      fmt::format("{}  {}, {}{}\n", m.name, counted(m.topology->num_nodes(), "node"),
                  counted(static_cast<int>(m.topology->cores().size()), "core"), network.empty() ? "" : "; " + network);
  text += "  " + m.description + "\n  " + m.source + "\n";
  const std::vector<Row> rows = rows_of(m);
  size_t figure = 0, value = 0;
  for (const Row& r : rows) {
    figure = std::max(figure, r.figure.size());
    value = std::max(value, r.value.size());
  }
  for (const Row& r : rows) text += fmt::format("    {:<{}}  {:>{}}  {}\n", r.figure, figure, r.value, value, r.source);
  return text;
}

nlohmann::ordered_json list_machines_json(const std::filesystem::path& catalog) {
  return machines_json(load_catalog(catalog));
}

nlohmann::ordered_json machines_json(const std::vector<Machine>& machines) {
  nlohmann::ordered_json json = {{"schema", "strata.machines/1"}, {"machines", nlohmann::ordered_json::array()}};
  for (const Machine& m : machines) {
    json["machines"].push_back({{"name", m.name},
                                {"description", m.description},
                                {"source", m.source},
                                {"nodes", m.topology->num_nodes()},
                                {"cores", m.topology->cores().size()},
                                {"hash", machine_hash(m)},
                                {"costs", costs_json(m)}});
    if (m.fabric) json["machines"].back()["network"] = network_json(*m.fabric);
  }
  return json;
}

}  // namespace strata
