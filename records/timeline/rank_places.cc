// SPDX-License-Identifier: LGPL-2.1-only
#include "records/timeline/rank_places.h"

#include <fmt/format.h>

#include "base/error.h"
#include "platforms/core_name.h"
#include "records/levels.h"

namespace strata {
namespace {

// By vertex, the number of its package on the node.
std::vector<int> package_numbers(const Topology& t) {
  std::vector<int> numbers(t.num_vertices(), -1);
  int node = -1, next = 0;
  for (int v = 0; v < t.num_vertices(); ++v) {
    if (t.node(v) != node) next = 0;
    node = t.node(v);
    if (t.type(v) == ObjectType::kPackage) numbers[v] = next++;
  }
  return numbers;
}

}  // namespace

RankPlaces::RankPlaces(const Machine& machine, const std::vector<int>& cores, const std::string& file)
    : machine_(machine) {
  const Topology& t = *machine.topology;
  const auto on_machine = static_cast<int>(t.cores().size());
  const std::vector<int> numbers = package_numbers(t);
  for (size_t rank = 0; rank < cores.size(); ++rank) {
    const int core = cores[rank];
    if (core < 0 || core >= on_machine) {
      throw InputError(file,
                       fmt::format("rank {} is on core {}, and {} has {} cores", rank, core, machine.name, on_machine),
                       "give the machine of the run with --machine, or --xml and --nodes");
    }
    const int node = t.node(t.cores()[core]);
    int package = t.cores()[core];
    while (package >= 0 && numbers[package] < 0) package = t.parent(package);
    places_.push_back({core, core_name(t, core), node, package < 0 ? -1 : numbers[package],
                       core - t.first_core(t.node_vertex(node))});
  }
  for (const LevelCosts& costs : machine.levels) levels_.push_back(costs.level);
  levels_.emplace_back(kLoopbackLevel);
}

std::string RankPlaces::name(int rank) const {
  const RankPlace& p = places_[rank];
  if (p.package < 0) return fmt::format("rank {} (core {})", rank, p.core_on_node);
  return fmt::format("rank {} (package {}, core {})", rank, p.package, p.core_on_node);
}

int RankPlaces::level(int sender, int receiver) const {
  const int loopback = static_cast<int>(levels_.size()) - 1;
  const int from = places_[sender].core, to = places_[receiver].core;
  if (from == to) return loopback;
  const Topology& t = *machine_.topology;
  const LevelCosts* costs = machine_.costs_at(t.lowest_common_ancestor(t.cores()[from], t.cores()[to]));
  return costs == nullptr ? loopback : static_cast<int>(costs - machine_.levels.data());
}

}  // namespace strata
