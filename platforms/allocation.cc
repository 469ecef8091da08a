// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/allocation.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <numeric>
#include <random>
#include <utility>

#include "base/dims_text.h"
#include "base/error.h"

namespace strata {
namespace {

constexpr std::string_view kRandom = "random:";

int cores_of(const Topology& t, int node) { return t.num_cores(t.node_vertex(node)); }

std::vector<int> nodes_of_box(const Machine& machine, const std::vector<int>& shape, const std::string& where) {
  const TorusShape* torus = machine.fabric ? std::get_if<TorusShape>(&machine.fabric->shape) : nullptr;
  if (torus == nullptr) {
    throw InputError(where, fmt::format("{}: {} is not a torus", fmt::join(shape, "x"), machine.name),
                     "give first, or random:SEED");
  }
  bool fits = shape.size() == torus->dims.size();
  for (size_t d = 0; fits && d < shape.size(); ++d) fits = shape[d] <= torus->dims[d];
  if (!fits) {
    throw InputError(
        where, fmt::format("a box of {} routers is not part of {}", fmt::join(shape, "x"), machine.fabric->describe()),
        fmt::format("give at most {}", fmt::join(torus->dims, "x")));
  }
  std::vector<int> nodes;
  for (int node = 0; node < machine.topology->num_nodes(); ++node) {
    int router = machine.fabric->router_of(node);  // routers are numbered with the last coordinate changing fastest
    bool inside = true;
    for (size_t d = shape.size(); d-- > 0; router /= torus->dims[d])
      inside = inside && router % torus->dims[d] < shape[d];
    if (inside) nodes.push_back(node);
  }
  return nodes;
}

// Takes nodes in random order until they have a core for each rank.
std::vector<int> scattered_nodes(const Topology& t, std::uint64_t seed, int np) {
  std::vector<int> order(t.num_nodes());
  std::iota(order.begin(), order.end(), 0);
  std::mt19937_64 engine(seed);  // not std::shuffle, whose results depend on the library
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[engine() % i]);
  size_t taken = 0;
  for (int cores = 0; taken < order.size() && (np == 0 || cores < np); ++taken) cores += cores_of(t, order[taken]);
  order.resize(taken);
  std::sort(order.begin(), order.end());
  return order;
}

}  // namespace

Allocation parse_allocation(const std::string& text, const std::string& where) {
  Allocation a;
  if (text.empty() || text == kFirstNodes) return a;
  bool sound = false;
  if (text.starts_with(kRandom)) {
    const char* const end = text.data() + text.size();
    const auto [next, error] = std::from_chars(text.data() + kRandom.size(), end, a.seed);
    a.scattered = true;
    sound = error == std::errc() && next == end;
  } else {
    a.shape = parse_dims(text);
    sound = !a.shape.empty();
  }
  if (!sound) {
    throw InputError(where, "'" + text + "' is not an allocation",
                     "give first, a box of routers as 2x2x8, or random:SEED as random:1");
  }
  return a;
}

std::vector<int> nodes_of_job(const Machine& machine, const Allocation& allocation, int np, bool oversubscribe,
                              const std::string& where) {
  const Topology& t = *machine.topology;
  std::vector<int> nodes;
  if (!allocation.shape.empty()) {
    nodes = nodes_of_box(machine, allocation.shape, where);
  } else if (allocation.scattered) {
    nodes = scattered_nodes(t, allocation.seed, np);
  } else {
    nodes.resize(t.num_nodes());
    std::iota(nodes.begin(), nodes.end(), 0);
  }
  const int cores =
      std::accumulate(nodes.begin(), nodes.end(), 0, [&](int sum, int n) { return sum + cores_of(t, n); });
  if (np > cores && !oversubscribe) {
    throw InputError(where, fmt::format("{} ranks on the {} cores of {} nodes", np, cores, nodes.size()),
                     fmt::format("give at most {}, more nodes, or say oversubscribe", cores));
  }
  return nodes;
}

// Places ranks as on a machine that has only these nodes.
std::vector<Binding> place_on_nodes(const Topology& t, const std::vector<int>& nodes, int np,
                                    const PlacementOptions& options) {
  std::vector<std::shared_ptr<const NodeTree>> trees;
  trees.reserve(nodes.size());
  for (const int node : nodes) trees.emplace_back(std::shared_ptr<void>(), &t.node_tree(node));  // not owned
  const Topology job({.level = "", .groups = {}, .nodes = static_cast<int>(nodes.size())}, std::move(trees));
  std::vector<Binding> ranks = place(job, np == 0 ? room_for_ranks(job, options) : np, options);
  for (Binding& b : ranks) {
    const int node = nodes[b.node];
    b.core = t.node_vertex(node) + b.core - job.node_vertex(b.node);
    b.node = node;
  }
  return ranks;
}

std::vector<Binding> place_job(const Machine& machine, const std::string& allocation, int np,
                               const PlacementOptions& options, const std::string& where) {
  const Allocation a = parse_allocation(allocation, where);
  const Topology& t = *machine.topology;
  if (a.shape.empty() && !a.scattered) return place(t, np == 0 ? room_for_ranks(t, options) : np, options);
  return place_on_nodes(t, nodes_of_job(machine, a, np * options.cores_per_rank, options.oversubscribe, where), np,
                        options);
}

}  // namespace strata
