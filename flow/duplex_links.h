// SPDX-License-Identifier: LGPL-2.1-only
// The link up and the link down of a stop together, where a level states their capacity (LevelCosts::duplex_bandwidth):
// one more link, which messages of both ways take.
//
// On a tree that is the level above the stop, and every message weighs 1. The levels of a torus or dragonfly share a
// node's injection: its link of both ways carries the largest of their duplex bandwidths, D, and a message of a level
// with a smaller one, d, takes D / d of it for each byte, so that messages of that level alone get d together. Messages
// of a level that states none do not take it.
#pragma once

#include <vector>

#include "flow/flows.h"
#include "flow/route_tree.h"
#include "platforms/machine.h"

namespace strata::flow {

/// By stop: what its link of both ways carries, B/s; 0 without one.
std::vector<double> duplex_capacities(const Machine& machine, const RouteTree& tree);

class DuplexLinks {
 public:
  /// Adds the links to `flows`; none where no level states a duplex bandwidth. `tree` must outlive it.
  DuplexLinks(const Machine& machine, const RouteTree& tree, Flows& flows);

  /// Appends what a message takes from core `a` to a different core `b`, whose paths meet at stop `meet`. O(depth).
  void add_uses(int a, int b, int meet, std::vector<FairShares::Use>& uses) const;

 private:
  const RouteTree& tree_;
  std::vector<int> link_;          // by stop: of the model; -1 without one; empty if no stop has one
  std::vector<bool> injection_;    // by stop: whether its link leads into a fabric
  std::vector<double> in_fabric_;  // by stop where messages meet: their weight on a node's injection; 0: not taken
};

}  // namespace strata::flow
