// SPDX-License-Identifier: LGPL-2.1-only
// Barrier over the communicator hierarchy: empty messages up the bridges, innermost first, then down again. For nodes
// {0, 1}, {2, 3}:
//
//   1 -> 0, 3 -> 2;  2 -> 0;  0 -> 2;  0 -> 1, 2 -> 3
//
// Cost, linear: the sum over the levels of 2 (p_i - 1) alpha_i. Source: mpi_ext/coll/barrier_hierarchical.cc and
// barrier.cc.
#include "collectives/schedules/bridges.h"
#include "collectives/schedules/own_algorithms.h"
#include "collectives/schedules/tree_places.h"

namespace strata::collectives {
namespace {

Place place_on(const std::vector<int>& bridge, BlockTree tree, int rank) {
  const int members = static_cast<int>(bridge.size()), place = place_in(bridge, rank);
  Place at = tree == BlockTree::kBinomial ? binomial_tree(members, 0, place) : chain(members, 0, place, members);
  if (at.parent >= 0) at.parent = bridge[at.parent];
  for (int& child : at.children) child = bridge[child];
  return at;
}

}  // namespace

void hierarchical_barrier(const Collective& call, BlockTree tree, int rank, Steps& steps) {
  const Bridges bridges(call, rank);
  std::vector<Place> places;
  for (const std::vector<int>* bridge : bridges.of_rank()) places.push_back(place_on(*bridge, tree, rank));
  const Range nothing = {Buffer::kInput, 0, 0};
  for (auto at = places.rbegin(); at != places.rend(); ++at) {
    for (const int child : at->children) steps.receive(child, nothing);
    if (at->parent >= 0) steps.send(at->parent, nothing);
  }
  for (const Place& at : places) {
    if (at.parent >= 0) steps.receive(at.parent, nothing);
    for (const int child : at.children) steps.send(child, nothing);
  }
}

}  // namespace strata::collectives
