// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/reorder/treematch.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "mpi_ext/reorder/affinity_graph.h"
#include "mpi_ext/reorder/division.h"
#include "mpi_ext/reorder/exhaustive.h"
#include "mpi_ext/reorder/grouping.h"
#include "mpi_ext/reorder/mapping.h"
#include "mpi_ext/reorder/redivision.h"
#include "mpi_ext/reorder/seats.h"
#include "mpi_ext/reorder/swap_places.h"

namespace strata::mpix {
namespace {

// The number of peers of a rank that are considered.
constexpr int kMostPeers = 64;
// With few ranks, each bisection and the whole search are repeated until they have treated this many ranks in total.
// Ranks with more than kFewPeers peers count several times.
constexpr long kFewPeers = 8;
constexpr long kRanksOfTries = 1024, kMostTries = 8;
constexpr long kRanksOfStarts = 256, kMostStarts = 4;

// The first of the mappings with the fewest hop-bytes.
const std::vector<int>& cheapest(const AffinityGraph& graph, const PlaceTree& tree,
                                 const std::vector<std::vector<int>>& known) {
  std::vector<double> cost;
  for (const std::vector<int>& process : known) cost.push_back(hop_bytes(graph, tree, process));
  return known[std::min_element(cost.begin(), cost.end()) - cost.begin()];
}

}  // namespace

std::vector<int> treematch(const Pattern& pattern, const PlaceTree& tree) {
  const AffinityGraph graph = affinity_graph(pattern.symmetric(), kMostPeers);
  std::vector<int> ranks(graph.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  if (graph.peer.empty()) return ranks;
  const Seats seats(tree);
  Random random(1);

  // Searches start from the current mapping, from the groups of leaves and from divisions. With many ranks, they start
  // only from the best of these.
  std::vector<int> best = ranks;
  double least = hop_bytes(graph, tree, best);
  const auto improve = [&](std::vector<int> process) {
    redivide(graph, tree, seats, random, process);
    exchange(graph, tree, seats, process);
    const double cost = hop_bytes(graph, tree, process);
    if (cost >= least) return;
    best = std::move(process);
    least = cost;
  };
  const long size = std::max<long>(graph.size(), graph.first.back() / kFewPeers);
  const int tries = static_cast<int>(std::clamp(kRanksOfTries / size, 1L, kMostTries));
  const int starts = static_cast<int>(std::clamp(kRanksOfStarts / size, 1L, kMostStarts));
  std::vector<std::vector<int>> known = {ranks};
  if (std::optional<std::vector<int>> from_leaves = grouped(graph, tree, seats)) {
    known.push_back(std::move(*from_leaves));
  }
  if (starts > 1) {
    for (std::vector<int>& process : known) improve(std::move(process));
    known.clear();
  }
  for (int start = 0; start < starts; ++start) {
    divide_below(0, graph, ranks, seats, tries, random, known.emplace_back(graph.size()));
    improve(cheapest(graph, tree, known));
    known.clear();
  }
  if (graph.size() <= kFewRanks) try_all(graph, tree, best);
  return inverse(best);
}

}  // namespace strata::mpix
