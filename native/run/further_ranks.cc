// SPDX-License-Identifier: LGPL-2.1-only
#include "native/run/further_ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <new>
#include <utility>

namespace strata::native {

FurtherRanks::FurtherRanks(Board& board, const Machine& machine, const std::vector<NodePlace>& nodes,
                           std::vector<Binding> room, std::string cannot)
    : board_(board),
      nodes_(nodes),
      room_(std::move(room)),
      cores_(core_indexes(*machine.topology, room_)),
      taken_(room_.size()),
      first_(static_cast<int>(board.ranks)),
      cannot_(std::move(cannot)) {}

// Jobs that have ended no longer need their places.
void FurtherRanks::take_back() {
  for (std::size_t i = 0; i < place_of_.size(); ++i) {
    if (place_of_[i] < 0 || board_.slot(first_ + static_cast<int>(i)).has_left == 0) continue;
    taken_[place_of_[i]] = false;
    place_of_[i] = -1;
  }
}

// The first free place; room_.size(): none.
int FurtherRanks::next_on(const std::vector<std::string>& hosts) const {
  std::size_t at = 0;
  for (; at < room_.size(); ++at) {
    const std::string& host = nodes_[room_[at].node].host;
    if (!taken_[at] && (hosts.empty() || std::find(hosts.begin(), hosts.end(), host) != hosts.end())) break;
  }
  return static_cast<int>(at);
}

Admission FurtherRanks::admit(const SpawnOrder& order, const std::string& job) {
  if (!cannot_.empty()) return {.refusal = cannot_, .ends_run = true};
  if (board_.is_virtual == 0) return {.refusal = "ranks cannot be started in MPI_Finalize"};
  take_back();
  std::vector<int> places;
  std::vector<RankPlace> ranks;
  for (std::size_t app = 0; app < order.programs.size(); ++app) {
    const SpawnProgram& program = order.programs[app];
    for (int i = 0; i < program.count; ++i) {
      const int at = next_on(program.hosts);
      if (at == static_cast<int>(room_.size())) {
        for (const int place : places) taken_[place] = false;
        const auto free = std::count(taken_.begin(), taken_.end(), false);
        if (!program.hosts.empty()) {
          return {.refusal = fmt::format("there is no room for rank {} on {}; give more hosts, or a larger --universe",
                                         ranks.size(), fmt::join(program.hosts, ","))};
        }
        return {.refusal = fmt::format("there is room for {} more ranks; give a larger --universe (now {})", free,
                                       first_ + static_cast<int>(room_.size()))};
      }
      taken_[at] = true;
      places.push_back(at);
      ranks.push_back({.node = room_[at].node, .cpuset = room_[at].cpuset.list(), .app = static_cast<int>(app)});
    }
  }
  const auto first = static_cast<int>(board_.ranks.load());
  if (first + ranks.size() > board_.capacity) {
    for (const int place : places) taken_[place] = false;
    return {.refusal = fmt::format("a run can have {} ranks in all, with those that have ended", board_.capacity)};
  }
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const Binding& binding = room_[places[i]];
    Slot& slot = *new (&board_.slot(first + static_cast<int>(i))) Slot;
    slot.node = binding.node;
    slot.core = cores_[places[i]];
    slot.is_spawned = 1;
    std::snprintf(slot.host, sizeof slot.host, "%s", nodes_[binding.node].host.c_str());
    std::snprintf(slot.job, sizeof slot.job, "%s", job.c_str());
    started_.push_back(binding);
    place_of_.push_back(places[i]);
  }
  const auto count = static_cast<std::uint32_t>(ranks.size());
  board_.running.fetch_add(count, std::memory_order_acq_rel);
  board_.ranks.fetch_add(count, std::memory_order_release);
  return {.ranks = std::move(ranks)};
}

}  // namespace strata::native
