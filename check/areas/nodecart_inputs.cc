// SPDX-License-Identifier: LGPL-2.1-only
#include "check/areas/nodecart_inputs.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "check/areas/partitions.h"
#include "mpi_ext/cart/dims.h"

namespace strata::check {
namespace {

constexpr int kMostPerNode = 128;
constexpr int kMostDims = 4;

// The standard libraries have the same engines but different distributions. This one is uniform up to a deviation of
// most / 2^64.
int uniform(std::mt19937_64& engine, int least, int most) {
  return least + static_cast<int>(engine() % (static_cast<uint64_t>(most - least) + 1));
}

// A random power of two, then a uniform number up to the next one: approximately uniform in its logarithm.
int log_uniform(std::mt19937_64& engine, int least, int most) {
  int powers = 1;
  while (least << powers <= most && powers < 30) ++powers;
  const int from = least << uniform(engine, 0, powers - 1);
  return uniform(engine, from, std::min(most, 2 * from - 1));
}

void shuffle(std::mt19937_64& engine, std::vector<int>& numbers) {
  for (int i = static_cast<int>(numbers.size()) - 1; i > 0; --i) std::swap(numbers[i], numbers[uniform(engine, 0, i)]);
}

// The logarithm of each dimension is uniform within the remaining limit; the order is random.
std::vector<int> random_dims(std::mt19937_64& engine, int max_processes) {
  std::vector<int> dims(uniform(engine, 1, kMostDims));
  int size = 1;
  for (int& d : dims) {
    d = log_uniform(engine, size == 1 ? 2 : 1, max_processes / size);
    size *= d;
  }
  shuffle(engine, dims);
  if (uniform(engine, 0, 1) == 0) return dims;
  return mpix::node_aware_dims(size, 1, std::vector<int>(dims.size(), 0));
}

// Nodes with more than one process, and more than one node, if possible.
std::vector<int> equal_nodes(std::mt19937_64& engine, int processes) {
  std::vector<int> fitting;
  for (int n = 2; n <= std::min(kMostPerNode, processes / 2); ++n) {
    if (processes % n == 0) fitting.push_back(n);
  }
  const int last = static_cast<int>(fitting.size()) - 1;
  const int per_node = fitting.empty() ? 1 : fitting[uniform(engine, 0, last)];
  return std::vector<int>(processes / per_node, per_node);
}

std::vector<int> unequal_nodes(std::mt19937_64& engine, int processes) {
  const int per_node = log_uniform(engine, 1, std::clamp(processes / 2, 1, kMostPerNode));
  std::vector<int> sizes;
  const bool all_but_the_last = uniform(engine, 0, 1) == 0;
  for (int left = processes; left > 0; left -= sizes.back()) {
    sizes.push_back(std::min(left, all_but_the_last ? per_node : uniform(engine, 1, 2 * per_node)));
  }
  return sizes;
}

// The node of each rank.
std::vector<int> place(std::mt19937_64& engine, const std::vector<int>& sizes) {
  std::vector<int> nodes;
  for (size_t n = 0; n < sizes.size(); ++n) nodes.insert(nodes.end(), sizes[n], static_cast<int>(n));
  const int how = uniform(engine, 0, 3);
  if (how < 2) return nodes;
  if (how == 2) {  // round-robin over the nodes that have free cores
    nodes.clear();
    for (int round = 0; round < *std::max_element(sizes.begin(), sizes.end()); ++round) {
      for (size_t n = 0; n < sizes.size(); ++n) {
        if (round < sizes[n]) nodes.push_back(static_cast<int>(n));
      }
    }
    return nodes;
  }
  shuffle(engine, nodes);
  return nodes;
}

}  // namespace

NodecartInput random_nodecart_input(std::mt19937_64& engine, int max_processes) {
  NodecartInput input;
  input.mesh.dims = random_dims(engine, max_processes);
  for (size_t i = 0; i < input.mesh.dims.size(); ++i) input.mesh.periods.push_back(uniform(engine, 0, 1) == 1);
  const int size = input.mesh.size();
  const std::vector<int> sizes = uniform(engine, 0, 1) == 0 ? equal_nodes(engine, size) : unequal_nodes(engine, size);
  input.equal = std::adjacent_find(sizes.begin(), sizes.end(), std::not_equal_to<>()) == sizes.end();
  std::vector<int> nodes = numbered_in_order(place(engine, sizes));
  input.node_sizes = mpix::group_sizes(nodes);
  input.places = {{{"Machine", std::move(nodes)}}, 0};
  return input;
}

}  // namespace strata::check
