// The links that a message takes (message_cost.h): up from its sender's core to below the vertex where the paths meet,
// and down to its receiver's; a core's loopback for a message to itself.
#pragma once

#include <cstddef>
#include <string>

#include "models/message_cost.h"

namespace strata::models {

struct Link {
  enum class Direction { kUp, kDown, kLoopback };
  static constexpr int kDirections = 3;
  int vertex;  // of which it is the link
  Direction direction;
  double capacity_bytes_per_s;
};

/// Calls `visit` with each link on the way from core `from` to core `to` (vertices). O(depth).
template <class Visit>
void for_each_link(const MessageCosts& costs, int from, int to, Visit visit) {
  if (from == to) return visit(Link{from, Link::Direction::kLoopback, costs.machine().loopback_bandwidth(from).value});
  const Topology& t = costs.topology();
  const int meeting = t.lowest_common_ancestor(from, to);
  const auto climb = [&](int core, Link::Direction direction) {
    for (int v = core; v != meeting; v = t.parent(v)) {
      if (costs.link_bandwidth(v) > 0) visit(Link{v, direction, costs.link_bandwidth(v)});
    }
  };
  climb(from, Link::Direction::kUp);
  climb(to, Link::Direction::kDown);
}

/// One past the largest link_index.
inline size_t num_link_indexes(const Machine& machine) {
  return static_cast<size_t>(machine.topology->num_vertices()) * Link::kDirections;
}

/// Another for every link, in the order of the tree.
inline size_t link_index(const Link& link, const Machine&) {
  return static_cast<size_t>(link.vertex) * Link::kDirections + static_cast<size_t>(link.direction);
}

/// "up link of node 3", "down link of core 5 of node 3", "loopback of core 0 of node 0".
std::string describe(const Link& link, const Topology& topology);

}  // namespace strata::models
