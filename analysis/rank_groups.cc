// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/rank_groups.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <set>
#include <utility>

#include "base/error.h"

namespace strata::analysis {
namespace {

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// The name of a level for users, in lower case.
std::string name_for_users(const Topology& t, int v) {
  if (t.type(v) == ObjectType::kMachine) return "node";
  if (t.type(v) == ObjectType::kNumaNode) return "numa";
  if (t.object(v) != nullptr && t.object(v)->is_core) return "core";
  return lower(t.name(v));
}

// "node, package, numa, core": from the outermost level to the core.
std::string levels_above(const Topology& t, int core) {
  std::string list;
  for (int v = core; v > 0; v = t.parent(v)) list = name_for_users(t, v) + (list.empty() ? "" : ", ") + list;
  return list;
}

// Numbers the vertices that have ranks.
RankGroups numbered(std::string level, const std::vector<int>& vertex) {
  std::vector<int> all = vertex;
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  RankGroups g{std::move(level), {}, static_cast<int>(all.size())};
  g.group.reserve(vertex.size());
  for (const int v : vertex) {
    g.group.push_back(static_cast<int>(std::lower_bound(all.begin(), all.end(), v) - all.begin()));
  }
  return g;
}

}  // namespace

std::string level_text(const std::string& level) { return level == "Machine" ? "node" : level; }

RankGroups groups_by(const Topology& t, const std::vector<Binding>& ranks, const std::string& level,
                     const std::string& option) {
  const std::string wanted = lower(level);
  std::vector<int> vertex;
  vertex.reserve(ranks.size());
  for (const Binding& b : ranks) {
    int v = b.core;
    while (v > 0 && name_for_users(t, v) != wanted && lower(t.name(v)) != wanted) v = t.parent(v);
    if (v <= 0) {
      throw InputError(option,
                       "core " + t.object(b.core)->cpuset.list() + " of node " + std::to_string(b.node) +
                           " is not inside an object of level '" + level + "'",
                       "give one of " + levels_above(t, b.core));
    }
    vertex.push_back(v);
  }
  return numbered(t.name(vertex.front()), vertex);
}

std::vector<RankGroups> all_groups(const Topology& t, const std::vector<Binding>& ranks) {
  // In an uneven tree, a name may occur at several depths. Levels are in the order in which they are first met from the
  // root.
  std::vector<std::pair<int, std::string>> levels;
  std::set<std::string> known;
  for (const Binding& b : ranks) {
    for (int v = b.core; v > 0; v = t.parent(v)) {
      if (known.insert(t.name(v)).second) levels.emplace_back(t.depth(v), t.name(v));
    }
  }
  std::stable_sort(levels.begin(), levels.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<RankGroups> all;
  for (const auto& [depth, name] : levels) {
    std::vector<int> vertex;
    vertex.reserve(ranks.size());
    // A rank that is in no object of this level forms a group with the innermost object around it.
    for (const Binding& b : ranks) {
      int v = b.core;
      while (v > 0 && t.name(v) != name && t.depth(v) >= depth) v = t.parent(v);
      vertex.push_back(v);
    }
    RankGroups g = numbered(name, vertex);
    const bool alone = g.groups == static_cast<int>(ranks.size());
    if (g.groups > 1 && (all.empty() || (!alone && g.group != all.back().group))) all.push_back(std::move(g));
  }
  return all;
}

Pattern between_groups(const Pattern& pattern, const std::vector<int>& group, int groups) {
  std::vector<Flow> flows;
  flows.reserve(pattern.entries());
  for (int r = 0; r < pattern.order(); ++r) {
    const auto peers = pattern.peers(r);
    for (size_t i = 0; i < peers.size(); ++i) flows.push_back({group[r], group[peers[i]], pattern.bytes(r)[i]});
  }
  return {groups, std::move(flows)};
}

InsideAndAcross inside_and_across(const Pattern& pattern, const std::vector<int>& group) {
  InsideAndAcross sums;
  for (int r = 0; r < pattern.order(); ++r) {
    const auto peers = pattern.peers(r);
    for (size_t i = 0; i < peers.size(); ++i) {
      (group[r] == group[peers[i]] ? sums.inside : sums.across) += pattern.bytes(r)[i];
    }
  }
  return sums;
}

std::vector<int> positions_by_place(const std::vector<Binding>& ranks) {
  std::vector<int> order(ranks.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return ranks[a].core < ranks[b].core; });
  std::vector<int> position(ranks.size());
  for (size_t i = 0; i < order.size(); ++i) position[order[i]] = static_cast<int>(i);
  return position;
}

}  // namespace strata::analysis
