// SPDX-License-Identifier: LGPL-2.1-only
// The network ports of a node that has several: a card for each processor, a card for each GPU, two rails.
//
//   network: {nodes: 4, ports: {at: [Package 0, Package 1], rule: nearest}}
//   costs: {ports: {bandwidth: F, far_latency: F, stripe_from: F}}
//
// Each port is attached to an object of the node. A message to another node goes from its sender's core to the object
// of the port, through the port, over the node's link, which its ports share, and the network; and in through a port of
// the receiver's node. If a core is not below the port's object, its messages take the links between the two parts of
// the node as well.
//
//   rule         the port that a rank takes, by its core. `nearest`: the one with which it shares the innermost object;
//                cores with several nearest ones take turns. `turns`: core i of the node takes port i mod n.
//   bandwidth    B/s of one port, each way
//   far_latency  s that each end of a message adds whose core is not below its port's object
//   stripe_from  B: messages of this size and more are divided evenly among all ports of both nodes
//
// For example two nodes of two processors, each processor with a port of 12.5 GB/s. With `nearest`, both processors
// send at 12.5 GB/s at the same time. If both ports are at Package 0, messages of Package 1 also take the links between
// the processors. With `stripe_from: 16 KiB` one rank alone can send long messages at 25 GB/s.
//
// Sources: Cray MPICH's MPICH_OFI_NIC_POLICY chooses NUMA, ROUND-ROBIN or BLOCK (intro_mpi(3)); UCX takes the nearest
// device and divides rendezvous messages among UCX_MAX_RNDV_RAILS of them (its frequently asked questions).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/words.h"
#include "platforms/figure.h"

namespace strata {

enum class PortRule { kNearest, kTurns };

inline constexpr Word<PortRule> kPortRules[] = {{PortRule::kNearest, "nearest"}, {PortRule::kTurns, "turns"}};

struct NetworkPorts {
  std::vector<std::string> at = {};  // by port: an object of the node, "Package 1", as hwloc numbers those of its type
  PortRule rule = PortRule::kNearest;
  Figure bandwidth = {};                   // B/s
  std::optional<Figure> far_latency = {};  // s; 0 if left out
  std::optional<Figure> stripe_from = {};  // B; never if left out
};

}  // namespace strata
