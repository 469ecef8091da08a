// SPDX-License-Identifier: LGPL-2.1-only
// The machine's links as messages use them: a tree of cores and of the vertices where paths meet, with an up link and a
// down link between them, and, if the network is not a tree (FabricNetwork), the links between its routers.
//
// Chains of vertices with one child are contracted, because no paths meet there. What remains are the cores and the
// branch vertices (with cores below at least two children). Each except the top has one up link and one down link,
// whose bandwidth is given by the branch above it (LevelCosts::link_bandwidth). A message climbs from its core to the
// vertex where the paths meet, and goes down from there. Above the routers of a fabric the tree has no links: a message
// climbs to its node, takes the node's injection link (the one below the network), goes from router to router, and down
// from the other node. Between the routers it may take several routes at once (Routing::kSpread).
//
// If nodes have several ports (network_ports.h), each has a link out and a link in. A message to another node first
// goes through the tree of its node to the stop of its port, takes the port's link out and then the links of the node;
// and the other way round at its receiver's node. Divided among several ports, it takes a part of each.
#pragma once

#include <optional>
#include <vector>

#include "flow/fair_shares.h"
#include "platforms/fabric.h"
#include "platforms/machine.h"
#include "platforms/port_places.h"

namespace strata::flow {

/// Not thread-safe: find_uses() uses internal buffers.
class RouteTree {
 public:
  /// `machine` must outlive the tree. Its loader has checked that every branch has costs.
  explicit RouteTree(const Machine& machine);

  struct Stop {
    int up;                   // the branch above, as an index into stops(); -1 at the top
    int depth;                // number of stops above
    int vertex;               // in the topology
    const LevelCosts* costs;  // of messages that meet here; null at a core
    double link_bandwidth;    // B/s of the link to `up`, each direction; 0 if it has none
  };
  /// Cores first, by their index in Topology::cores(), then branches.
  const std::vector<Stop>& stops() const { return stops_; }
  int num_cores() const { return num_cores_; }

  /// The stop where the paths of two different cores meet. O(depth).
  int meet(int core_a, int core_b) const;

  struct Way {
    int meet;
    double hops;       // links between routers; the mean if there are several routes
    int far_ends = 0;  // ends of the message whose core is far from its port
  };
  /// Appends the links from one core to a different one, in order; if there are several routes, those of minimal
  /// routing, and the ports of a message that is not divided. O(depth + hops).
  Way find_way(int core_a, int core_b, std::vector<int>& links) const;
  /// Appends the links that a message of `payload` bytes takes with the machine's routing, with the part of its bytes
  /// on each link; if `via` is a router, via that router. O(depth + links).
  Way find_uses(int core_a, int core_b, int via, double payload, std::vector<FairShares::Use>& uses) const;
  /// The router of a core; -1 on a tree.
  int router(int core) const { return fabric_ == nullptr ? -1 : router_[core]; }

  /// The stop whose links connect the core's node with the network: its network card. -1 without a network. O(depth).
  int card(int core) const;
  /// The port of a core's messages that are not divided (port_places.h); -1 if nodes have a single port.
  int port(int core) const { return ports_ ? ports_->of(core, 0).first : -1; }
  /// Null if nodes have a single port.
  const PortPlaces* ports() const { return ports_ ? &*ports_ : nullptr; }

  /// Links are numbered from 0: up and down by stop, out and in by port, then those of the fabric. Some stops have no
  /// links (link_bandwidth).
  int num_links() const { return first_fabric_link_ + num_fabric_links_; }
  static int up_link(int stop) { return 2 * stop; }
  static int down_link(int stop) { return 2 * stop + 1; }
  int first_port_link() const { return 2 * static_cast<int>(stops_.size()); }
  /// B/s; 0 if the link does not exist.
  double link_bandwidth(int link) const;
  int first_fabric_link() const { return first_fabric_link_; }

 private:
  template <class Link, class Across>
  Way walk(int core_a, int core_b, double payload, std::vector<Link>& links, const Across& across) const;
  template <class Link>
  bool pass_ports(int core, int top, double payload, bool outward, std::vector<Link>& links) const;

  const Topology& topology_;
  std::vector<Stop> stops_;
  int num_cores_;
  const FabricNetwork* fabric_;  // null on a tree
  std::vector<int> router_;      // by core, on a fabric
  std::optional<PortPlaces> ports_;
  std::vector<int> port_stop_;  // by port
  double port_bandwidth_ = 0;   // B/s
  int first_fabric_link_, num_fabric_links_;
  mutable std::vector<Fabric::Part> parts_;  // scratch of find_uses()
};

}  // namespace strata::flow
