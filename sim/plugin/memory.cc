// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/plugin/memory.h"

#include <algorithm>
#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Semaphore.hpp>

#include "sim/plugin/core_of.h"

namespace strata::sim {
namespace {

int own_core() { return core_of(*simgrid::s4u::this_actor::get_host()); }

}  // namespace

Memory::Memory(const Machine& machine, FlowModel& flows)
    : machine_(machine),
      flows_(flows),
      memories_(*machine.topology),
      both_copy_(machine.copies().si == 2),
      copy_bandwidth_(machine.copy_bandwidth.si),
      combine_bandwidth_(machine.combine_bandwidth().si),
      cache_bandwidth_(cache_bandwidth(machine).si),
      of_combined_(machine.memory->bandwidth.si / memory_combine_bandwidth(*machine.memory).si),
      busy_(machine.topology->cores().size()),
      cache_share_(busy_.size(), -1) {
  for (int m = 0; m < memories_.count(); ++m) {
    const int link = flows_.add_link(machine.memory->bandwidth.si);
    if (m == 0) first_memory_link_ = link;
  }
  first_core_link_ = first_memory_link_ + memories_.count();
  for (size_t core = 0; core < busy_.size(); ++core) flows_.add_link(copy_bandwidth_);
  // All ranks are there before the first of them does anything.
  simgrid::s4u::Actor::on_creation_cb([this](const simgrid::s4u::Actor& actor) {
    if (!started_) busy_[core_of(*actor.get_host())] = true;
  });
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
  // From cache to cache a core copies as fast as messages of that level go.
  const double of_core = reads || writes ? 1 : std::min(1.0, copy_bandwidth_ / path.bandwidth);
  const double copies_here = both_copy_ && source == destination ? 2 : 1;
  path.uses.push_back({core_link(destination), copies_here * of_core});
  if (both_copy_ && source != destination) path.uses.push_back({core_link(source), of_core});
}

void Memory::copy(double bytes) {
  const int core = own_core();
  const double moved = kMovedByCopy * bytes;
  work(core, bytes / copy_bandwidth_, stays_in_cache(core, moved) ? 0 : moved);
}

void Memory::combine(double bytes) {
  constexpr double kOperands = 2;
  stream(0, kMovedByCombine * bytes, kOperands * bytes);
}

void Memory::stream(double flops, double bytes, double working_set) {
  const int core = own_core();
  const bool cached = stays_in_cache(core, working_set);
  const double computing_s = flops / machine_.core_speed.si;
  const double moving_s = bytes / (cached ? cache_bandwidth_ : kMovedByCombine * combine_bandwidth_);
  work(core, std::max(computing_s, moving_s), cached ? 0 : of_combined_ * bytes);
}

void Memory::compute(double seconds) { work(own_core(), seconds, 0); }

void Memory::work(int core, double seconds, double moved) {
  if (seconds <= 0) return;
  const double copied = seconds * copy_bandwidth_;  // by the copy that would take the core as long
  Path path;
  path.bandwidth = copy_bandwidth_;
  path.uses.push_back({core_link(core), 1});
  if (moved > 0) path.uses.push_back({memory_link(core), moved / copied});
  // SMPI does not need to know that the rank goes on: the launcher loads each rank's program for itself, or all share
  // one.
  const simgrid::s4u::SemaphorePtr done = simgrid::s4u::Semaphore::create(0);
  flows_.start_work(copied, path, [done] { done->release(); });
  done->acquire();
}

}  // namespace strata::sim
