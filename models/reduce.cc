// SPDX-License-Identifier: LGPL-2.1-only
#include "models/reduce.h"

#include <stdexcept>

namespace strata::models {
namespace {

void add_linear(Schedule& schedule, const Group& group, double bytes) {
  if (bytes == 0) return;
  const int root = group.at(0);
  for (int i = group.size() - 1; i >= 0; --i) {
    if (i != group.root()) message(schedule, group.member(i), root, bytes);
    if (i != group.size() - 1) combine(schedule, root, bytes);  // the last member's data are the initial result
  }
}

void add_in_order_binary(Schedule& schedule, const Group& group, const Payload& payload) {
  // The tree is built over the members in order, independent of the root.
  std::vector<int> members(group.size());
  for (int i = 0; i < group.size(); ++i) members[i] = group.member(i);
  add_tree_reduce(schedule, in_order_binary_tree(group.size()), Group(members), payload.segments());
  if (group.at(0) != members.back()) message(schedule, members.back(), group.at(0), payload.bytes());
}

}  // namespace

void add_tree_reduce(Schedule& schedule, const Tree& tree, const Group& group, std::span<const double> segments) {
  for (int v = 0; v < group.size(); ++v) {
    const int rank = group.at(v);
    const std::vector<int>& children = tree.children[v];
    const size_t steps = segments.size() * children.size();  // one receive each
    const auto post = [&](size_t step) {
      if (step >= steps) return;
      post_receive(schedule, rank, group.at(children[step % children.size()]), segments[step / children.size()]);
    };
    if (!children.empty()) post(0);
    for (size_t i = 0; i < segments.size(); ++i) {
      for (size_t c = 0; c < children.size(); ++c) {
        post(i * children.size() + c + 1);
        wait_receive(schedule, rank, group.at(children[c]), segments[i]);
        combine(schedule, rank, segments[i]);
      }
      if (v != tree.root) send(schedule, rank, group.at(tree.parent[v]), segments[i]);
    }
  }
}

void add_reduce(Schedule& schedule, Algorithm algorithm, const Group& group, const Payload& payload) {
  const int p = group.size();
  const auto up = [&](const Tree& tree) { add_tree_reduce(schedule, tree, group, payload.segments()); };
  switch (algorithm) {
    case Algorithm::kLinear:
      return add_linear(schedule, group, payload.bytes());
    case Algorithm::kChain:
      return up(chain_tree(p, kChains));
    case Algorithm::kPipeline:
      return up(chain_tree(p, 1));
    case Algorithm::kBinary:
      return up(binary_tree(p));
    case Algorithm::kBinomial:
      return up(in_order_binomial_tree(p));
    case Algorithm::kInOrderBinary:
      return add_in_order_binary(schedule, group, payload);
    default:
      throw std::invalid_argument("no reduce '" + std::string(name_of(algorithm)) + "'");
  }
}

}  // namespace strata::models
