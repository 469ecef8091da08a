// SPDX-License-Identifier: LGPL-2.1-only
// A network that is not a tree: routers, the links among them, and which links a message takes between two routers.
//
// The nodes still hang in a tree (Topology): what the communicator hierarchy sees are its levels (the nodes of a
// router, a dragonfly's group). But where two routers' paths would meet in the tree above, messages take the fabric's
// links instead, by minimal routing, which is deterministic: the same pair takes the same links at all times. (Gemini
// and Aries may choose adaptively among minimal and longer ways; what that hides of congestion is not described.)
// Routes are computed, not stored.
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
  /// Appends the links from router `a` to router `b`, in their order; nothing where they are one. O(links).
  virtual void route(int a, int b, std::vector<int>& links) const = 0;
};

}  // namespace strata
