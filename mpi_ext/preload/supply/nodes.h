// SPDX-License-Identifier: LGPL-2.1-only
// Which ranks of a communicator share a host, in the form that SMPI's two-level algorithms use. Three ranks, of which
// actors 1 and 3 are on one host and actor 2 on another:
//
//   nodes_of({1, 2, 3}, {0, 1, 0})   gives nodes {{0, 2}, {1}}, leaders {1, 2, 1}, sizes {2, 1}
//
// Cost: O(P log P) for P ranks.
#pragma once

#include <vector>

namespace strata::mpix {

/// The ranks of a communicator by host. The leader of a host is its first actor.
struct Nodes {
  std::vector<std::vector<int>> ranks;  // of each host by actor; hosts by leader
  std::vector<int> leaders;             // by rank: the leader of its host
  std::vector<int> index;               // by rank: its host's index in `ranks`
  std::vector<int> sizes;               // by host: the number of its ranks
  bool uniform = true;                  // all hosts have the same number
  bool blocked = true;                  // on each host, the next actor has the next rank
};

/// `actors[r]` is the actor of rank r, and `hosts[r]` a number of its host, the same for all ranks of the host.
Nodes nodes_of(const std::vector<long>& actors, const std::vector<int>& hosts);

}  // namespace strata::mpix
