// SPDX-License-Identifier: LGPL-2.1-only
// The cost of one message alone on a machine, and the links that it takes.
//
// The vertex at which the paths of two cores meet names the level, whose figures hold. Chains of vertices with a single
// child that has cores are contracted: a link belongs to the place where the tree branches. So a vertex has an up link
// and a down link where its parent has at least two children with cores; each carries the `link_bandwidth` of the
// parent's level. A message climbs the up links from its sender's core to below the meeting vertex and goes down the
// down links to the receiver's. A core's messages to itself take its loopback, which carries
// Machine::loopback_bandwidth.
//
// On a torus or a dragonfly (platforms/fabric_network.h) no such links join vertices of the network. The last up link
// is that of the node, its injection; then come the links of the fabric's route, each of which adds its hop latency;
// then the receiver's node's down link. A fabric's link may carry less than the level's bandwidth: then a message alone
// gets what the narrowest on its way carries. Where messages are spread over several ways each link has a part of the
// bytes, and a message's hops are the mean of its ways'.
//
// Where a level has a duplex bandwidth, each child's up link and down link are one more link together, which a message
// takes with a weight: a message of x B/s takes weight times x of it. The weight is 1 on a tree. All levels of a fabric
// share a node's injection; the link of both ways carries the largest of their duplex bandwidths, D, and messages of a
// level with a smaller one, d, weigh D / d.
//
// On a machine with figures of its memory a message takes memories and cores too (memory.h), and alone gets at most
// what the memory carries and a core copies.
#pragma once

#include <optional>
#include <vector>

#include "models/memory.h"
#include "platforms/fabric.h"
#include "platforms/machine.h"
#include "platforms/placement.h"

namespace strata::models {

struct MessageCost {
  double latency_s;
  double overhead_s;             // the part of the latency that keeps the sender busy
  double bandwidth_bytes_per_s;  // what the message gets alone
  double gap_s = 0;              // until the next message may leave the sender's node
};

/// A machine's figures by vertex. Keeps a reference to the machine. Immutable; reading from several threads is safe.
class MessageCosts {
 public:
  /// O(vertices). Throws std::logic_error where cores meet at a level without figures: load_machine lets none through.
  /// Cores without any of `ranks` leave their part of caches to the others; without ranks all cores have one.
  explicit MessageCosts(const Machine& machine, const std::vector<Binding>& ranks = {});

  /// The cost of a message of `bytes` of payload from core `a` to core `b` (vertices). O(depth + links + segments).
  MessageCost between(int a, int b, double bytes) const;
  /// The capacity of the up link of `v`, and of its down link, in B/s; 0 if it has none.
  double link_bandwidth(int v) const { return link_bandwidth_[v]; }
  /// The capacity of both together, in B/s; 0 where nothing is stated.
  double duplex_bandwidth(int v) const { return duplex_bandwidth_[v]; }
  /// The weight with which a message whose paths meet at `meeting` takes that of both links of `v`, which is below; 0
  /// if it does not.
  double duplex_weight(int v, int meeting) const;
  /// Whether any level has a duplex bandwidth.
  bool has_duplex() const { return has_duplex_; }
  /// How long a core takes alone to combine two operands of `bytes`.
  double combine_s(int core, double bytes) const;
  /// The uses of a message of `bytes` of payload; none where the machine has no figures of its memory.
  std::vector<MemoryUse> memory_uses(int a, int b, double bytes) const;
  /// The parts that messages and combinations take of memories and cores; null where the machine has no figures of its
  /// memory.
  const MemoryUses* memory() const { return memory_ ? &*memory_ : nullptr; }
  /// Appends the fabric's links from core `a` to core `b`, with the part of a message's bytes that takes them; nothing
  /// on a tree or where they have one router.
  void fabric_ways(int a, int b, std::vector<Fabric::Part>& parts) const;
  /// Whether a message from core `a` to core `b` may take longer ways than these, by what else is under way.
  bool may_go_around(int a, int b) const;
  const Machine& machine() const { return machine_; }
  const Topology& topology() const { return *machine_.topology; }

 private:
  MessageCost of_level(int a, int b, double bytes) const;  // regardless of memories and cores

  const Machine& machine_;
  std::vector<const LevelCosts*> costs_;  // by vertex; null where no two cores meet
  std::vector<double> link_bandwidth_;    // by vertex
  std::vector<double> duplex_bandwidth_;  // by vertex
  bool has_duplex_ = false;
  double injection_duplex_ = 0;  // of a fabric: the largest of its levels, B/s
  double combine_bandwidth_;     // B/s of one operand
  std::optional<MemoryUses> memory_;
};

}  // namespace strata::models
