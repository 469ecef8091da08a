// SPDX-License-Identifier: LGPL-2.1-only
#include "flow/memory_shares.h"

#include <algorithm>

namespace strata::flow {

Memory::Memory(const Machine& machine, Flows& flows)
    : machine_(machine),
      flows_(flows),
      memories_(*machine.topology),
      goes_by_buffers_(is_cached_by_buffers(machine)),
      both_copy_(machine.copies().si == 2),
      copy_bandwidth_(machine.copy_bandwidth.si),
      combine_bandwidth_(machine.combine_bandwidth().si),
      cache_bandwidth_(cache_bandwidth(machine).si),
      of_combined_(machine.memory->bandwidth.si / memory_combine_bandwidth(*machine.memory).si),
      caches_(*machine.topology) {
  for (int m = 0; m < memories_.count(); ++m) {
    const int link = flows.add_link(machine.memory->bandwidth.si);
    if (m == 0) first_memory_link_ = link;
  }
  first_core_link_ = first_memory_link_ + memories_.count();
  for (size_t core = 0; core < machine.topology->cores().size(); ++core) flows.add_link(copy_bandwidth_);
  const std::optional<Figure>& of_cache = machine.memory->shared_cache_bandwidth;
  if (!of_cache) return;
  of_combined_in_cache_ = of_cache->si / shared_cache_combine_bandwidth(*machine.memory).si;
  for (int c = 0; c < caches_.count(); ++c) {
    const int link = flows.add_link(of_cache->si);
    if (c == 0) first_cache_link_ = link;
  }
}

void Memory::add_uses(int source, int destination, double payload, bool has_copies, const Spans& spans, Path& path) {
  const Topology& t = *machine_.topology;
  message_ = {.source = source,
              .destination = destination,
              .within_node = t.node(t.cores()[source]) == t.node(t.cores()[destination]),
              .has_copies = has_copies,
              .bandwidth = path.bandwidth,
              .first_use = path.uses.size()};
  if (message_.within_node && payload < machine_.eager_limit.si) {
    message_.source = -1;
    return;
  }
  const double working_set = kMovedByCopy * payload;
  message_.data[0] = {source, working_set, false, known(spans.source)};
  if (destination != source) {
    message_.data[1] = {destination, working_set, false, known(spans.destination)};
  } else {
    message_.data[0].span = known(std::max(spans.source, spans.destination));
  }
  message_.cached[0] = caches_.fits(message_.data[0], message_.data[1]);
  message_.cached[1] = destination == source ? message_.cached[0] : caches_.fits(message_.data[1], message_.data[0]);
  add_uses_of_message(message_, path.uses);
}

void Memory::add_uses_of_message(const UnderWay& m, std::vector<FairShares::Use>& uses) const {
  const bool reads = !m.cached[0], writes = !m.cached[1];  // memory
  const int from = reads ? memory_link(m.source) : cache_link(m.source);
  const int to = writes ? memory_link(m.destination) : cache_link(m.destination);
  if (from == to && from >= 0) {
    uses.push_back({from, 2});
  } else {
    if (from >= 0) uses.push_back({from, 1});
    if (to >= 0) uses.push_back({to, 1});
  }
  if (!m.within_node || m.has_copies) return;  // between nodes the network cards copy
  // From cache to cache, a core copies as fast as messages of that level flow.
  const double of_core = reads || writes ? 1 : std::min(1.0, copy_bandwidth_ / m.bandwidth);
  const double copies_here = both_copy_ && m.source == m.destination ? 2 : 1;
  uses.push_back({core_link(m.destination), copies_here * of_core});
  if (both_copy_ && m.source != m.destination) uses.push_back({core_link(m.source), of_core});
}

const Work& Memory::copy(int core, double bytes, double span) {
  const double moved = kMovedByCopy * bytes, seconds = bytes / copy_bandwidth_;
  return work_on({core, moved, false, known(span)}, seconds, moved, seconds, moved);
}

const Work& Memory::combine(int core, double bytes, double span) {
  constexpr double kOperands = 2;
  return stream_on({core, kOperands * bytes, false, known(span)}, 0, kMovedByCombine * bytes);
}

// A computation that goes through its data once has the bytes that it moves for a working set.
const Work& Memory::stream(int core, double flops, double bytes, double working_set) {
  return stream_on({core, working_set, working_set != bytes}, flops, bytes);
}

const Work& Memory::stream_on(const Data& data, double flops, double bytes) {
  const double computing_s = flops / machine_.core_speed.si;
  return work_on(data, std::max(computing_s, bytes / cache_bandwidth_), of_combined_in_cache_ * bytes,
                 std::max(computing_s, bytes / (kMovedByCombine * combine_bandwidth_)), of_combined_ * bytes);
}

const Work& Memory::compute(int core, double seconds) { return work(core, seconds, -1, 0); }

const Work& Memory::work_on(const Data& data, double cached_s, double moved_in_cache, double seconds, double moved) {
  if (!caches_.fits(data)) {
    work(data.core, seconds, memory_link(data.core), moved);
    work_.data = data;
    return work_;
  }
  work(data.core, cached_s, cache_link(data.core), moved_in_cache);
  work_.data = data;
  work_.cached = true;
  if (seconds <= 0) return work_;
  work_.scale = cached_s <= 0 ? 1 : seconds / cached_s;
  work_.memory_weight = moved / (seconds * copy_bandwidth_);
  return work_;
}

const Work& Memory::work(int core, double seconds, int link, double moved) {
  work_.amount = seconds <= 0 ? 0 : seconds * copy_bandwidth_;  // a copy that takes the same time
  work_.path.bandwidth = copy_bandwidth_;
  work_.path.uses.clear();
  add_uses_of_work(core, link, moved > 0 && work_.amount > 0 ? moved / work_.amount : 0, work_.path.uses);
  work_.data = {};
  work_.cached = false;
  work_.scale = 1;
  work_.memory_weight = 0;
  return work_;
}

void Memory::add_uses_of_work(int core, int link, double weight, std::vector<FairShares::Use>& uses) const {
  uses.push_back({core_link(core), 1});
  if (link >= 0 && weight > 0) uses.push_back({link, weight});
}

// --- what is under way ---

// Data are numbered 2 flow (of a work, or at a message's source) and 2 flow + 1 (at its destination).

void Memory::begin_message(int flow, double now) {
  if (under_way_.size() <= static_cast<size_t>(flow)) under_way_.resize(flow + size_t{1});
  under_way_[flow] = message_;
  begin(flow, now);
}

void Memory::begin_work(int flow, const Work& work, double now) {
  if (under_way_.size() <= static_cast<size_t>(flow)) under_way_.resize(flow + size_t{1});
  under_way_[flow] = {
      .data = {work.data}, .cached = {work.cached}, .scale = work.scale, .memory_weight = work.memory_weight};
  begin(flow, now);
}

void Memory::begin(int flow, double now) {
  evicted_.clear();
  for (int side = 0; side < 2; ++side) {
    const UnderWay& u = under_way_[flow];
    if (u.data[side].core >= 0) caches_.enter(2 * flow + side, u.data[side], u.cached[side], evicted_);
  }
  for (const int number : evicted_) evict(number / 2, number % 2, now);
}

void Memory::evict(int flow, int side, double now) {
  UnderWay& u = under_way_[flow];
  u.cached[side] = false;
  uses_.clear();
  if (u.source < 0) {
    add_uses_of_work(u.data[0].core, memory_link(u.data[0].core), u.memory_weight, uses_);
  } else {
    if (u.source == u.destination) u.cached[1] = false;
    add_uses_of_message(u, uses_);
  }
  flows_.change_uses(flow, u.first_use, uses_, u.scale, now);
}

void Memory::end(int flow) {
  if (under_way_.size() <= static_cast<size_t>(flow)) return;
  UnderWay& u = under_way_[flow];
  for (int side = 0; side < 2; ++side) {
    if (u.data[side].core >= 0) caches_.leave(2 * flow + side);
    u.data[side] = {};
  }
}

}  // namespace strata::flow
