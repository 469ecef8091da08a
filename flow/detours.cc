// SPDX-License-Identifier: LGPL-2.1-only
#include "flow/detours.h"

#include <algorithm>

namespace strata::flow {
namespace {

// The finalizer of SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, "Fast Splittable Pseudorandom Number Generators",
// OOPSLA 2014).
std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace

// Draws any router except these two.
int Detours::draw(int from, int to) {
  const auto pair =
      static_cast<std::uint64_t>(from) * static_cast<std::uint64_t>(routers_) + static_cast<std::uint64_t>(to);
  const std::uint64_t hash = mix(mix(pair) + messages_++);
  int via = static_cast<int>(hash % static_cast<std::uint64_t>(routers_ - 2));
  for (const int end : {std::min(from, to), std::max(from, to)}) via += via >= end ? 1 : 0;
  return via;
}

double Detours::load(const std::vector<FairShares::Use>& uses, double bandwidth) const {
  double fullest = 1;
  for (const auto& [link, part] : uses) {
    if (link < tree_.first_fabric_link()) continue;  // minimal path and detour share these
    fullest = std::max(fullest, (queued_[link] + part) * bandwidth / tree_.link_bandwidth(link));
  }
  return fullest;
}

RouteTree::Way Detours::find(int a, int b, double payload, std::vector<FairShares::Use>& uses) {
  minimal_.clear();
  const RouteTree::Way minimal = tree_.find_uses(a, b, -1, payload, minimal_);
  const double bandwidth = tree_.stops()[minimal.meet].costs->bandwidth.si;
  const int from = tree_.router(a), to = tree_.router(b);
  const double minimal_load = from == to || routers_ < 3 ? 1 : load(minimal_, bandwidth);
  if (minimal_load > 1) {
    around_.clear();
    const RouteTree::Way around = tree_.find_uses(a, b, draw(from, to), payload, around_);
    if (minimal_load * minimal.hops > load(around_, bandwidth) * around.hops) {
      uses.insert(uses.end(), around_.begin(), around_.end());
      return around;
    }
  }
  uses.insert(uses.end(), minimal_.begin(), minimal_.end());
  return minimal;
}

}  // namespace strata::flow
