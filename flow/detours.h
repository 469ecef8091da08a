// SPDX-License-Identifier: LGPL-2.1-only
// Adaptive routing between the routers of a torus or a dragonfly: the minimal ways, or a way around where those are
// full.
//
// This is UGAL, universal globally adaptive load balancing, as J. Kim, W. J. Dally, S. Scott, D. Abts use it for the
// dragonfly ("Technology-Driven, Highly-Scalable Dragonfly Topology", ISCA 2008) and Aries has it (B. Alverson,
// E. Froese, L. Kaplan, D. Roweth, "Cray XC Series Network", 2012). Beside the minimal ways it considers those by way
// of one other router, drawn for each message (Valiant's), and takes them only if
//
//   load of the minimal ways * their hops > load of the ways around * their hops
//
// for what takes twice as many links must find them half as full, or all are worse off. The load of ways is that of
// their fullest link: what the messages that are under way on it, and this one, would ask for if each got as much as
// this one gets alone, relative to what the link carries; a link that is not full counts 1.
//
// UGAL decides by packet, from the queues that a router sees; here a message decides once, when it is sent, from all
// queues. So a long message does not divide between the two, and does not change its mind.
#pragma once

#include <cstdint>
#include <vector>

#include "flow/fair_shares.h"
#include "flow/route_tree.h"

namespace strata::flow {

/// The same calls give the same ways.
class Detours {
 public:
  /// `queued`: how many messages are under way on each link, by RouteTree's numbers, at any time. Both references must
  /// outlive it.
  Detours(const RouteTree& tree, int routers, const std::vector<double>& queued)
      : tree_(tree), routers_(routers), queued_(queued) {}

  /// Appends the links of a message between two cores, with the part of its bytes that each gets. O(links).
  RouteTree::Way find(int core_a, int core_b, std::vector<FairShares::Use>& uses);

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
