// SPDX-License-Identifier: LGPL-2.1-only
// A network that is not a tree: routers, the links between them, and the links of a message's route between two
// routers.
//
// The nodes still form a tree (Topology), whose levels the communicator hierarchy uses (the nodes of a router, a
// dragonfly's group). But between two routers, messages take the fabric's links instead of paths in that tree. Routes
// are computed, not stored. A message takes
//   - one minimal route, always the same for the same pair (route); or
//   - all minimal routes at once, with a part of its bytes on each (spread). For example, from (0,0) to (1,1) of a
//   torus
//     with dimension order, route() returns the two links via (1,0); spread() also returns the two via (0,1), and each
//     link carries half of the message.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace strata {

/// Immutable once made; reading from several threads is safe. Routers are numbered from 0 in the order of the Topology;
/// links from 0 to num_links() - 1, each in one direction. A fabric is only the shape: the machine gives the bandwidths
/// of links, by their kind (fabric_network.h).
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
  /// The kinds of links, with their names in machine.yaml: "x", "y", ...; "row", "column", "global".
  virtual const std::vector<std::string>& kinds() const = 0;
  /// An index into kinds().
  virtual int kind(int link) const = 0;
  /// "x+ link of router (1,0,3)", "row link from router (1,0,3) to (1,0,5)".
  virtual std::string describe(int link) const = 0;
  /// Appends the links from router `a` to router `b`, which have nodes, in their order; none if they are the same.
  /// `seat` is the index, from 0, of the destination among the nodes of `b`, on which routes through a fat tree depend;
  /// in a network of switches it is the node's number as a target (switch_graph.h). O(links).
  virtual void route(int a, int b, int seat, std::vector<int>& links) const = 0;
  /// Appends the links of all minimal routes from router `a` to router `b`, each once, with the part of a message's
  /// bytes that takes it; none if they are the same. Every minimal route gets an equal part. (In a dragonfly every link
  /// between the two groups does, and every shortest route to and from it.) The bytes that enter a router other than
  /// `b` also leave it. The parts of all links add up to the mean length of the routes. The same pair gives the same
  /// parts in the same order, to the bit. O(links of these routes, times their logarithm).
  virtual void spread(int a, int b, std::vector<Part>& parts) const = 0;
};

}  // namespace strata
