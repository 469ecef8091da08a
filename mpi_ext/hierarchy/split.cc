#include "mpi_ext/hierarchy/split.h"

#include <algorithm>
#include <numeric>

namespace strata::mpix {

int lowest_common_ancestor(std::span<const int> parent, std::span<const int> vertices) {
  int common = vertices.front();
  for (int v : vertices) {
    while (common != v) {
      if (common > v) {
        common = parent[common];
      } else {
        v = parent[v];
      }
    }
  }
  return common;
}

Split split(std::span<const int> parent, std::span<const int> members) {
  Split result;
  result.cover = lowest_common_ancestor(parent, members);
  result.index.assign(members.size(), -1);
  std::vector<int> child(members.size(), -1);  // the child of the cover that holds the member
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

// Splits the communicator of `ranks` (ranks of the first communicator) and all that comes of it, depth first.
void split_below(std::span<const int> parent, std::span<const int> vertices, const std::vector<int>& ranks,
                 Hierarchy& out) {
  std::vector<int> places(ranks.size());
  std::transform(ranks.begin(), ranks.end(), places.begin(), [&](int r) { return vertices[r]; });
  const Split s = split(parent, places);
  const size_t first = out.comms.size();
  for (int c = 0; c < s.num_comms; ++c)
    out.comms.push_back({.members = {}, .num_comms = s.num_comms, .index = c, .cover = -1, .roots = {}});
  for (size_t i = 0; i < ranks.size(); ++i) {
    if (s.index[i] < 0) continue;
    out.comms[first + s.index[i]].members.push_back(ranks[i]);
    out.levels[ranks[i]].push_back(static_cast<int>(first) + s.index[i]);
  }
  std::vector<int> roots;
  for (int c = 0; c < s.num_comms; ++c) roots.push_back(out.comms[first + c].members.front());
  std::sort(roots.begin(), roots.end());
  for (int c = 0; c < s.num_comms; ++c) {
    Communicator& comm = out.comms[first + c];
    comm.roots = roots;
    places.clear();
    for (int r : comm.members) places.push_back(vertices[r]);
    comm.cover = lowest_common_ancestor(parent, places);
    const std::vector<int> members = comm.members;  // the vector of communicators grows below
    if (members.size() > 1) split_below(parent, vertices, members, out);
  }
}

}  // namespace

Hierarchy split_all(std::span<const int> parent, std::span<const int> members) {
  Hierarchy result;
  result.levels.resize(members.size());
  std::vector<int> ranks(members.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  if (!ranks.empty()) split_below(parent, members, ranks, result);
  return result;
}

}  // namespace strata::mpix
