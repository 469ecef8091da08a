// SPDX-License-Identifier: LGPL-2.1-only
// The joint capacity of a stop's up and down links, if a level states it (LevelCosts::duplex_bandwidth): one more link,
// which messages in both directions use.
//
// On a tree the level is that above the stop, and every message has weight 1. The levels of a torus or dragonfly share
// a node's injection: its joint link carries the largest of their duplex bandwidths, D, and a message of a level with a
// smaller one, d, takes D / d of it for each byte, so that messages of that level alone get d together. Messages of a
// level without a duplex bandwidth do not use it.
#pragma once

#include <vector>

#include "flow/flows.h"
#include "flow/route_tree.h"
#include "platforms/machine.h"

namespace strata::flow {

/// By stop: the capacity of its joint link, B/s; 0 if it has none.
std::vector<double> duplex_capacities(const Machine& machine, const RouteTree& tree);

class DuplexLinks {
 public:
  /// Adds the joint links to `flows`, if any level states a duplex bandwidth. `tree` must outlive this.
  DuplexLinks(const Machine& machine, const RouteTree& tree, Flows& flows);

  /// Appends the uses of a message between two cores whose paths meet at stop `meet`; `uses` has its other links.
  /// O(links).
  void add_uses(int meet, std::vector<FairShares::Use>& uses) const;

 private:
  const RouteTree& tree_;
  std::vector<int> link_;          // by stop: of the model; -1 without one; empty if no stop has one
  std::vector<bool> injection_;    // by stop: whether its link leads into a fabric
  std::vector<double> in_fabric_;  // by stop where messages meet: their weight on a node's injection; 0: not taken
};

}  // namespace strata::flow
