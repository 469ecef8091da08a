// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/reorder/division.h"

#include <algorithm>
#include <span>

#include "mpi_ext/reorder/partition.h"

namespace strata::mpix {

void divide_below(int v, const AffinityGraph& graph, const std::vector<int>& ranks, const Seats& seats, int tries,
                  Random& random, std::vector<int>& process) {
  // If all seats are equally far from each other, any assignment will do.
  const std::span<const int> children = seats.children(v);
  if (std::all_of(children.begin(), children.end(), [&](int child) { return seats.below(child) == 1; })) {
    for (size_t i = 0; i < ranks.size(); ++i) process[ranks[i]] = seats.process(seats.first(v) + static_cast<int>(i));
    return;
  }
  // The vertex's own seats are a part, like those of each child.
  std::vector<int> sizes = {seats.own(v)};
  for (int child : children) sizes.push_back(seats.below(child));
  const std::vector<std::vector<int>> members = members_of(partition(graph, sizes, tries, random), sizes);
  int seat = seats.first(v);
  for (int i : members[0]) process[ranks[i]] = seats.process(seat++);
  for (size_t part = 1; part < sizes.size(); ++part) {
    std::vector<int> its_ranks;
    for (int i : members[part]) its_ranks.push_back(ranks[i]);
    const int child = children[part - 1];
    divide_below(child, induced(graph, members[part]), its_ranks, seats, tries, random, process);
  }
}

}  // namespace strata::mpix
