#include "sim/command/nodecart_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "mpi_ext/cart/dims.h"

namespace strata::command {
namespace {

constexpr int kMostPerNode = 128;
constexpr int kMostDims = 4;

// Of the standard library the engines are the same everywhere, the distributions are not. Slightly uneven, by less than
// most / 2^64.
int uniform(std::mt19937_64& engine, int least, int most) {
  return least + static_cast<int>(engine() % (static_cast<uint64_t>(most - least) + 1));
}

// A power of two, then a number from that to the next: evenly distributed in its logarithm but for that.
int log_uniform(std::mt19937_64& engine, int least, int most) {
  int powers = 1;
  while (least << powers <= most && powers < 30) ++powers;
  const int from = least << uniform(engine, 0, powers - 1);
  return uniform(engine, from, std::min(most, 2 * from - 1));
}

std::vector<int> node_sizes(std::mt19937_64& engine, int max_processes, bool equal) {
  const int processes = log_uniform(engine, 2, max_processes);
  const int per_node = log_uniform(engine, 1, std::min(kMostPerNode, processes));
  std::vector<int> sizes(processes / per_node, per_node);
  if (equal) return sizes;
  if (uniform(engine, 0, 1) == 0) {
    if (processes % per_node != 0) sizes.push_back(processes % per_node);
    return sizes;
  }
  sizes.clear();
  for (int left = processes; left > 0; left -= sizes.back()) {
    sizes.push_back(uniform(engine, 1, std::min(left, 2 * per_node)));
  }
  return sizes;
}

std::vector<int> random_dims(std::mt19937_64& engine, int processes) {
  std::vector<int> dims(uniform(engine, 1, kMostDims), 0);
  if (uniform(engine, 0, 1) == 0) return mpix::node_aware_dims(processes, 1, std::move(dims));
  std::fill(dims.begin(), dims.end(), 1);
  for (int prime = 2; processes > 1;) {
    if (processes % prime == 0) {
      dims[uniform(engine, 0, static_cast<int>(dims.size()) - 1)] *= prime;
      processes /= prime;
    } else {
      prime = prime > processes / prime ? processes : prime + 1;
    }
  }
  return dims;
}

// Of each rank the node.
std::vector<int> place(std::mt19937_64& engine, const std::vector<int>& sizes) {
  std::vector<int> nodes;
  for (size_t n = 0; n < sizes.size(); ++n) nodes.insert(nodes.end(), sizes[n], static_cast<int>(n));
  const int how = uniform(engine, 0, 3);
  if (how < 2) return nodes;
  if (how == 2) {  // round-robin, over those that have cores left
    nodes.clear();
    for (int round = 0; round < *std::max_element(sizes.begin(), sizes.end()); ++round) {
      for (size_t n = 0; n < sizes.size(); ++n) {
        if (round < sizes[n]) nodes.push_back(static_cast<int>(n));
      }
    }
    return nodes;
  }
  for (size_t i = nodes.size(); i > 1; --i) std::swap(nodes[i - 1], nodes[uniform(engine, 0, static_cast<int>(i) - 1)]);
  return nodes;
}

}  // namespace

NodecartInput random_nodecart_input(std::mt19937_64& engine, int max_processes) {
  NodecartInput input;
  input.node_sizes = node_sizes(engine, max_processes, uniform(engine, 0, 1) == 0);
  const auto& sizes = input.node_sizes;
  input.equal = std::adjacent_find(sizes.begin(), sizes.end(), std::not_equal_to<>()) == sizes.end();
  input.mesh.dims = random_dims(engine, std::accumulate(sizes.begin(), sizes.end(), 0));
  for (size_t i = 0; i < input.mesh.dims.size(); ++i) input.mesh.periods.push_back(uniform(engine, 0, 1) == 1);
  std::vector<int> nodes = place(engine, sizes);
  std::vector<int> number(sizes.size(), -1);  // in the order of their first ranks
  int next = 0;
  for (int& node : nodes) {
    if (number[node] < 0) number[node] = next++;
    node = number[node];
  }
  input.node_sizes = mpix::group_sizes(nodes);
  input.places = {{{"Machine", std::move(nodes)}}, 0};
  return input;
}

std::string text_of(const NodecartInput& input) {
  std::string periods;
  for (const bool period : input.mesh.periods) periods += period ? '1' : '0';
  return fmt::format("{} periods {} ranks on nodes {}", fmt::join(input.mesh.dims, "x"), periods,
                     fmt::join(input.places.nodes(), " "));
}

}  // namespace strata::command
