// SPDX-License-Identifier: LGPL-2.1-only
#include "command/mapped_ranks.h"

namespace strata::command {

mpix::PlaceTree place_tree_of(const Topology& t, const std::vector<Binding>& ranks) {
  std::vector<int> cores;
  cores.reserve(ranks.size());
  for (const Binding& b : ranks) cores.push_back(b.core);
  return mpix::place_tree(t, cores);
}

std::vector<int> processes_by_mapping(const Machine& machine, const std::vector<Binding>& ranks, const Pattern& pattern,
                                      mpix::MapMethod method) {
  return mpix::inverse(mpix::map_ranks(pattern, place_tree_of(*machine.topology, ranks), method));
}

}  // namespace strata::command
