// SPDX-License-Identifier: LGPL-2.1-only
#include "models/memory_uses.h"

#include <algorithm>
#include <limits>

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
  for (const int core : t.cores()) {
    int outermost = -1;
    for (int v = core; v != t.node_vertex(t.node(core)); v = t.parent(v)) {
      if (t.type(v) == ObjectType::kCache) outermost = v;
    }
    cache_.push_back(outermost);
    if (outermost >= 0 && busy[t.first_core(core)]) ++users_[outermost];
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

std::vector<MemoryUse> MemoryUses::of_message(int a, int b, double payload, double bandwidth, bool has_copies) const {
  const Topology& t = *machine_.topology;
  const bool within_node = t.node(a) == t.node(b);
  if (within_node && payload < machine_.eager_limit.si) return {};
  std::vector<MemoryUse> uses;
  const double both = kMovedByCopy * payload;
  for (const int core : {a, b}) {
    if (stays_in_cache(core, both, core == a ? b : a)) continue;
    const int memory = memories_.vertex(memories_.of(t.first_core(core)));
    if (!uses.empty() && uses.back().vertex == memory) {
      ++uses.back().weight;
    } else {
      uses.push_back({memory, false, 1});
    }
  }
  if (!within_node || has_copies) return uses;
  const double of_core = uses.empty() ? std::min(1.0, machine_.copy_bandwidth.si / bandwidth) : 1;
  const bool twice = machine_.copies().si == 2;
  uses.push_back({b, true, twice && a == b ? 2 * of_core : of_core});
  if (twice && a != b) uses.push_back({a, true, of_core});
  return uses;
}

std::vector<MemoryUse> MemoryUses::of_combination(int core, double bytes) const {
  const double copied = machine_.copy_bandwidth.si;
  if (stays_in_cache(core, kOperands * bytes)) {
    return {{core, true, kMovedByCombine * copied / cache_bandwidth(machine_).si}};
  }
  const double of_memory = machine_.memory->bandwidth.si / memory_combine_bandwidth(*machine_.memory).si;
  return {{core, true, copied / machine_.combine_bandwidth().si},
          {memories_.vertex(memories_.of(machine_.topology->first_core(core))), false, kMovedByCombine * of_memory}};
}

double capacity(const MemoryUse& use, const Machine& machine) {
  return use.of_core ? machine.copy_bandwidth.si : machine.memory->bandwidth.si;
}

double room(const std::vector<MemoryUse>& uses, const Machine& machine) {
  double room = std::numeric_limits<double>::infinity();
  for (const MemoryUse& use : uses) room = std::min(room, capacity(use, machine) / use.weight);
  return room;
}

}  // namespace strata::models
