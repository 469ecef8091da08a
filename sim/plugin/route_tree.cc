#include "sim/plugin/route_tree.h"

namespace strata::sim {

RouteTree::RouteTree(const Machine& machine) {
  const Topology& t = *machine.topology;
  num_cores_ = static_cast<int>(t.cores().size());
  for (int vertex : t.cores()) stops_.push_back({-1, 0, vertex, nullptr, 0});
  std::vector<int> stop_of(t.num_vertices(), -1);
  for (int core = 0; core < num_cores_; ++core) stop_of[t.cores()[core]] = core;
  for (int v = 0; v < t.num_vertices(); ++v) {
    int with_cores = 0;
    for (int c : t.children(v)) with_cores += t.num_cores(c) > 0 ? 1 : 0;
    if (with_cores < 2) continue;
    stop_of[v] = static_cast<int>(stops_.size());
    stops_.push_back({-1, 0, v, machine.costs_at(v), 0});
  }
  const auto attach = [&](int s) {
    for (int v = t.parent(stops_[s].vertex); v >= 0; v = t.parent(v)) {
      if (stop_of[v] < 0) continue;
      stops_[s].up = stop_of[v];
      stops_[s].depth = stops_[stop_of[v]].depth + 1;
      stops_[s].link_bandwidth = stops_[stop_of[v]].costs->link_bandwidth.si;
      return;
    }
  };
  // Branches first: they are in preorder, so the one above is attached before those below.
  for (int s = num_cores_; s < static_cast<int>(stops_.size()); ++s) attach(s);
  for (int s = 0; s < num_cores_; ++s) attach(s);
}

int RouteTree::meet(int a, int b) const {
  while (a != b) {
    if (stops_[a].depth >= stops_[b].depth) {
      a = stops_[a].up;
    } else {
      b = stops_[b].up;
    }
  }
  return a;
}

}  // namespace strata::sim
