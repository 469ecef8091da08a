// SPDX-License-Identifier: LGPL-2.1-only
// Adaptive routing between the routers of a torus or a dragonfly: minimal routes, or a detour if those are full.
//
// This is UGAL, universal globally adaptive load balancing, as J. Kim, W. J. Dally, S. Scott, D. Abts use it for the
// dragonfly ("Technology-Driven, Highly-Scalable Dragonfly Topology", ISCA 2008) and as Aries does (B. Alverson, E.
// Froese, L. Kaplan, D. Roweth, "Cray XC Series Network", 2012). In addition to the minimal routes it considers those
// via one other router, drawn for each message (Valiant's), and takes them only if
//
//   load of the minimal routes * their hops > load of the detour * its hops
//
// because a route with twice as many links only pays off for everyone if they are half as full. The load of a route is
// that of its fullest link: the sum of the rates that this message and those under way on the link would need if each
// got as much as this one gets alone, relative to the link's capacity. A link that is not full counts 1.
//
// UGAL decides for each packet, from the queues that a router sees. Here a message decides once, when it is sent, from
// all queues. So a long message is not divided between the two, and does not change its route.
#pragma once

#include <cstdint>
#include <vector>

#include "flow/fair_shares.h"
#include "flow/route_tree.h"

namespace strata::flow {

/// The same calls give the same ways.
class Detours {
 public:
  /// `queued`: the current number of messages under way on each link, by RouteTree's numbers. Both references must
  /// outlive this.
  Detours(const RouteTree& tree, int routers, const std::vector<double>& queued)
      : tree_(tree), routers_(routers), queued_(queued) {}

  /// Appends the links of a message of `payload` bytes between two cores, with the part of its bytes on each. O(links).
  RouteTree::Way find(int core_a, int core_b, double payload, std::vector<FairShares::Use>& uses);

 private:
  int draw(int from, int to);
  double load(const std::vector<FairShares::Use>& uses, double bandwidth) const;

  const RouteTree& tree_;
  const int routers_;
  const std::vector<double>& queued_;
  std::uint64_t messages_ = 0;
  std::vector<FairShares::Use> minimal_, around_;  // scratch
};

}  // namespace strata::flow
