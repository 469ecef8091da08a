// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/cart/dims.h"

#include <algorithm>
#include <climits>
#include <map>
#include <numeric>
#include <string>
#include <tuple>

#include "mpi_ext/cart/cart_mapping.h"
#include "mpi_ext/cart/divisors.h"

namespace strata::mpix {
namespace {

// The smallest sum of the dimensions of a mesh of `nodes`, if they divide those of `dims`.
long least_sum(const std::vector<int>& dims, int nodes) {
  // By number of nodes that remain after some dimensions: the smallest sum of these.
  std::map<int, long> left = {{nodes, 0}};
  for (int extent : dims) {
    std::map<int, long> next;
    for (const auto& [rest, sum] : left) {
      for (int d : divisors_of(std::gcd(extent, rest))) {
        const auto [at, is_new] = next.try_emplace(rest / d, sum + d);
        if (!is_new) at->second = std::min(at->second, sum + d);
      }
    }
    left.swap(next);
  }
  return left.at(1);
}

class Search {
 public:
  Search(const std::vector<int>& dims, int nodes) : given_(dims), nodes_(nodes) {
    for (size_t i = 0; i < dims.size(); ++i) {
      if (dims[i] == 0) free_.push_back(i);
    }
  }

  // Tries all ways to write `rest` as a product of the free dimensions from the k-th on, in decreasing order and at
  // most `most`. The order does not matter, because the sums do not depend on it.
  void run(int rest, int most, size_t k = 0) {
    if (k == free_.size()) {
      if (rest == 1) consider();
      return;
    }
    for (int d : divisors_of(rest)) {
      if (d > most) break;
      given_[free_[k]] = d;
      run(rest / d, d, k + 1);
    }
  }

  const std::vector<int>& best() const { return std::get<2>(best_); }

 private:
  void consider() {
    const long sum = std::accumulate(given_.begin(), given_.end(), 0L);
    best_ = std::min(best_, {least_sum(given_, nodes_), sum, given_});
  }

  std::vector<int> given_;  // with trial values in the free places
  int nodes_;
  std::vector<size_t> free_;
  std::tuple<long, long, std::vector<int>> best_{LONG_MAX, LONG_MAX, {}};
};

}  // namespace

std::vector<int> node_aware_dims(int processes, int ranks_per_node, std::vector<int> dims) {
  int rest = processes;
  bool divides = processes > 0;
  for (int d : dims) {
    divides = divides && d >= 0 && (d == 0 || rest % d == 0);
    if (divides && d > 0) rest /= d;
  }
  const bool all_given = std::find(dims.begin(), dims.end(), 0) == dims.end();
  if (!divides || (all_given && rest != 1)) {
    std::string text;
    for (int d : dims) text += (text.empty() ? "" : "x") + std::to_string(d);
    throw Unmappable("dimensions " + text + " for " + std::to_string(processes) +
                     " processes: give dimensions whose product divides the number, or equals it if none is 0");
  }
  const int size = ranks_per_node > 0 && processes % ranks_per_node == 0 ? ranks_per_node : 1;
  Search search(dims, processes / size);
  search.run(rest, rest);
  return search.best();
}

}  // namespace strata::mpix
