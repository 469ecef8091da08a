// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/list.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "platforms/draw_fold.h"
#include "platforms/draw_json.h"
#include "platforms/error.h"
#include "platforms/fabric.h"
#include "platforms/machine.h"
#include "platforms/memory.h"

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

Row row_of(const std::string& name, const Figure& f) { return {name, fmt::format("{} {}", f.value, f.unit), f.source}; }

std::vector<Row> rows_of(const Machine& m) {
  std::vector<Row> rows = {row_of("core: speed", m.core_speed), row_of("core: copy_bandwidth", m.copy_bandwidth),
                           row_of("core: combine_bandwidth", m.combine_bandwidth()),
                           row_of("eager_limit", m.eager_limit), row_of("copies", m.copies())};
  if (m.polling) rows.push_back(row_of("polling", *m.polling));
  if (m.memory) {
    rows.push_back(row_of("memory: bandwidth", m.memory->bandwidth));
    rows.push_back(row_of("memory: combine_bandwidth", memory_combine_bandwidth(*m.memory)));
    rows.push_back(row_of("memory: cache_bandwidth", cache_bandwidth(m)));
  }
  if (m.fabric) {
    const std::string type = m.fabric->type();
    rows.push_back(row_of(type + ": hop_latency", m.fabric->hop_latency));
    rows.push_back(row_of(type + ": injection", m.fabric->injection));
    for (size_t k = 0; k < m.fabric->links.size(); ++k) {
      const std::string& kind = m.fabric->fabric->kinds()[k];
      rows.push_back(row_of(type + ": " + kind + (type == "dragonfly" ? "" : " links"), m.fabric->links[k]));
    }
  }
  for (const LevelCosts& c : m.levels) {
    rows.push_back(row_of(c.level + ": latency", c.latency));
    rows.push_back(row_of(c.level + ": overhead", c.overhead));
    rows.push_back(row_of(c.level + ": bandwidth", c.bandwidth));
    if (!m.shares_injection(c.level)) rows.push_back(row_of(c.level + ": link_bandwidth", c.link_bandwidth));
    for (const Segment& s : c.segments) {
      const std::string from = fmt::format("{} from {} {}: ", c.level, s.from.value, s.from.unit);
      rows.push_back(row_of(from + "latency", s.latency));
      rows.push_back(row_of(from + "overhead", s.overhead));
      rows.push_back(row_of(from + "bandwidth", s.bandwidth));
    }
    if (c.duplex_bandwidth) rows.push_back(row_of(c.level + ": duplex_bandwidth", *c.duplex_bandwidth));
    if (c.gap) rows.push_back(row_of(c.level + ": gap", *c.gap));
  }
  return rows;
}

}  // namespace

std::string list_machines_text(const std::filesystem::path& catalog) {
  std::string text;
  for (const Machine& m : load_catalog(catalog)) {
    if (!text.empty()) text += "\n";
    text += fmt::format("{}  {}, {}{}\n", m.name, counted(m.topology->num_nodes(), "node"),
                        counted(static_cast<int>(m.topology->cores().size()), "core"),
                        m.fabric ? "; " + m.fabric->describe() : "");
    text += "  " + m.description + "\n  " + m.source + "\n";
    const std::vector<Row> rows = rows_of(m);
    size_t figure = 0, value = 0;
    for (const Row& r : rows) {
      figure = std::max(figure, r.figure.size());
      value = std::max(value, r.value.size());
    }
    for (const Row& r : rows)
      text += fmt::format("    {:<{}}  {:>{}}  {}\n", r.figure, figure, r.value, value, r.source);
  }
  return text;
}

nlohmann::ordered_json list_machines_json(const std::filesystem::path& catalog) {
  nlohmann::ordered_json json = {{"schema", "strata.machines/1"}, {"machines", nlohmann::ordered_json::array()}};
  for (const Machine& m : load_catalog(catalog)) {
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
