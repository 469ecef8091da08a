// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/hierarchy/split.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace strata::mpix {

int lowest_common_ancestor(std::span<const int> parent, std::span<const int> vertices) {
  // In preorder, a subtree is an interval, so a subtree with the first and the last vertex contains all.
  const auto [first, last] = std::minmax_element(vertices.begin(), vertices.end());
  int common = *first;
  for (int v = *last; common != v;) {
    if (common > v) {
      common = parent[common];
    } else {
      v = parent[v];
    }
  }
  return common;
}

Split split(std::span<const int> parent, std::span<const int> members) {
  Split result;
  result.cover = lowest_common_ancestor(parent, members);
  result.index.assign(members.size(), -1);
  std::vector<int> child(members.size(), -1);  // the child of the cover that contains the member
  for (size_t i = 0; i < members.size(); ++i) {
    for (int v = members[i]; v != result.cover; v = parent[v]) child[i] = v;
  }
  std::vector<int> children = child;
  std::sort(children.begin(), children.end());
  children.erase(std::unique(children.begin(), children.end()), children.end());
  if (!children.empty() && children.front() < 0) children.erase(children.begin());
  result.num_comms = static_cast<int>(children.size());
  for (size_t i = 0; i < members.size(); ++i) {
    if (child[i] < 0) continue;
    const auto at = std::lower_bound(children.begin(), children.end(), child[i]);
    result.index[i] = static_cast<int>(at - children.begin());
  }
  return result;
}

namespace {

// Divides `ranks` into communicators according to `index`.
std::vector<Communicator> parts_of(const std::vector<int>& ranks, const std::vector<int>& index, int num_comms) {
  std::vector<Communicator> comms(num_comms);
  for (size_t i = 0; i < ranks.size(); ++i) {
    if (index[i] >= 0) comms[index[i]].members.push_back(ranks[i]);
  }
  return comms;
}

// The ranks of a communicator with `size` members.
std::vector<int> all_ranks(size_t size) {
  std::vector<int> ranks(size);
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

}  // namespace

void add_family(Hierarchy& h, int parent, std::vector<Communicator> comms) {
  Family f{.parent = parent, .comms = {}, .roots = {}, .stragglers = {}};
  std::vector<int> inside, all = parent < 0 ? all_ranks(h.levels.size()) : h.comms[parent].members;
  for (const Communicator& c : comms) inside.insert(inside.end(), c.members.begin(), c.members.end());
  std::sort(inside.begin(), inside.end());
  std::sort(all.begin(), all.end());
  std::set_difference(all.begin(), all.end(), inside.begin(), inside.end(), std::back_inserter(f.stragglers));
  const int family = static_cast<int>(h.families.size());
  if (parent >= 0) h.comms[parent].below = family;
  for (Communicator& c : comms) {
    c.family = family;
    c.below = -1;
    c.index = static_cast<int>(f.comms.size());
    f.comms.push_back(static_cast<int>(h.comms.size()));
    f.roots.push_back(c.members.front());
    for (int m : c.members) h.levels[m].push_back(f.comms.back());
    h.comms.push_back(std::move(c));
  }
  std::sort(f.roots.begin(), f.roots.end());
  h.families.push_back(std::move(f));
}

Hierarchy split_all(std::span<const int> parent, std::span<const int> members, int max_levels) {
  Hierarchy h;
  h.levels.resize(members.size());
  const auto places_of = [&](const std::vector<int>& ranks) {
    std::vector<int> places(ranks.size());
    std::transform(ranks.begin(), ranks.end(), places.begin(), [&](int r) { return members[r]; });
    return places;
  };
  const auto split_further = [&](int comm, const std::vector<int>& ranks) {
    const Split s = split(parent, places_of(ranks));
    if (s.num_comms > 0) add_family(h, comm, parts_of(ranks, s.index, s.num_comms));
  };
  if (!members.empty() && max_levels > 0) split_further(-1, all_ranks(members.size()));
  for (int c = 0; c < static_cast<int>(h.comms.size()); ++c) {  // breadth first: the list grows during the loop
    const std::vector<int> ranks = h.comms[c].members;
    h.comms[c].cover = lowest_common_ancestor(parent, places_of(ranks));
    if (ranks.size() > 1 && static_cast<int>(h.levels[ranks.front()].size()) < max_levels) split_further(c, ranks);
  }
  return h;
}

Hierarchy split_into_blocks(int size, std::span<const int> groups) {
  Hierarchy h;
  h.levels.resize(size);
  std::vector<int> parents = {-1};
  for (int n : groups) {
    const int first = static_cast<int>(h.comms.size());
    for (int p : parents) {
      const std::vector<int> ranks = p < 0 ? all_ranks(size) : h.comms[p].members;
      const int block = static_cast<int>(ranks.size()) / n;
      std::vector<int> index(ranks.size());
      for (size_t i = 0; i < ranks.size(); ++i) index[i] = static_cast<int>(i) / block;
      add_family(h, p, parts_of(ranks, index, n));
    }
    parents.resize(h.comms.size() - first);
    std::iota(parents.begin(), parents.end(), first);
  }
  return h;
}

bool all_consecutive(const Hierarchy& h) {
  return std::all_of(h.comms.begin(), h.comms.end(), [](const Communicator& c) {
    for (size_t i = 1; i < c.members.size(); ++i) {
      if (c.members[i] != c.members[i - 1] + 1) return false;
    }
    return true;
  });
}

}  // namespace strata::mpix
