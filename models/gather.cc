// SPDX-License-Identifier: LGPL-2.1-only
#include "models/gather.h"

#include <numeric>
#include <stdexcept>
#include <vector>

#include "models/broadcast.h"
#include "models/trees.h"

namespace strata::models {
namespace {

// By vertex: the bytes of its subtree.
std::vector<double> subtree_bytes(const Tree& tree, const Group& group, std::span<const double> blocks) {
  std::vector<double> bytes(group.size());
  for (int v = group.size() - 1; v >= 0; --v) {  // children are greater than their parent
    bytes[v] += blocks[group.index_at(v)];
    if (v > 0) bytes[tree.parent[v]] += bytes[v];
  }
  return bytes;
}

void add_binomial_gather(Schedule& schedule, const Group& group, std::span<const double> blocks) {
  const Tree tree = in_order_binomial_tree(group.size());
  const std::vector<double> bytes = subtree_bytes(tree, group, blocks);
  // Backwards, so that v receives from its children before it sends to its parent.
  for (int v = group.size() - 1; v >= 0; --v) {
    for (const int child : tree.children[v]) message(schedule, group.at(child), group.at(v), bytes[child]);
  }
}

void add_binomial_scatter(Schedule& schedule, const Group& group, std::span<const double> blocks) {
  const Tree tree = in_order_binomial_tree(group.size());
  const std::vector<double> bytes = subtree_bytes(tree, group, blocks);
  for (int v = 0; v < group.size(); ++v) {
    for (const int child : tree.children[v]) message(schedule, group.at(v), group.at(child), bytes[child]);
  }
}

void add_ring(Schedule& schedule, const Group& group, std::span<const double> blocks) {
  const int p = group.size();
  for (int step = 0; step < p - 1; ++step) {
    for (int i = 0; i < p; ++i) {
      const double sent = blocks[(i - step + p) % p], received = blocks[(i - step - 1 + p) % p];
      const int rank = group.member(i), left = group.member((i - 1 + p) % p), right = group.member((i + 1) % p);
      if (received > 0) post_receive(schedule, rank, left, received);
      if (sent > 0) start_send(schedule, rank, right, sent);
      if (received > 0) wait_receive(schedule, rank, left, received);
      if (sent > 0) wait_send(schedule, rank, right, sent);
    }
  }
}

[[noreturn]] void refuse(const char* collective, Algorithm algorithm) {
  throw std::invalid_argument("no " + std::string(collective) + " '" + std::string(name_of(algorithm)) + "'");
}

}  // namespace

void add_gather(Schedule& schedule, Algorithm algorithm, const Group& group, std::span<const double> blocks) {
  if (algorithm == Algorithm::kBinomial) return add_binomial_gather(schedule, group, blocks);
  if (algorithm != Algorithm::kLinear) refuse("gather", algorithm);
  for (int i = 0; i < group.size(); ++i) {
    if (i != group.root()) message(schedule, group.member(i), group.at(0), blocks[i]);
  }
}

void add_scatter(Schedule& schedule, Algorithm algorithm, const Group& group, std::span<const double> blocks) {
  if (algorithm == Algorithm::kBinomial) return add_binomial_scatter(schedule, group, blocks);
  if (algorithm != Algorithm::kLinear) refuse("scatter", algorithm);
  for (int i = 0; i < group.size(); ++i) {
    if (i != group.root()) message(schedule, group.at(0), group.member(i), blocks[i]);
  }
}

void add_allgather(Schedule& schedule, Algorithm algorithm, const Group& group, std::span<const double> blocks) {
  if (algorithm == Algorithm::kRing) return add_ring(schedule, group, blocks);
  if (algorithm != Algorithm::kLinear && algorithm != Algorithm::kBinomial) refuse("allgather", algorithm);
  const double all_bytes = std::accumulate(blocks.begin(), blocks.end(), 0.0);
  add_gather(schedule, algorithm, group.from_first(), blocks);
  // One element of that size, so that the payload is not split.
  add_broadcast(schedule, algorithm, group.from_first(),
                {.elements = all_bytes > 0 ? 1 : 0, .element_bytes = all_bytes, .segment_bytes = 0});
}

}  // namespace strata::models
