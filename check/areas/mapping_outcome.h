// SPDX-License-Identifier: LGPL-2.1-only
// What mpi_ext/reorder makes of a case: the mappings of all methods, and the results of the steps of treematch, each
// called alone; and the results of the slow readings.
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

/// A turn takes two bits of the word that mpi_ext/reorder/distance.h packs ways into.
inline constexpr int kSpine = 40;

/// Of one method.
struct Mapped {
  mpix::MapMethod method = mpix::MapMethod::kIdentity;
  std::vector<int> new_rank;
  std::vector<int> inverse;        // inverse(new_rank)
  std::vector<int> inverse_again;  // inverse(inverse)
  double cost = 0;                 // hop_bytes
  double turned_cost = 0;          // hop_bytes of the pattern whose receivers send
  double both_cost = 0;            // hop_bytes of the pattern's symmetric()
  std::vector<int> of_turned;      // new_rank for the pattern whose receivers send
};

/// Ranks and processes as a step of treematch has them: the process of each rank.
struct Step {
  std::string name;
  std::vector<int> process;
};

/// affinity_graph with so many peers kept.
struct Affinity {
  int most = 0;
  mpix::AffinityGraph graph;
};

/// Of a vertex of the place tree, as Seats has it.
struct SeatRange {
  int first = 0, end = 0, own = 0;
  std::vector<int> children;
};

struct MappingOutcome {
  mpix::PlaceTree tree;
  std::vector<Flow> both;                // the entries of symmetric()
  std::vector<Mapped> mapped;            // by method
  std::vector<mpix::Handover> handover;  // for treematch's mapping, by new rank

  std::vector<std::vector<int>> distance;  // between vertices of the tree
  // The tree below a way too long for a word: kSpine levels, each with a leaf and the next one in this order.
  std::vector<std::vector<int>> deep;  // between its vertices
  std::vector<int> above;              // from the way's vertices, in preorder, to its root
  std::vector<int> seats;              // the process of each
  std::vector<SeatRange> ranges;       // by vertex
  std::vector<Affinity> affinity;

  int first_half = 0;            // what bisect was asked for
  std::vector<char> bisected;    // by rank; empty where there is but one
  std::vector<int> sizes, part;  // what partition was asked for, and the part of each rank
  std::optional<Step> grouped;   // nothing where the tree is uneven, says `grouped`
  std::vector<int> start;        // where the next steps start: each rank on the process of the next
  Step divided, redivided, exchanged;
  std::optional<Step> tried;  // all of few ranks

  HopTable hops;                // between processes, by walking the machine
  double identity_cost = 0;     // slow_hop_bytes
  std::optional<double> least;  // of few ranks: of all mappings
  const Mapped& of(mpix::MapMethod method) const { return mapped[static_cast<size_t>(method)]; }
};

/// Calls the code under check. Beyond the bounds the slow readings are O(ranks^2).
MappingOutcome map_case(const MappingCase& c);

/// Which process each rank of the application has: the slow inverse.
std::vector<int> process_of(const std::vector<int>& new_rank);

}  // namespace strata::check
