// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/memory.h"

#include <algorithm>
#include <unordered_map>

namespace strata {

Figure memory_combine_bandwidth(const MemoryCosts& memory) {
  if (memory.stated_combine_bandwidth) return *memory.stated_combine_bandwidth;
  constexpr double kMoreThanCopies = kMovedByCombine / kMovedByCopy;
  Figure f = memory.bandwidth;
  f.value *= kMoreThanCopies;
  f.si *= kMoreThanCopies;
  f.source = "assumed: 1.5 times bandwidth, for a copy also reads the lines that it writes";
  return f;
}

Figure cache_bandwidth(const Machine& machine) {
  if (machine.memory && machine.memory->cache_bandwidth) return *machine.memory->cache_bandwidth;
  Figure f = machine.combine_bandwidth();
  f.value *= kMovedByCombine;
  f.si *= kMovedByCombine;
  f.source = "assumed: 3 times core.combine_bandwidth, as from memory";
  return f;
}

double copy_alone_s(const Machine& machine, double bytes) {
  return bytes / std::min(machine.copy_bandwidth.si, machine.memory->bandwidth.si / kMovedByCopy);
}

double combine_alone_s(const Machine& machine, double bytes) {
  return stream_alone_s(machine, 0, kMovedByCombine * bytes);
}

double stream_alone_s(const Machine& machine, double flops, double bytes) {
  const double moved_per_s =
      std::min(kMovedByCombine * machine.combine_bandwidth().si, memory_combine_bandwidth(*machine.memory).si);
  return std::max(flops / machine.core_speed.si, bytes / moved_per_s);
}

Memories::Memories(const Topology& t) : topology_(t) {
  std::unordered_map<int, int> memory_at;  // by vertex
  for (const int core : t.cores()) {
    const int machine = t.node_vertex(t.node(core));
    int v = core;
    while (v != machine && t.type(v) != ObjectType::kNumaNode) v = t.parent(v);
    const auto [at, is_new] = memory_at.emplace(v, count());
    if (is_new) vertices_.push_back(v);
    of_core_.push_back(at->second);
  }
}

bool Memories::is_one(int vertex) const {
  return std::find(vertices_.begin(), vertices_.end(), vertex) != vertices_.end();
}

std::string Memories::name(int memory) const {
  const int v = vertices_[memory];
  const std::string of_node = "memory of node " + std::to_string(topology_.node(v));
  if (topology_.type(v) != ObjectType::kNumaNode) return of_node;
  return of_node + ", " + topology_.name(v) + " " + std::to_string(topology_.object(v)->logical_index);
}

}  // namespace strata
