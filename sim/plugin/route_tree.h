// The machine's tree as messages travel it: cores, the vertices where paths meet, and a link up and a link down
// between.
//
// Chains of vertices with one child are contracted: nothing meets there. What is left are the cores and the branch
// vertices (cores below at least two children); each but the top has one link up and one down, as wide as the branch
// above it says (LevelCosts::link_bandwidth). A message climbs from its core to where it meets the way down to the
// other.
#pragma once

#include <vector>

#include "platforms/machine.h"

namespace strata::sim {

class RouteTree {
 public:
  /// `machine` must outlive the tree. Its loader has made sure that every branch has costs.
  explicit RouteTree(const Machine& machine);

  struct Stop {
    int up;                   // the branch above, as an index into stops(); -1 at the top
    int depth;                // stops above
    int vertex;               // in the topology
    const LevelCosts* costs;  // of messages that meet here; null at a core
    double link_bandwidth;    // B/s of the link to `up`, each way; 0 at the top
  };
  /// Cores first, by their index in Topology::cores(), then branches.
  const std::vector<Stop>& stops() const { return stops_; }
  int num_cores() const { return num_cores_; }

  /// The stop where the paths of two different cores meet. O(depth).
  int meet(int core_a, int core_b) const;

 private:
  std::vector<Stop> stops_;
  int num_cores_;
};

}  // namespace strata::sim
