// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/hierarchy/guided.h"

#include <strings.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <climits>
#include <map>
#include <utility>

namespace strata::mpix {
namespace {

int cover_of(std::span<const int> parent, std::span<const int> vertices, const std::vector<int>& members) {
  std::vector<int> places;
  places.reserve(members.size());
  for (int m : members) places.push_back(vertices[m]);
  return lowest_common_ancestor(parent, places);
}

}  // namespace

Hierarchy split_by_instance(std::span<const int> parent, std::span<const int> vertices, std::span<const int> instance) {
  std::map<int, Communicator> comms;
  for (size_t m = 0; m < instance.size(); ++m) {
    if (instance[m] >= 0) comms[instance[m]].members.push_back(static_cast<int>(m));
  }
  std::vector<Communicator> list;
  for (auto& [number, c] : comms) {
    c.cover = cover_of(parent, vertices, c.members);
    list.push_back(std::move(c));
  }
  Hierarchy h;
  h.levels.resize(vertices.size());
  if (!list.empty()) add_family(h, -1, std::move(list));
  return h;
}

std::optional<LevelHint> parse_level_hint(const std::string& value) {
  if (value.empty()) return std::nullopt;
  const bool digit = std::isdigit(static_cast<unsigned char>(value.front())) != 0;
  if (!digit) return value.front() == '+' || value.front() == '-' ? std::nullopt : std::optional(LevelHint{value, 0});
  LevelHint hint;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), hint.splits);
  if (end != value.data() + value.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range) hint.splits = INT_MAX;
  return hint.splits > 0 ? std::optional(hint) : std::nullopt;
}

Hierarchy split_to_level(const Hierarchy& h, const LevelHint& hint,
                         const std::function<std::string(const Communicator&)>& name) {
  std::vector<char> named(h.comms.size());
  for (size_t c = 0; !hint.name.empty() && c < h.comms.size(); ++c) {
    named[c] = static_cast<char>(::strcasecmp(name(h.comms[c]).c_str(), hint.name.c_str()) == 0);
  }
  // The chosen communicators of `h`, by the chosen one above them (-1: none).
  std::map<int, std::vector<int>> chosen;
  std::vector<char> seen(h.comms.size());
  for (const std::vector<int>& levels : h.levels) {
    int above = -1, splits = 0;
    for (int c : levels) {
      ++splits;
      if (hint.name.empty() ? splits != hint.splits : named[c] == 0) continue;
      if (seen[c] == 0) chosen[above].push_back(c);
      seen[c] = 1;
      above = c;
      splits = 0;
    }
  }
  Hierarchy result;
  result.levels.resize(h.levels.size());
  std::map<int, int> number = {{-1, -1}};  // numbers of the chosen communicators in the result
  for (std::vector<int> above = {-1}; !above.empty();) {
    std::vector<int> next;
    for (int p : above) {
      const auto found = chosen.find(p);
      if (found == chosen.end()) continue;
      std::vector<int>& below = found->second;
      // They are disjoint, so any of their vertices gives their order in the tree.
      std::sort(below.begin(), below.end(), [&](int a, int b) { return h.comms[a].cover < h.comms[b].cover; });
      std::vector<Communicator> comms;
      for (int c : below) {
        number[c] = static_cast<int>(result.comms.size() + comms.size());
        comms.push_back(h.comms[c]);
      }
      add_family(result, number.at(p), std::move(comms));
      next.insert(next.end(), below.begin(), below.end());
    }
    above = std::move(next);
  }
  return result;
}

Hierarchy with_wishes(const Hierarchy& h, std::span<const int> parent, std::span<const int> vertices,
                      std::span<const Wish> wishes) {
  std::vector<Communicator> left;
  if (!h.families.empty()) {
    for (int c : h.families.front().comms) {
      Communicator comm = h.comms[c];
      std::erase_if(comm.members, [&](int m) { return wishes[m].takes_part == 0; });
      if (comm.members.empty()) continue;
      comm.cover = cover_of(parent, vertices, comm.members);
      std::stable_sort(comm.members.begin(), comm.members.end(),
                       [&](int a, int b) { return wishes[a].key < wishes[b].key; });
      left.push_back(std::move(comm));
    }
  }
  Hierarchy result;
  result.levels.resize(h.levels.size());
  if (!left.empty()) add_family(result, -1, std::move(left));
  return result;
}

}  // namespace strata::mpix
