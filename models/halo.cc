// SPDX-License-Identifier: LGPL-2.1-only
#include "models/halo.h"

#include <functional>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>

namespace strata::models {
namespace {

int product(const std::vector<int>& dims) {
  double exact = 1;
  for (const int d : dims) {
    if (d < 1) throw std::invalid_argument("a dimension of " + std::to_string(d));
    exact *= d;
  }
  if (exact > 1e9) throw std::invalid_argument("a mesh of more than a billion processes");
  return static_cast<int>(exact);
}

std::vector<int> coordinates(int position, const std::vector<int>& dims) {
  std::vector<int> coords(dims.size());
  for (size_t i = dims.size(); i-- > 0;) {
    coords[i] = position % dims[i];
    position /= dims[i];
  }
  return coords;
}

int position_of(const std::vector<int>& coords, const std::vector<int>& dims) {
  int position = 0;
  for (size_t i = 0; i < dims.size(); ++i) position = position * dims[i] + coords[i];
  return position;
}

std::vector<int> prime_factors(int n) {
  std::vector<int> factors;
  for (int f = 2; f * f <= n; ++f) {
    for (; n % f == 0; n /= f) factors.push_back(f);
  }
  if (n > 1) factors.push_back(n);
  return factors;
}

// Steps 1 to 5 of Section 2.1, with the largest factor first. If several dimensions have the same remaining length, the
// one with the smallest factor so far gets it, and among those the first one. A dimension always exists, because the
// product of the remaining lengths is the number of nodes times the remaining factors.
std::vector<int> dims_within_nodes(int processes_per_node, const std::vector<int>& dims) {
  std::vector<int> intra(dims.size(), 1), remain = dims;
  const std::vector<int> factors = prime_factors(processes_per_node);
  for (size_t f = factors.size(); f-- > 0;) {
    int best = -1;
    for (int j = 0; j < static_cast<int>(dims.size()); ++j) {
      if (remain[j] % factors[f] != 0) continue;
      const bool better = best < 0 || remain[j] > remain[best] || (remain[j] == remain[best] && intra[j] < intra[best]);
      if (better) best = j;
    }
    intra[best] *= factors[f];
    remain[best] /= factors[f];
  }
  return intra;
}

// Returns the position in the mesh by rank.
std::vector<int> nodecart_positions(const std::vector<int>& dims, const std::vector<Binding>& ranks) {
  std::map<int, int> number;              // by node: the number of nodes whose first rank is lower
  std::vector<std::vector<int>> on_node;  // by that number: the node's ranks
  for (int r = 0; r < static_cast<int>(ranks.size()); ++r) {
    const auto [at, first] = number.emplace(ranks[r].node, static_cast<int>(on_node.size()));
    if (first) on_node.emplace_back();
    on_node[at->second].push_back(r);
  }
  for (const std::vector<int>& of_node : on_node) {
    if (of_node.size() != on_node.front().size()) throw std::invalid_argument("nodes with different numbers of ranks");
  }
  const std::vector<int> intra = dims_within_nodes(static_cast<int>(on_node.front().size()), dims);
  std::vector<int> inter(dims.size());
  for (size_t i = 0; i < dims.size(); ++i) inter[i] = dims[i] / intra[i];
  std::vector<int> positions(ranks.size());
  for (int node = 0; node < static_cast<int>(on_node.size()); ++node) {
    for (int i = 0; i < static_cast<int>(on_node[node].size()); ++i) {
      std::vector<int> coords = coordinates(i, intra);
      const std::vector<int> of_node = coordinates(node, inter);
      for (size_t d = 0; d < dims.size(); ++d) coords[d] += of_node[d] * intra[d];
      positions[on_node[node][i]] = position_of(coords, dims);
    }
  }
  return positions;
}

}  // namespace

std::vector<Message> halo_messages(const HaloCase& halo, const std::vector<Binding>& ranks) {
  const std::vector<int>& dims = halo.dims;
  if (product(dims) != static_cast<int>(ranks.size())) throw std::invalid_argument("a mesh of another number of ranks");
  if (halo.periods.size() != dims.size()) throw std::invalid_argument("periods of another number of dimensions");
  std::vector<int> positions(ranks.size());
  std::iota(positions.begin(), positions.end(), 0);
  if (halo.order == HaloCase::Order::kNodecart) positions = nodecart_positions(dims, ranks);
  std::vector<int> rank_at(ranks.size());
  for (int r = 0; r < static_cast<int>(ranks.size()); ++r) rank_at[positions[r]] = r;

  std::vector<Message> messages;
  for (int r = 0; r < static_cast<int>(ranks.size()); ++r) {
    const std::vector<int> coords = coordinates(positions[r], dims);
    for (size_t d = 0; d < dims.size(); ++d) {
      for (const int step : {-1, 1}) {
        std::vector<int> there = coords;
        there[d] += step;
        if (halo.periods[d]) there[d] = (there[d] + dims[d]) % dims[d];
        if (there[d] < 0 || there[d] >= dims[d]) continue;
        messages.push_back({r, rank_at[position_of(there, dims)]});
      }
    }
  }
  return messages;
}

}  // namespace strata::models
