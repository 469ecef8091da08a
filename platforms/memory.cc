// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/memory.h"

#include <algorithm>
#include <unordered_map>

namespace strata {

namespace {

// The rate of combinations where copies reach `copies` (B/s, read plus written), for a copy also reads the lines that
// it writes.
Figure of_combinations(const Figure& copies, const std::string& name) {
  constexpr double kMoreThanCopies = kMovedByCombine / kMovedByCopy;
  Figure f = copies;
  f.value *= kMoreThanCopies;
  f.si *= kMoreThanCopies;
  f.source = "assumed: 1.5 times " + name + ", for a copy also reads the lines that it writes";
  return f;
}

int memory_above(const Topology& t, int core) {
  const int machine = t.node_vertex(t.node(core));
  int v = core;
  while (v != machine && t.type(v) != ObjectType::kNumaNode) v = t.parent(v);
  return v;
}

int outermost_cache_above(const Topology& t, int core) {
  int outermost = -1;
  for (int v = core; v != t.node_vertex(t.node(core)); v = t.parent(v)) {
    if (t.type(v) == ObjectType::kCache) outermost = v;
  }
  return outermost;
}

}  // namespace

Figure memory_combine_bandwidth(const MemoryCosts& memory) {
  if (memory.stated_combine_bandwidth) return *memory.stated_combine_bandwidth;
  return of_combinations(memory.bandwidth, "bandwidth");
}

Figure shared_cache_combine_bandwidth(const MemoryCosts& memory) {
  return of_combinations(*memory.shared_cache_bandwidth, "shared_cache_bandwidth");
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

std::string name_in_node(const Topology& t, const char* what, int vertex) {
  const std::string of_node = std::string(what) + " of node " + std::to_string(t.node(vertex));
  if (t.type(vertex) == ObjectType::kMachine) return of_node;
  return of_node + ", " + t.name(vertex) + " " + std::to_string(t.object(vertex)->logical_index);
}

ObjectsOfCores::ObjectsOfCores(const Topology& t, const char* what, int (*above)(const Topology&, int))
    : topology_(t), what_(what) {
  std::unordered_map<int, int> object_at;  // by vertex
  for (const int core : t.cores()) {
    const int v = above(t, core);
    if (v < 0) {
      of_core_.push_back(-1);
      continue;
    }
    const auto [at, is_new] = object_at.emplace(v, count());
    if (is_new) vertices_.push_back(v);
    of_core_.push_back(at->second);
  }
}

bool ObjectsOfCores::is_one(int vertex) const {
  return std::find(vertices_.begin(), vertices_.end(), vertex) != vertices_.end();
}

Memories::Memories(const Topology& t) : ObjectsOfCores(t, "memory", memory_above) {}

OutermostCaches::OutermostCaches(const Topology& t) : ObjectsOfCores(t, "cache", outermost_cache_above) {}

double OutermostCaches::bytes(int cache) const {
  return static_cast<double>(topology().object(vertex(cache))->cache_bytes);
}

}  // namespace strata
