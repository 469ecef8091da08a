// SPDX-License-Identifier: LGPL-2.1-only
// The results of mpi_ext/reorder in a case: the mappings of all methods, the steps of treematch called one by one, and
// the results of the slow implementations.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "check/areas/mapping_case.h"
#include "check/areas/slow_mapping.h"
#include "mpi_ext/reorder/affinity_graph.h"
#include "mpi_ext/reorder/handover.h"
#include "mpi_ext/reorder/mapping.h"
#include "mpi_ext/reorder/place_tree.h"
#include "records/matrix/pattern.h"

namespace strata::check {

inline constexpr std::array<mpix::MapMethod, 5> kMapMethods = {mpix::MapMethod::kTreeMatch, mpix::MapMethod::kScotch,
                                                               mpix::MapMethod::kRoundRobin, mpix::MapMethod::kRandom,
                                                               mpix::MapMethod::kIdentity};

/// Levels of a deep tree: mpi_ext/reorder/distance.h packs paths into a word with two bits for each turn.
inline constexpr int kSpine = 40;

/// The results of one method.
struct Mapped {
  mpix::MapMethod method = mpix::MapMethod::kIdentity;
  std::vector<int> new_rank;
  std::vector<int> inverse;        // inverse(new_rank)
  std::vector<int> inverse_again;  // inverse(inverse)
  double cost = 0;                 // hop_bytes
  double turned_cost = 0;          // hop_bytes of the transposed pattern
  double both_cost = 0;            // hop_bytes of the pattern's symmetric()
  std::vector<int> of_turned;      // new_rank for the transposed pattern
};

/// The process of each rank after a step of treematch.
struct Step {
  std::string name;
  std::vector<int> process;
};

/// affinity_graph with at most `most` peers.
struct Affinity {
  int most = 0;
  mpix::AffinityGraph graph;
};

/// The seats of a vertex of the place tree.
struct SeatRange {
  int first = 0, end = 0, own = 0;
  std::vector<int> children;
};

struct MappingOutcome {
  mpix::PlaceTree tree;
  std::vector<Flow> both;                // entries of symmetric()
  std::vector<Mapped> mapped;            // by method
  std::vector<mpix::Handover> handover;  // for treematch's mapping, by new rank

  std::vector<std::vector<int>> distance;  // between vertices of the tree
  // The tree below a path that does not fit into a word: kSpine levels, each with a leaf and then the next level.
  std::vector<std::vector<int>> deep;  // between the vertices of this tree
  std::vector<int> above;              // from the path's vertices, in preorder, to its root
  std::vector<int> seats;              // the process of each seat
  std::vector<SeatRange> ranges;       // by vertex
  std::vector<Affinity> affinity;

  int first_half = 0;            // argument of bisect
  std::vector<char> bisected;    // by rank; empty if there is only one rank
  std::vector<int> sizes, part;  // argument of partition, and the part of each rank
  std::optional<Step> grouped;   // no value if `grouped` finds the tree uneven
  std::vector<int> start;        // start of the next steps: each rank is on the process of the next rank
  Step divided, redivided, exchanged;
  std::optional<Step> tried;  // all mappings tried, for few ranks

  HopTable hops;                // between processes, by walking the machine's tree
  double identity_cost = 0;     // slow_hop_bytes
  std::optional<double> least;  // for few ranks: the minimum over all mappings
  const Mapped& of(mpix::MapMethod method) const { return mapped[static_cast<size_t>(method)]; }
};

/// Calls the code under check. Beyond the bounds, the slow implementations take O(ranks^2).
MappingOutcome map_case(const MappingCase& c);

/// The process of each application rank: the slow inverse.
std::vector<int> process_of(const std::vector<int>& new_rank);

}  // namespace strata::check
