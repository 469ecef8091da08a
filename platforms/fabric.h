// A network that is no tree: routers, the links among them, and which links a message takes between two routers.
//
// The nodes still hang in a tree (Topology): what the communicator hierarchy sees are its levels (the nodes of a router,
// a dragonfly's group). But where two routers' paths would meet in the tree above, messages take the fabric's links
// instead, by minimal routing, which is deterministic: the same pair takes the same links at all times. (Aries and
// Gemini choose adaptively among minimal and longer ways; what that hides of congestion is not described.)
//
// Torus (Gemini, Blue Waters; T. Alverson, D. Roweth, L. Kaplan, "The Gemini System Interconnect", 2010): a link each
// way between neighbours along each dimension; dimension order, first dimension first, the shorter way round a
// dimension that wraps, of equals the one that grows.
// Dragonfly (Aries, Theta and Piz Daint; B. Alverson, E. Froese, L. Kaplan, D. Roweth, "Cray XC Series Network", 2012):
// a group is a grid of routers, rows (chassis) and columns; the routers of a row are all connected with each other, and
// so are those of a column; groups are connected pairwise by links that end at routers spread evenly over the group. A
// message goes at most along a row and a column within a group, and over one link between groups.
#pragma once

#include <string>
#include <vector>

namespace strata {

/// Immutable once made; reading from several threads is safe. Routers are numbered as they stand in the Topology, from
/// 0; links from 0 to num_links() - 1, each of one direction.
class Fabric {
 public:
  virtual ~Fabric() = default;
  virtual int num_routers() const = 0;
  virtual int num_links() const = 0;
  /// B/s that a link carries.
  virtual double bandwidth(int link) const = 0;
  /// "x+ link of router (1,0,3)", "row link from router 3 to 5 of group 1".
  virtual std::string describe(int link) const = 0;
  /// Appends the links from router `a` to router `b`, in their order; nothing where they are one. O(links).
  virtual void route(int a, int b, std::vector<int>& links) const = 0;
};

}  // namespace strata
