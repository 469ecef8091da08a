// SPDX-License-Identifier: LGPL-2.1-only
// A network that is not a tree: routers, the links among them, and which links a message takes between two routers.
//
// The nodes still hang in a tree (Topology): what the communicator hierarchy sees are its levels (the nodes of a
// router, a dragonfly's group). But where two routers' paths would meet in the tree above, messages take the fabric's
// links instead. Routes are computed, not stored. A message takes
//   - one minimal way, the same for the same pair at all times (route); or
//   - all minimal ways at once, a part of its bytes each (spread). From (0,0) to (1,1) of a torus with dimension order
//     the two links by (1,0); spread also the two by (0,1), and each link carries half of the message.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace strata {

/// Immutable once made; reading from several threads is safe. Routers are numbered in the order of the Topology, from
/// 0; links from 0 to num_links() - 1, each of one direction. Only the shape: what links carry is the machine's to
/// say, by their kind (fabric_network.h).
class Fabric {
 public:
  struct Ends {
    int from, to;  // routers
  };
  struct Part {
    int link;
    double part;  // of a message's bytes
  };

  virtual ~Fabric() = default;
  virtual int num_routers() const = 0;
  virtual int num_links() const = 0;
  virtual Ends ends(int link) const = 0;
  /// The kinds of links that there are, as machine.yaml calls them: "x", "y", ...; "row", "column", "global".
  virtual const std::vector<std::string>& kinds() const = 0;
  /// An index into kinds().
  virtual int kind(int link) const = 0;
  /// "x+ link of router (1,0,3)", "row link from router (1,0,3) to (1,0,5)".
  virtual std::string describe(int link) const = 0;
  /// Appends the links from router `a` to router `b`, which have nodes, in their order; nothing where they are one.
  /// `seat` is which of the nodes of `b` the message is for, from 0, as ways through a fat tree depend on it; in a
  /// network of switches the node's number as a target (switch_graph.h). O(links).
  virtual void route(int a, int b, int seat, std::vector<int>& links) const = 0;
  /// Appends the links of all minimal ways from router `a` to router `b`, each once, with the part of a message's bytes
  /// that takes it; nothing where they are one. Every minimal way gets an equal part. (In a dragonfly every link
  /// between the two groups does, and of the ways to and from it every shortest one.) What enters a router other than
  /// `b` leaves it. The parts of all links add up to the mean length of the ways. The same pair gives the same parts in
  /// the same order, to the bit. O(links of these ways, times their logarithm).
  virtual void spread(int a, int b, std::vector<Part>& parts) const = 0;
};

}  // namespace strata
