// SPDX-License-Identifier: LGPL-2.1-only
#include "models/memory_uses.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace strata::models {
namespace {

constexpr double kOperands = 2;  // of a combination

// The bandwidth of combinations that a memory provides to each of `cores` cores, B/s.
double combining_share(const Machine& m, int cores) { return memory_combine_bandwidth(*m.memory).si / cores; }

}  // namespace

BytesPerSecond copy_rate(const Machine& m, int cores) {
  return BytesPerSecond(std::min(m.copy_bandwidth.si, m.memory->bandwidth.si / (kMovedByCopy * cores)));
}

BytesPerSecond combine_rate(const Machine& m, int cores) {
  return BytesPerSecond(stream_rate(m, cores).value / kMovedByCombine);
}

BytesPerSecond stream_rate(const Machine& m, int cores) {
  return BytesPerSecond(std::min(kMovedByCombine * m.combine_bandwidth().si, combining_share(m, cores)));
}

Seconds roofline_time(const Machine& m, int cores, double flops, Bytes bytes) {
  return std::max(Seconds(flops / m.core_speed.si), bytes / stream_rate(m, cores));
}

std::vector<SaturationPoint> saturation_curve(const Machine& m) {
  constexpr double kTriadCounted = 3, kTriadMoved = 4;  // bytes per byte of an array
  const Topology& t = *m.topology;
  const Memories memories(t);
  int all = 0;
  for (int core = 0; core < static_cast<int>(t.cores().size()); ++core) all += memories.of(core) == 0 ? 1 : 0;
  std::vector<SaturationPoint> curve;
  for (int k = 1; k <= all; ++k) {
    curve.push_back({.cores = k,
                     .copy = BytesPerSecond(k * kMovedByCopy * copy_rate(m, k).value),
                     .combine = BytesPerSecond(k * kMovedByCombine * combine_rate(m, k).value),
                     .triad = BytesPerSecond(k * kTriadCounted / kTriadMoved * stream_rate(m, k).value)});
  }
  return curve;
}

MemoryUses::MemoryUses(const Machine& machine, const std::vector<Binding>& ranks)
    : machine_(machine), memories_(*machine.topology), users_(machine.topology->num_vertices()) {
  const Topology& t = *machine.topology;
  std::vector<bool> busy(t.cores().size(), ranks.empty());
  for (const Binding& b : ranks) busy[t.first_core(b.core)] = true;
  const OutermostCaches caches(t);
  for (int core = 0; core < static_cast<int>(t.cores().size()); ++core) {
    cache_.push_back(caches.of(core) < 0 ? -1 : caches.vertex(caches.of(core)));
    if (cache_.back() >= 0 && busy[core]) ++users_[cache_.back()];
  }
}

// `other`: a core that needs as much at the same time; -1: none.
void MemoryUses::add_need(int core, double bytes, int other, std::vector<CacheNeed>& into) const {
  const Topology& t = *machine_.topology;
  const int cache = cache_[t.first_core(core)];
  if (cache < 0) return;
  const auto size = static_cast<double>(t.object(cache)->cache_bytes);
  const int sharing = other >= 0 && other != core && cache_[t.first_core(other)] == cache ? 2 : 1;
  into.push_back({cache, core, bytes, sharing * bytes <= size, users_[cache] * bytes <= size});
}

bool MemoryUses::stays_in_cache(int core, double bytes, int other) const {
  std::vector<CacheNeed> need;
  add_need(core, bytes, other, need);
  return need.empty() ? bytes <= 0 : need.front().fits_alone;
}

std::vector<CacheNeed> MemoryUses::needs_of_message(int a, int b, double payload) const {
  const Topology& t = *machine_.topology;
  std::vector<CacheNeed> needs;
  if (t.node(a) == t.node(b) && payload < machine_.eager_limit.si) return needs;
  add_need(a, kMovedByCopy * payload, b, needs);
  if (a != b) add_need(b, kMovedByCopy * payload, a, needs);
  return needs;
}

std::vector<CacheNeed> MemoryUses::needs_of_combination(int core, double bytes) const {
  std::vector<CacheNeed> needs;
  add_need(core, kOperands * bytes, -1, needs);
  return needs;
}

MemoryUse MemoryUses::place_of(int core, bool cached) const {
  const int c = machine_.topology->first_core(core);
  if (!cached) return {memories_.vertex(memories_.of(c)), MemoryUse::Of::kMemory, 1};
  return {machine_.memory->shared_cache_bandwidth ? cache_[c] : -1, MemoryUse::Of::kCache, 1};
}

std::vector<MemoryUse> MemoryUses::of_message(int a, int b, double payload, double bandwidth, bool has_copies) const {
  const Topology& t = *machine_.topology;
  const bool within_node = t.node(a) == t.node(b);
  if (within_node && payload < machine_.eager_limit.si) return {};
  std::vector<MemoryUse> uses;
  const double both = kMovedByCopy * payload;
  bool all_cached = true;
  for (const int core : {a, b}) {
    const bool cached = stays_in_cache(core, both, core == a ? b : a);
    all_cached = all_cached && cached;
    const MemoryUse use = place_of(core, cached);
    if (use.vertex < 0) continue;
    if (!uses.empty() && uses.back().vertex == use.vertex) {
      ++uses.back().weight;
    } else {
      uses.push_back(use);
    }
  }
  if (!within_node || has_copies) return uses;
  const double of_core = all_cached ? std::min(1.0, machine_.copy_bandwidth.si / bandwidth) : 1;
  const bool twice = machine_.copies().si == 2;
  uses.push_back({b, MemoryUse::Of::kCore, twice && a == b ? 2 * of_core : of_core});
  if (twice && a != b) uses.push_back({a, MemoryUse::Of::kCore, of_core});
  return uses;
}

std::vector<MemoryUse> MemoryUses::of_combination(int core, double bytes) const {
  const double copied = machine_.copy_bandwidth.si;
  const MemoryCosts& memory = *machine_.memory;
  const bool cached = stays_in_cache(core, kOperands * bytes);
  MemoryUse place = place_of(core, cached);
  if (cached) {
    std::vector<MemoryUse> uses = {
        {core, MemoryUse::Of::kCore, kMovedByCombine * copied / cache_bandwidth(machine_).si}};
    if (place.vertex < 0) return uses;
    place.weight = kMovedByCombine * memory.shared_cache_bandwidth->si / shared_cache_combine_bandwidth(memory).si;
    uses.push_back(place);
    return uses;
  }
  place.weight = kMovedByCombine * (memory.bandwidth.si / memory_combine_bandwidth(memory).si);
  return {{core, MemoryUse::Of::kCore, copied / machine_.combine_bandwidth().si}, place};
}

double capacity(const MemoryUse& use, const Machine& machine) {
  switch (use.of) {
    case MemoryUse::Of::kMemory:
      return machine.memory->bandwidth.si;
    case MemoryUse::Of::kCore:
      return machine.copy_bandwidth.si;
    case MemoryUse::Of::kCache:
      return machine.memory->shared_cache_bandwidth->si;
  }
  throw std::logic_error("unknown kind of use");
}

double room(const std::vector<MemoryUse>& uses, const Machine& machine) {
  double room = std::numeric_limits<double>::infinity();
  for (const MemoryUse& use : uses) room = std::min(room, capacity(use, machine) / use.weight);
  return room;
}

}  // namespace strata::models
