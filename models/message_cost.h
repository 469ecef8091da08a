// SPDX-License-Identifier: LGPL-2.1-only
// The cost of a single message on an idle machine, and the links that it takes.
//
// The vertex at which the paths of two cores meet gives the level, whose figures apply. Chains of vertices with a
// single child that has cores are contracted, so a link belongs to the place where the tree branches: a vertex has an
// up link and a down link if its parent has at least two children with cores, and each has the `link_bandwidth` of the
// parent's level. A message climbs the up links from its sender's core to below the meeting vertex and goes down the
// down links to the receiver's. A core's messages to itself take its loopback, with Machine::loopback_bandwidth.
//
// On a torus or a dragonfly (platforms/fabric_network.h) network vertices have no such links. The last up link is that
// of the node, its injection; then come the links of the fabric's route, each of which adds its hop latency; then the
// receiver's node's down link. If a fabric's link has less than the level's bandwidth, a message alone gets that of the
// narrowest link on its path. If messages are spread over several routes, each link gets a part of the bytes, and a
// message's number of hops is the mean over its routes.
//
// If a level has a duplex bandwidth, each child's up link and down link together are one more link, which a message
// takes with a weight: a message of x B/s takes weight times x of it. On a tree the weight is 1. All levels of a fabric
// share a node's injection; the joint link has the largest of their duplex bandwidths, D, and messages of a level with
// a smaller one, d, have weight D / d.
//
// If nodes have several ports (platforms/network_ports.h), a message between nodes goes through the tree of its
// sender's node to the object of its port instead of to the node, through the port's link out, and on over the node's
// up link; and the other way round at its receiver's. Divided among several ports, it takes a part of each.
//
// On a machine with figures of its memory a message also uses memories, caches and cores (memory.h); alone, it gets at
// most the memory's bandwidth and a core's copy bandwidth.
#pragma once

#include <optional>
#include <vector>

#include "models/memory_uses.h"
#include "platforms/fabric.h"
#include "platforms/machine.h"
#include "platforms/placement.h"
#include "platforms/port_places.h"

namespace strata::models {

struct MessageCost {
  double latency_s;
  double overhead_s;              // the part of the latency that keeps the sender busy
  double bandwidth_bytes_per_s;   // what the message gets alone
  double gap_s = 0;               // until the next message may leave the sender's node
  double receive_overhead_s = 0;  // the part of the latency that keeps the receiver busy, once the message has arrived

  /// The part of the latency in which neither is busy.
  double wire_s() const { return latency_s - overhead_s - receive_overhead_s; }
};

/// A machine's figures by vertex. Keeps a reference to the machine. Immutable; reading from several threads is safe.
class MessageCosts {
 public:
  /// O(vertices). Throws std::logic_error if cores meet at a level without figures, which load_machine does not allow.
  /// `ranks`: for MemoryUses.
  explicit MessageCosts(const Machine& machine, const std::vector<Binding>& ranks = {});

  /// The cost of a message of `bytes` of payload from core `a` to core `b` (vertices). O(depth + links + segments).
  MessageCost between(int a, int b, double bytes) const;
  /// The capacity of the up link of `v`, and of its down link, in B/s; 0 if it has none.
  double link_bandwidth(int v) const { return link_bandwidth_[v]; }
  /// The capacity of both together, in B/s; 0 if it is not stated.
  double duplex_bandwidth(int v) const { return duplex_bandwidth_[v]; }
  /// The weight with which a message whose paths meet at `meeting` uses the joint link of `v`, which is below; 0 if it
  /// does not.
  double duplex_weight(int v, int meeting) const;
  /// Whether any level has a duplex bandwidth.
  bool has_duplex() const { return has_duplex_; }
  /// The time that a core takes alone to combine two operands of `bytes`.
  double combine_s(int core, double bytes) const;
  /// The uses of memories, caches and cores by a message of `bytes` of payload; none where the machine has neither
  /// figures of its memory nor of copies.
  std::vector<MemoryUse> memory_uses(int a, int b, double bytes) const;
  /// The parts that messages and combinations take of memories and cores; null where the machine has no figures of its
  /// memory.
  const MemoryUses* memory() const { return memory_ ? &*memory_ : nullptr; }
  /// The ports if a message from core `a` to core `b` goes through some; otherwise null.
  const PortPlaces* ports_between(int a, int b) const {
    return ports_ && topology().node(a) != topology().node(b) ? &*ports_ : nullptr;
  }
  /// Which network card or port admits the messages of a core, of num_cards(): a machine's gaps are between those.
  int card(int core) const { return ports_ ? ports_->of(topology().first_core(core), 0).first : topology().node(core); }
  int num_cards() const { return ports_ ? ports_->count() : topology().num_nodes(); }
  /// Appends the fabric's links from core `a` to core `b`, with the part of a message's bytes on each; none on a tree
  /// or if they have the same router.
  void fabric_ways(int a, int b, std::vector<Fabric::Part>& parts) const;
  /// Whether a message from core `a` to core `b` may take longer routes, depending on other traffic.
  bool may_go_around(int a, int b) const;
  const Machine& machine() const { return machine_; }
  const Topology& topology() const { return *machine_.topology; }

 private:
  MessageCost of_level(int a, int b, double bytes) const;  // regardless of memories and cores
  // memory_uses, with the bandwidth of of_level (B/s).
  std::vector<MemoryUse> uses_at(int a, int b, double bytes, double bandwidth) const;

  const Machine& machine_;
  std::vector<const LevelCosts*> costs_;  // by vertex; null where no two cores meet
  std::vector<double> link_bandwidth_;    // by vertex
  std::vector<double> duplex_bandwidth_;  // by vertex
  bool has_duplex_ = false, has_copies_ = false;
  double injection_duplex_ = 0;  // of a fabric: the largest of its levels, B/s
  double combine_bandwidth_;     // B/s of one operand
  std::optional<MemoryUses> memory_;
  std::optional<PortPlaces> ports_;
};

}  // namespace strata::models
