// SPDX-License-Identifier: LGPL-2.1-only
#include "flow/memory.h"

#include <algorithm>

namespace strata::flow {

Memory::Memory(const Machine& machine, Flows& flows)
    : machine_(machine),
      memories_(*machine.topology),
      both_copy_(machine.copies().si == 2),
      copy_bandwidth_(machine.copy_bandwidth.si),
      combine_bandwidth_(machine.combine_bandwidth().si),
      cache_bandwidth_(cache_bandwidth(machine).si),
      of_combined_(machine.memory->bandwidth.si / memory_combine_bandwidth(*machine.memory).si),
      busy_(machine.topology->cores().size()),
      cache_share_(busy_.size(), -1) {
  for (int m = 0; m < memories_.count(); ++m) {
    const int link = flows.add_link(machine.memory->bandwidth.si);
    if (m == 0) first_memory_link_ = link;
  }
  first_core_link_ = first_memory_link_ + memories_.count();
  for (size_t core = 0; core < busy_.size(); ++core) flows.add_link(copy_bandwidth_);
}

void Memory::occupy(int core) {
  if (!started_) busy_[core] = true;
}

bool Memory::stays_in_cache(int core, double bytes) {
  started_ = true;
  double& share = cache_share_[core];
  if (share < 0) share = cache_share(*machine_.topology, core, busy_);
  return bytes <= share;
}

void Memory::add_uses(int source, int destination, double payload, Path& path) {
  started_ = true;
  const Topology& t = *machine_.topology;
  const bool within_node = t.node(t.cores()[source]) == t.node(t.cores()[destination]);
  if (within_node && payload < machine_.eager_limit.si) return;
  const double working_set = kMovedByCopy * payload;
  const bool reads = !stays_in_cache(source, working_set), writes = !stays_in_cache(destination, working_set);
  const int from = memory_link(source), to = memory_link(destination);
  if (from == to && reads && writes) {
    path.uses.push_back({from, 2});
  } else {
    if (reads) path.uses.push_back({from, 1});
    if (writes) path.uses.push_back({to, 1});
  }
  if (!within_node) return;  // the network cards copy
  // From cache to cache, a core copies as fast as messages of that level flow.
  const double of_core = reads || writes ? 1 : std::min(1.0, copy_bandwidth_ / path.bandwidth);
  const double copies_here = both_copy_ && source == destination ? 2 : 1;
  path.uses.push_back({core_link(destination), copies_here * of_core});
  if (both_copy_ && source != destination) path.uses.push_back({core_link(source), of_core});
}

const Work& Memory::copy(int core, double bytes) {
  const double moved = kMovedByCopy * bytes;
  return work(core, bytes / copy_bandwidth_, stays_in_cache(core, moved) ? 0 : moved);
}

const Work& Memory::combine(int core, double bytes) {
  constexpr double kOperands = 2;
  return stream(core, 0, kMovedByCombine * bytes, kOperands * bytes);
}

const Work& Memory::stream(int core, double flops, double bytes, double working_set) {
  const bool cached = stays_in_cache(core, working_set);
  const double computing_s = flops / machine_.core_speed.si;
  const double moving_s = bytes / (cached ? cache_bandwidth_ : kMovedByCombine * combine_bandwidth_);
  return work(core, std::max(computing_s, moving_s), cached ? 0 : of_combined_ * bytes);
}

const Work& Memory::compute(int core, double seconds) { return work(core, seconds, 0); }

const Work& Memory::work(int core, double seconds, double moved) {
  work_.amount = seconds <= 0 ? 0 : seconds * copy_bandwidth_;  // a copy that takes the same time
  work_.path.bandwidth = copy_bandwidth_;
  work_.path.uses.clear();
  work_.path.uses.push_back({core_link(core), 1});
  if (moved > 0 && work_.amount > 0) work_.path.uses.push_back({memory_link(core), moved / work_.amount});
  return work_;
}

}  // namespace strata::flow
