// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/page/traffic_json.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <utility>

#include "analysis/point_traffic.h"
#include "records/levels.h"

namespace strata::analysis {
namespace {

// Use of the links in one direction, with a value for each vertex.
struct Column {
  std::vector<double> bytes, utilisation;
  std::vector<long> messages;

  void resize(size_t size) {
    bytes.resize(size);
    utilisation.resize(size);
    messages.resize(size);
  }
  void set(size_t at, const LinkTraffic& l) {
    bytes[at] = l.bytes;
    utilisation[at] = l.utilisation;
    messages[at] = l.messages;
  }
  Json json() const { return {{"bytes", bytes}, {"messages", messages}, {"utilisation", utilisation}}; }
};

Json link_json(const LinkTraffic& l) {
  return {
      {"link", l.link},   {"level", l.level},       {"direction", l.direction},    {"capacity_bytes_per_s", l.capacity},
      {"bytes", l.bytes}, {"messages", l.messages}, {"utilisation", l.utilisation}};
}

// Groups the ranks below the vertices of one level, in the order of the tree.
struct Grouping {
  std::string by;
  std::vector<int> group;  // by rank
  std::vector<int> entry;  // by group: its entry in the page's machine
};

// For each rank, the vertex with this name above its core; empty if some rank has none.
std::vector<int> vertices_named(const Topology& t, const RankOrder& order, const std::string& name) {
  std::vector<int> vertices;
  for (const int core : order.cores) {
    int v = t.cores()[core];
    while (v >= 0 && t.name(v) != name) v = t.parent(v);
    if (v < 0) return {};
    vertices.push_back(v);
  }
  return vertices;
}

// All levels that divide the ranks, innermost first. Of several levels with the same groups, the outermost is used.
std::vector<Grouping> groupings(const ShownMachine& machine, const RankOrder& order) {
  const Topology& t = *machine.machine().topology;
  std::vector<std::string> names;
  for (int v = t.cores()[order.cores.front()]; v > 0; v = t.parent(v)) names.push_back(t.name(v));
  std::vector<Grouping> all;
  for (const std::string& name : names) {
    const std::vector<int> vertices = vertices_named(t, order, name);
    const std::set<int> different(vertices.begin(), vertices.end());
    if (different.size() < 2 || different.size() == order.cores.size()) continue;
    if (!all.empty() && all.back().entry.size() == different.size()) all.pop_back();
    Grouping g{.by = name, .group = {}, .entry = {}};
    for (const int v : different) g.entry.push_back(machine.entry(v));
    for (const int v : vertices)
      g.group.push_back(static_cast<int>(std::distance(different.begin(), different.find(v))));
    all.push_back(std::move(g));
  }
  return all;
}

struct Cell {
  double bytes = 0, messages = 0;
};
using Cells = std::map<std::pair<int, int>, Cell>;

// The sums over groups of ranks, with `per_cell` adjacent groups in each cell.
Cells sums(const Pattern& bytes, const Pattern& messages, const std::vector<int>& group, int per_cell) {
  Cells cells;
  const auto add = [&](const Pattern& pattern, double Cell::*field) {
    for (int from = 0; from < pattern.order(); ++from) {
      const auto peers = pattern.peers(from);
      const auto values = pattern.bytes(from);
      for (size_t i = 0; i < peers.size(); ++i)
        cells[{group[from] / per_cell, group[peers[i]] / per_cell}].*field += values[i];
    }
  };
  add(bytes, &Cell::bytes);
  add(messages, &Cell::messages);
  return cells;
}

Json view_json(const std::string& by, const Pattern& bytes, const Pattern& messages, const std::vector<int>& group,
               int groups, size_t most_cells) {
  int per_cell = (groups + kMostMatrixSide - 1) / kMostMatrixSide;
  Cells cells = sums(bytes, messages, group, per_cell);
  while (cells.size() > most_cells) cells = sums(bytes, messages, group, per_cell *= 2);
  std::vector<int> row, column;
  std::vector<double> sent, count;
  for (const auto& [place, cell] : cells) {
    row.push_back(place.first);
    column.push_back(place.second);
    sent.push_back(cell.bytes);
    count.push_back(cell.messages);
  }
  return {{"by", by},         {"per_cell", per_cell}, {"groups", groups}, {"row", row},
          {"column", column}, {"bytes", sent},        {"messages", count}};
}

double total(const Pattern& pattern) {
  double sum = 0;
  for (int rank = 0; rank < pattern.order(); ++rank) {
    const auto row = pattern.bytes(rank);
    sum = std::accumulate(row.begin(), row.end(), sum);
  }
  return sum;
}

}  // namespace

Json links_json(const ShownMachine& machine, const std::vector<LinkTraffic>& links) {
  std::map<int, size_t> place;  // by entry
  for (const LinkTraffic& l : links) {
    if (l.direction != "up" && l.direction != "down") continue;
    const int vertex = machine.vertex_of_link(l.link);
    if (vertex >= 0 && machine.entry(vertex) >= 0) place.emplace(machine.entry(vertex), 0);
  }
  std::vector<int> entries;
  for (auto& [entry, at] : place) {
    at = entries.size();
    entries.push_back(entry);
  }
  std::vector<std::pair<std::string, double>> kinds;
  std::vector<int> kind_of(entries.size(), -1);
  Column up, down;
  up.resize(entries.size());
  down.resize(entries.size());
  std::vector<LinkTraffic> across;
  for (const LinkTraffic& l : links) {
    if (l.direction == "across" || l.level == kPortLevel) across.push_back(l);
    if (l.direction != "up" && l.direction != "down") continue;
    const int vertex = machine.vertex_of_link(l.link);
    if (vertex < 0 || machine.entry(vertex) < 0) continue;
    const size_t at = place.at(machine.entry(vertex));
    (l.direction == "up" ? up : down).set(at, l);
    const std::pair<std::string, double> kind(l.level, l.capacity);
    auto known = std::find(kinds.begin(), kinds.end(), kind);
    if (known == kinds.end()) known = kinds.insert(kinds.end(), kind);
    kind_of[at] = static_cast<int>(known - kinds.begin());
  }
  std::stable_sort(across.begin(), across.end(),
                   [](const LinkTraffic& a, const LinkTraffic& b) { return a.utilisation > b.utilisation; });
  const size_t left_out = across.size() - std::min(across.size(), kMostFabricLinks);
  across.resize(across.size() - left_out);
  Json json = {{"kinds", Json::array()},
               {"entry", entries},
               {"kind", kind_of},
               {"up", up.json()},
               {"down", down.json()},
               {"across", Json::array()},
               {"across_left_out", left_out},
               {"levels", Json::array()}};
  for (const auto& [level, capacity] : kinds)
    json["kinds"].push_back({{"level", level}, {"capacity_bytes_per_s", capacity}});
  for (const LinkTraffic& l : across) json["across"].push_back(link_json(l));
  for (const LevelTraffic& l : summarize_links(links).levels) {
    json["levels"].push_back({{"level", l.level},
                              {"links", l.links},
                              {"used", l.used},
                              {"bytes", l.bytes},
                              {"mean_utilisation", l.mean},
                              {"largest_utilisation", l.most}});
  }
  return json;
}

Json samples_json(const ShownMachine& machine, const std::vector<LinkTraffic>& links,
                  const std::vector<LinkSample>& samples) {
  std::map<std::pair<std::string, std::string>, std::string> level_of;  // by link and direction
  std::vector<std::string> levels;
  for (const LinkTraffic& l : links) {
    level_of[{l.link, l.direction}] = l.level;
    if (std::find(levels.begin(), levels.end(), l.level) == levels.end()) levels.push_back(l.level);
  }
  std::vector<double> until;
  for (const LinkSample& s : samples) until.push_back(s.until_s);
  std::sort(until.begin(), until.end());
  until.erase(std::unique(until.begin(), until.end()), until.end());
  std::map<std::string, std::vector<double>> by_level;
  struct Series {
    std::vector<long> at;
    std::vector<double> bytes;
  };
  std::map<std::pair<int, std::string>, Series> by_link;
  const bool each = samples.size() <= kMostSamples;
  for (const LinkSample& s : samples) {
    const long at = std::lower_bound(until.begin(), until.end(), s.until_s) - until.begin();
    const auto level = level_of.find({s.link, s.direction});
    if (level != level_of.end()) {
      std::vector<double>& sum = by_level[level->second];
      sum.resize(until.size());
      sum[at] += s.bytes;
    }
    const int vertex = machine.vertex_of_link(s.link);
    if (!each || vertex < 0 || machine.entry(vertex) < 0) continue;
    if (s.direction != "up" && s.direction != "down") continue;
    Series& series = by_link[{machine.entry(vertex), s.direction}];
    series.at.push_back(at);
    series.bytes.push_back(s.bytes);
  }
  Json json = {{"until_s", until}, {"levels", Json::array()}, {"links", Json::array()}, {"links_left_out", !each}};
  for (const std::string& level : levels) {
    if (by_level.contains(level)) json["levels"].push_back({{"level", level}, {"bytes", by_level.at(level)}});
  }
  for (const auto& [link, series] : by_link) {
    json["links"].push_back(
        {{"entry", link.first}, {"direction", link.second}, {"at", series.at}, {"bytes", series.bytes}});
  }
  return json;
}

RankOrder::RankOrder(std::vector<int> cores_by_rank)
    : cores(std::move(cores_by_rank)), rank_at(cores.size()), position(cores.size()) {
  std::iota(rank_at.begin(), rank_at.end(), 0);
  std::stable_sort(rank_at.begin(), rank_at.end(), [&](int a, int b) { return cores[a] < cores[b]; });
  for (size_t p = 0; p < rank_at.size(); ++p) position[rank_at[p]] = static_cast<int>(p);
}

Json matrix_json(const ShownMachine& machine, const RankOrder& order, const Pattern& bytes, const Pattern& messages,
                 size_t most_cells) {
  const int ranks = static_cast<int>(order.cores.size());
  Json views = Json::array({view_json("rank", bytes, messages, order.position, ranks, most_cells)});
  for (const Grouping& g : groupings(machine, order)) {
    Json view = view_json(g.by, bytes, messages, g.group, static_cast<int>(g.entry.size()), most_cells);
    view["entry"] = g.entry;
    views.push_back(std::move(view));
  }
  return {{"ranks", ranks}, {"bytes", total(bytes)}, {"messages", total(messages)}, {"views", std::move(views)}};
}

}  // namespace strata::analysis
