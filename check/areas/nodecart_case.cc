// SPDX-License-Identifier: LGPL-2.1-only
#include "check/areas/nodecart_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "check/areas/partitions.h"
#include "check/areas/small_meshes.h"
#include "check/engine/key.h"

namespace strata::check {
namespace {

using mpix::Mesh;
using mpix::PlaceLevel;
using mpix::Places;

constexpr const char* kNode = "node";
constexpr const char* kNoDims = "nodims";
constexpr int kManyGroups = 12;           // above this number, simpler cases do not merge single pairs
constexpr long kMostProcesses = 1 << 20;  // of a case, which then takes seconds

// Writes "6+6" or "2x6+4": successive equal values are counted.
std::string counted(const std::vector<int>& values, char separator) {
  std::string text;
  for (size_t i = 0; i < values.size();) {
    size_t end = i;
    while (end < values.size() && values[end] == values[i]) ++end;
    const size_t times = end - i;
    if (!text.empty()) text += separator;
    text += times > 2    ? fmt::format("{}x{}", times, values[i])
            : times == 2 ? fmt::format("{0}{1}{0}", values[i], separator)
                         : std::to_string(values[i]);
    i = end;
  }
  return text;
}

class Reader {
 public:
  explicit Reader(const std::string& key) : key_(key) {}

  NodecartCase read() {
    NodecartCase c;
    read_mesh(c.mesh);
    const int ranks = c.mesh.size();
    c.places.node_level = -1;
    while (key_.take(':')) read_level(ranks, c.places);
    if (!key_.at_end()) key_.fail("neither a level nor the end", "a colon and a level, or nothing more");
    if (c.places.node_level < 0)
      key_.fail("no nodes", "a part ':node=' with the sizes of the nodes, '4x3p00:node=6+6'");
    return c;
  }

 private:
  int number(int least, long most) {
    const std::optional<long> found = key_.number(least, most);
    if (!found) key_.fail("not a number that can be here", fmt::format("one from {} to {}", least, most));
    return static_cast<int>(*found);
  }

  void read_mesh(Mesh& mesh) {
    if (key_.take(kNoDims)) return;
    constexpr const char* kForm = "dimensions and, behind a p, a 0 or 1 for each: '4x3p10'";
    if (!key_.next_is_digit()) key_.fail("no mesh", kForm);
    long size = 1;
    do {
      mesh.dims.push_back(number(1, kMostProcesses / size));
      size *= mesh.dims.back();
    } while (key_.take('x'));
    if (!key_.take('p')) key_.fail("no periods", kForm);
    for (int dim = 0; dim < mesh.num_dims(); ++dim) {
      if (key_.next() != '0' && key_.next() != '1')
        key_.fail(fmt::format("no period of dimension {}", dim), "0 where the mesh ends, 1 where it is periodic");
      mesh.periods.push_back(key_.next() == '1');
      key_.take(key_.next());
    }
  }

  void read_level(int ranks, Places& places) {
    const size_t begin = key_.at();
    const auto fail = [&](const std::string& what, const std::string& right) {
      key_.go_to(begin);
      key_.fail(what, right);
    };
    const std::string name = key_.until("=:");
    const bool is_word =
        !name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    if (!is_word || !key_.take('=')) fail("no level", "a word, '=' and the sizes of its groups: 'node=6+6'");
    for (const PlaceLevel& level : places.levels) {
      if (level.name == name) fail("a second level '" + name + "'", "another name");
    }
    std::vector<int> group = read_groups(ranks);
    if (static_cast<int>(group.size()) != ranks)
      fail("not as many ranks as the mesh has positions", std::to_string(ranks));
    if (group != numbered_in_order(group))
      fail("groups are not numbered", "0, 1, ... in the order of their first ranks");
    if (!places.levels.empty()) {
      std::map<int, int> outside;
      for (int r = 0; r < ranks; ++r) {
        const int around = places.levels.back().group[r];
        if (outside.try_emplace(group[r], around).first->second != around)
          fail(fmt::format("group {} of '{}' is in two of '{}'", group[r], name, places.levels.back().name),
               "groups within those of the level before");
      }
    }
    if (name == kNode) places.node_level = static_cast<int>(places.levels.size());
    places.levels.push_back({name, std::move(group)});
  }

  // Reads the group of each rank, given as sizes of groups ("6+6") or directly ("0.1.1.0").
  std::vector<int> read_groups(int ranks) {
    KeyReader ahead = key_;
    const bool are_sizes = ahead.until(":").find('.') == std::string::npos;
    std::vector<int> group;
    int next = 0;
    do {
      KeyReader before = key_;
      int times = 1, value = number(are_sizes ? 1 : 0, ranks);
      if (key_.take('x')) times = std::exchange(value, number(are_sizes ? 1 : 0, ranks));
      if (times == 0) before.fail("no times", "NxV for N times V, with N at least 1");
      for (int i = 0; i < times && static_cast<int>(group.size()) <= ranks; ++i) {
        group.insert(group.end(), are_sizes ? value : 1, are_sizes ? next : value);
        ++next;
      }
    } while (key_.take(are_sizes ? '+' : '.'));
    return group;
  }

  KeyReader key_;
};

// Selects ranks so that each group of the innermost level keeps the share `left` / `of`; empty if that is not a whole
// number.
std::vector<int> share_of_each(const Places& places, int left, int of) {
  std::vector<int> taken(places.nodes().size(), 0), ranks;
  const std::vector<int>& group = places.levels.back().group;
  const std::vector<int> sizes = mpix::group_sizes(group);
  for (int size : sizes) {
    if (size * left % of != 0 || size * left < of) return {};
  }
  for (int r = 0; r < static_cast<int>(group.size()); ++r) {
    if (taken[group[r]]++ < sizes[group[r]] * left / of) ranks.push_back(r);
  }
  return ranks;
}

// Adds cases with the smaller `mesh`, which has `left` / `of` of the positions.
void add_smaller(const Mesh& mesh, const Places& places, int left, int of, std::vector<NodecartCase>& cases) {
  const int ranks = static_cast<int>(places.nodes().size()), size = mesh.size();
  std::vector<int> all(ranks);
  std::iota(all.begin(), all.end(), 0);
  cases.push_back({mesh, reordered(places, {all.begin(), all.begin() + size})});
  if (size == ranks) return;
  cases.push_back({mesh, reordered(places, {all.end() - size, all.end()})});
  const std::vector<int> share = share_of_each(places, left, of);
  if (!share.empty()) cases.push_back({mesh, reordered(places, share)});
  const std::vector<int> ordered = [&] {  // keeps the ranks of the first nodes, so that whole nodes are removed
    std::vector<int> by_node = all;
    std::stable_sort(by_node.begin(), by_node.end(),
                     [&](int a, int b) { return places.nodes()[a] < places.nodes()[b]; });
    std::vector<int> first(by_node.begin(), by_node.begin() + size);
    std::sort(first.begin(), first.end());
    return first;
  }();
  cases.push_back({mesh, reordered(places, ordered)});
}

// Adds cases with two groups of a level merged that are successive within a group of the next outer level: one case for
// each pair, or a single case with all pairs merged if there are many.
void add_merged(const NodecartCase& c, int level, std::vector<NodecartCase>& cases) {
  const std::vector<int>& group = c.places.levels[level].group;
  const int count = static_cast<int>(mpix::group_sizes(group).size());
  std::vector<int> before(count, -1);  // by group: its predecessor
  std::map<int, int> last;             // by group of the next outer level
  std::vector<bool> seen(count, false);
  for (size_t r = 0; r < group.size(); ++r) {
    if (seen[group[r]]) continue;
    seen[group[r]] = true;
    const auto [at, is_first] = last.try_emplace(level == 0 ? 0 : c.places.levels[level - 1].group[r], group[r]);
    if (!is_first) before[group[r]] = std::exchange(at->second, group[r]);
  }
  const auto add = [&](const std::vector<int>& into) {
    NodecartCase merged = c;
    std::vector<int>& groups = merged.places.levels[level].group;
    for (int& g : groups) g = into[g];
    groups = numbered_in_order(groups);
    cases.push_back(std::move(merged));
  };
  std::vector<int> itself(count);
  std::iota(itself.begin(), itself.end(), 0);
  std::vector<int> into = itself;
  for (int g = 0; g < count; ++g) {
    if (before[g] < 0 || into[before[g]] != before[g]) continue;
    into[g] = before[g];
    if (count > kManyGroups) continue;
    add(into);
    into = itself;
  }
  if (into != itself) add(into);
}

}  // namespace

Places places_of(const std::vector<std::vector<int>>& groups, int node) {
  static const std::vector<std::string> kOutside = {"switch", "island", "site"};  // outwards from the nodes
  static const std::vector<std::string> kInside = {"socket", "cache", "core"};
  Places places{{}, node};
  for (int level = 0; level < static_cast<int>(groups.size()); ++level) {
    places.levels.push_back({level < node    ? kOutside.at(node - level - 1)
                             : level == node ? kNode
                                             : kInside.at(level - node - 1),
                             groups[level]});
  }
  return places;
}

int ranks_of(const NodecartCase& c) { return static_cast<int>(c.places.nodes().size()); }

std::vector<int> node_sizes(const NodecartCase& c) { return mpix::group_sizes(c.places.nodes()); }

bool is_packed(const std::vector<int>& group) { return std::is_sorted(group.begin(), group.end()); }

bool is_equal(const std::vector<int>& group) {
  const std::vector<int> sizes = mpix::group_sizes(group);
  return std::adjacent_find(sizes.begin(), sizes.end(), std::not_equal_to<>()) == sizes.end();
}

std::string key_of(const NodecartCase& c) {
  std::string key = c.mesh.dims.empty() ? kNoDims : fmt::format("{}p", fmt::join(c.mesh.dims, "x"));
  for (const bool period : c.mesh.periods) key += period ? '1' : '0';
  for (const PlaceLevel& level : c.places.levels) {
    key +=
        fmt::format(":{}={}", level.name,
                    is_packed(level.group) ? counted(mpix::group_sizes(level.group), '+') : counted(level.group, '.'));
  }
  return key;
}

NodecartCase read_nodecart_key(const std::string& key) { return Reader(key).read(); }

std::vector<NodecartCase> simpler_cases(const NodecartCase& c) {
  std::vector<NodecartCase> cases;
  const auto with_length = [&](int dim, int length) {
    Mesh mesh = c.mesh;
    mesh.dims[dim] = length;
    add_smaller(mesh, c.places, length, c.mesh.dims[dim], cases);
  };
  for (int dim = 0; dim < c.mesh.num_dims(); ++dim) {
    Mesh mesh = c.mesh;
    mesh.dims.erase(mesh.dims.begin() + dim);
    mesh.periods.erase(mesh.periods.begin() + dim);
    add_smaller(mesh, c.places, 1, c.mesh.dims[dim], cases);
    const int length = c.mesh.dims[dim];
    if (length > 3) with_length(dim, length / 2);
    if (length > 1) with_length(dim, length - 1);
  }
  std::stable_sort(cases.begin(), cases.end(),
                   [](const NodecartCase& a, const NodecartCase& b) { return a.mesh.size() < b.mesh.size(); });
  const int levels = static_cast<int>(c.places.levels.size());
  for (int level = 0; level < levels; ++level) {
    if (level == c.places.node_level) continue;
    Places places = c.places;
    places.levels.erase(places.levels.begin() + level);
    if (level < places.node_level) --places.node_level;
    cases.push_back({c.mesh, std::move(places)});
  }
  for (int dim = 0; dim < c.mesh.num_dims(); ++dim) {
    if (!c.mesh.periods[dim]) continue;
    cases.push_back(c);
    cases.back().mesh.periods[dim] = false;
  }
  for (int level = 0; level < levels; ++level) add_merged(c, level, cases);
  if (std::any_of(c.places.levels.begin(), c.places.levels.end(),
                  [](const PlaceLevel& level) { return !is_packed(level.group); })) {
    std::vector<int> ranks(c.places.nodes().size());
    std::iota(ranks.begin(), ranks.end(), 0);
    std::stable_sort(ranks.begin(), ranks.end(), [&](int a, int b) {
      for (const PlaceLevel& level : c.places.levels) {
        if (level.group[a] != level.group[b]) return level.group[a] < level.group[b];
      }
      return false;
    });
    cases.push_back({c.mesh, reordered(c.places, ranks)});
  }
  std::set<std::string> keys;
  std::erase_if(cases, [&](const NodecartCase& simpler) { return !keys.insert(key_of(simpler)).second; });
  return cases;
}

}  // namespace strata::check
