// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/reorder/mapping.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "mpi_ext/reorder/distance.h"
#include "mpi_ext/reorder/scotch.h"
#include "mpi_ext/reorder/treematch.h"

namespace strata::mpix {
namespace {

// In the order of the enumeration.
constexpr std::array<std::pair<MapMethod, std::string_view>, 5> kNames = {{{MapMethod::kTreeMatch, "treematch"},
                                                                           {MapMethod::kScotch, "scotch"},
                                                                           {MapMethod::kRoundRobin, "roundrobin"},
                                                                           {MapMethod::kRandom, "random"},
                                                                           {MapMethod::kIdentity, "identity"}}};

void check_order(const Pattern& pattern, const PlaceTree& tree) {
  if (pattern.order() == static_cast<int>(tree.place.size())) return;
  throw std::invalid_argument("the pattern has " + std::to_string(pattern.order()) + " ranks, but there are " +
                              std::to_string(tree.place.size()) + " processes: the numbers must be equal");
}

std::vector<int> identity(int order) {
  std::vector<int> new_rank(order);
  std::iota(new_rank.begin(), new_rank.end(), 0);
  return new_rank;
}

// First the first process of each node, then the second, and so on. Within a node, in the order of places.
std::vector<int> round_robin(const PlaceTree& tree) {
  const std::vector<int> all = identity(static_cast<int>(tree.place.size()));
  if (tree.node.size() != all.size()) throw std::invalid_argument("roundrobin: the tree must tell each rank's node");
  std::vector<int> by_place = all;
  std::stable_sort(by_place.begin(), by_place.end(), [&](int a, int b) {
    return std::tie(tree.node[a], tree.place[a]) < std::tie(tree.node[b], tree.place[b]);
  });
  std::vector<int> turn(all.size(), 0);
  for (size_t i = 1; i < by_place.size(); ++i) {
    const bool same = tree.node[by_place[i]] == tree.node[by_place[i - 1]];
    turn[by_place[i]] = same ? turn[by_place[i - 1]] + 1 : 0;
  }
  // Stable, so that the nodes keep their order within a turn.
  std::stable_sort(by_place.begin(), by_place.end(), [&](int a, int b) { return turn[a] < turn[b]; });
  return inverse(by_place);
}

std::vector<int> random(int order, std::uint64_t seed) {
  std::vector<int> new_rank = identity(order);
  std::mt19937_64 engine(seed);
  // Not std::shuffle, whose results depend on the library.
  for (int i = order - 1; i > 0; --i) std::swap(new_rank[i], new_rank[engine() % (i + 1)]);
  return new_rank;
}

}  // namespace

std::optional<MapMethod> map_method(std::string_view name) {
  for (const auto& [method, its_name] : kNames) {
    if (its_name == name) return method;
  }
  return std::nullopt;
}

std::string_view name_of(MapMethod method) { return kNames[static_cast<size_t>(method)].second; }

std::string map_method_list() {
  std::string list;
  for (const auto& [method, name] : kNames) list += (list.empty() ? "" : ", ") + std::string(name);
  return list;
}

std::vector<int> map_ranks(const Pattern& pattern, const PlaceTree& tree, MapMethod method, std::uint64_t seed) {
  check_order(pattern, tree);
  const std::vector<int> as_it_is = identity(pattern.order());
  const auto unless_worse = [&](std::vector<int> new_rank) {
    return hop_bytes(pattern, tree, new_rank) < hop_bytes(pattern, tree, as_it_is) ? new_rank : as_it_is;
  };
  switch (method) {
    case MapMethod::kTreeMatch:
      return unless_worse(treematch(pattern, tree));
    case MapMethod::kScotch:
      return unless_worse(scotch(pattern, tree));
    case MapMethod::kRoundRobin:
      return round_robin(tree);
    case MapMethod::kRandom:
      return random(pattern.order(), seed);
    case MapMethod::kIdentity:
      break;
  }
  return as_it_is;
}

double hop_bytes(const Pattern& pattern, const PlaceTree& tree, const std::vector<int>& new_rank) {
  check_order(pattern, tree);
  std::vector<int> place = inverse(new_rank);  // by the application's rank
  if (place.size() != tree.place.size()) throw std::invalid_argument("new_rank must have a rank for each process");
  for (int& where : place) where = tree.place[where];
  const Distance distance(tree);
  double sum = 0;
  for (int rank = 0; rank < pattern.order(); ++rank) {
    const std::span<const int> peers = pattern.peers(rank);
    const std::span<const double> bytes = pattern.bytes(rank);
    for (size_t i = 0; i < peers.size(); ++i) sum += bytes[i] * distance(place[rank], place[peers[i]]);
  }
  return sum;
}

std::vector<int> inverse(const std::vector<int>& permutation) {
  std::vector<int> result(permutation.size(), -1);
  for (size_t i = 0; i < permutation.size(); ++i) {
    const int value = permutation[i];
    if (value < 0 || value >= static_cast<int>(permutation.size()) || result[value] >= 0) {
      throw std::invalid_argument("not a permutation: " + std::to_string(value) + " at position " + std::to_string(i) +
                                  ": each number from 0 to " + std::to_string(permutation.size() - 1) +
                                  " must occur once");
    }
    result[value] = static_cast<int>(i);
  }
  return result;
}

}  // namespace strata::mpix
