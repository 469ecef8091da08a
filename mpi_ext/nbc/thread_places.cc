// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/nbc/thread_places.h"

#include <algorithm>
#include <vector>

#include "platforms/progress_placement.h"

namespace strata::mpix {
namespace {

// The cores below a vertex; if there are none, those of the nearest vertex above that has some.
std::span<const int> cores_of(const Topology& t, int vertex) {
  while (t.num_cores(vertex) == 0) vertex = t.parent(vertex);
  return t.cores().subspan(t.first_core(vertex), t.num_cores(vertex));
}

Binding binding_of(const Topology& t, int vertex, const std::vector<int>& taken) {
  const std::span<const int> cores = cores_of(t, vertex);
  const auto free = std::ranges::find_if(cores, [&](int core) { return std::ranges::count(taken, core) == 0; });
  const int core = free == cores.end() ? cores.front() : *free;
  return {t.node(core), t.object(core)->cpuset, core};
}

}  // namespace

ThreadPlaces find_thread_places(const Where& where, std::span<const Place> ranks, int mine,
                                std::span<const Place> threads, const std::string& policy) {
  const Topology& t = *where.topology;
  std::vector<Binding> of_ranks, of_threads;
  std::vector<int> taken;
  size_t index = 0;  // number of the caller among the ranks of its node
  for (size_t r = 0; r < ranks.size(); ++r) {
    if (ranks[r].node_key != where.place.node_key || ranks[r].tree != where.place.tree) continue;
    if (static_cast<int>(r) == mine) index = of_ranks.size();
    of_ranks.push_back(binding_of(t, static_cast<int>(ranks[r].vertex), taken));
    taken.push_back(of_ranks.back().core);
    if (!threads.empty()) of_threads.push_back(binding_of(t, static_cast<int>(threads[r].vertex), {}));
  }
  if (threads.empty()) of_threads = place_progress(t, of_ranks, policy, "mpix_placement");
  ThreadPlaces places{
      .cpuset = of_threads[index].cpuset, .core = of_threads[index].core, .list = of_threads[index].cpuset.list()};
  places.communicates = std::ranges::count(taken, places.core) == 0;
  std::erase_if(of_threads, [&](const Binding& b) { return std::ranges::count(taken, b.core) > 0; });
  places.communication_cores = count_cores(of_threads);
  places.cores = t.num_cores(t.node_vertex(of_ranks[index].node));
  return places;
}

}  // namespace strata::mpix
