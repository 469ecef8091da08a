// SPDX-License-Identifier: LGPL-2.1-only
#include "check/areas/slow_mapping.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "check/areas/patterns.h"

namespace strata::check {

HopTable::HopTable(int processes, const std::function<int(int, int)>& hops) : processes_(processes) {
  for (int a = 0; a < processes; ++a) {
    for (int b = 0; b < processes; ++b) hops_.push_back(hops(a, b));
  }
}

int slow_hops(const std::vector<int>& parent, int a, int b) {
  std::map<int, int> up_from_a;  // number of edges from a, by vertex above it
  for (int v = a, edges = 0; v >= 0; v = parent[v]) up_from_a[v] = edges++;
  int edges = 0;
  for (; up_from_a.count(b) == 0; b = parent[b]) ++edges;
  return edges + up_from_a[b];
}

double slow_hop_bytes(const std::vector<Flow>& flows, const HopTable& hops, const std::vector<int>& new_rank) {
  const int processes = hops.processes();
  const std::vector<double> bytes = dense(processes, flows);
  double sum = 0;
  for (int a = 0; a < processes; ++a) {
    for (int b = 0; b < processes; ++b) {
      sum += bytes[static_cast<size_t>(new_rank[a]) * processes + new_rank[b]] * hops(a, b);
    }
  }
  return sum;
}

double least_hop_bytes(const std::vector<Flow>& flows, const HopTable& hops) {
  const int processes = hops.processes();
  std::vector<double> bytes(static_cast<size_t>(processes) * processes, 0);  // in both directions
  for (const Flow& flow : flows) {
    bytes[static_cast<size_t>(flow.from) * processes + flow.to] += flow.bytes;
    if (flow.from != flow.to) bytes[static_cast<size_t>(flow.to) * processes + flow.from] += flow.bytes;
  }
  double least = std::numeric_limits<double>::infinity();
  std::vector<int> at;  // process by rank
  std::vector<char> taken(processes, 0);
  const std::function<void(double)> place = [&](double sum) {
    if (sum >= least) return;
    const int rank = static_cast<int>(at.size());
    if (rank == processes) {
      least = sum;
      return;
    }
    for (int p = 0; p < processes; ++p) {
      if (taken[p] != 0) continue;
      double more = 0;
      for (int b = 0; b < rank; ++b) more += bytes[static_cast<size_t>(rank) * processes + b] * hops(p, at[b]);
      taken[p] = 1;
      at.push_back(p);
      place(sum + more);
      at.pop_back();
      taken[p] = 0;
    }
  };
  place(0);
  return least;
}

std::vector<int> slow_round_robin(const std::vector<int>& place, const std::vector<int>& node) {
  std::map<int, std::set<std::pair<int, int>>> waiting;  // by node: places and old ranks
  for (size_t r = 0; r < place.size(); ++r) waiting[node[r]].emplace(place[r], static_cast<int>(r));
  std::vector<int> new_rank(place.size());
  int next = 0;
  while (next < static_cast<int>(place.size())) {
    for (auto& [its_node, processes] : waiting) {
      if (processes.empty()) continue;
      new_rank[processes.begin()->second] = next++;
      processes.erase(processes.begin());
    }
  }
  return new_rank;
}

}  // namespace strata::check
