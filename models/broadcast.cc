// SPDX-License-Identifier: LGPL-2.1-only
#include "models/broadcast.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

namespace strata::models {
namespace {

void send_to(Schedule& schedule, int rank, std::span<const int> others, double bytes, Sends sends) {
  if (sends == Sends::kInTurn) {
    for (const int other : others) send(schedule, rank, other, bytes);
    return;
  }
  for (const int other : others) start_send(schedule, rank, other, bytes);
  for (const int other : others) wait_send(schedule, rank, other, bytes);
}

void add_linear(Schedule& schedule, const Group& group, double bytes) {
  if (bytes == 0) return;
  std::vector<int> others;
  for (int i = 0; i < group.size(); ++i) {
    if (i != group.root()) others.push_back(group.member(i));
  }
  send_to(schedule, group.at(0), others, bytes, Sends::kAtOnce);
  for (const int other : others) receive(schedule, other, group.at(0), bytes);
}

std::vector<int> children_of(const Tree& tree, const Group& group, int v) {
  std::vector<int> children;
  for (const int child : tree.children[v]) children.push_back(group.at(child));
  return children;
}

// A vertex below the root: it keeps two receives in flight, and forwards each segment as soon as it has arrived.
void pass_on(Schedule& schedule, const Tree& tree, const Group& group, int v, std::span<const double> segments,
             Sends sends) {
  const int rank = group.at(v), parent = group.at(tree.parent[v]);
  const std::vector<int> children = children_of(tree, group, v);
  post_receive(schedule, rank, parent, segments[0]);
  for (size_t i = 0; i < segments.size(); ++i) {
    if (i + 1 < segments.size()) post_receive(schedule, rank, parent, segments[i + 1]);
    wait_receive(schedule, rank, parent, segments[i]);
    send_to(schedule, rank, children, segments[i], sends);
  }
}

void add_split_binary(Schedule& schedule, const Group& group, const Payload& payload) {
  const int p = group.size();
  if (p == 1) return;
  std::array<Payload, 2> halves = {payload, payload};  // of the left side and the right side
  halves[0].elements = (payload.elements + 1) / 2;
  halves[1].elements = payload.elements - halves[0].elements;
  const double segment_bytes = payload.segment_bytes > 0 ? std::max(payload.segment_bytes, payload.element_bytes) : 0;
  if (halves[1].elements == 0 || segment_bytes > halves[1].bytes()) {  // the second half is the smaller one
    return add_tree_broadcast(schedule, chain_tree(p, 1), group, payload.segments(), Sends::kAtOnce);
  }
  const Tree tree = binary_tree(p);
  const std::array<std::vector<double>, 2> segments = {halves[0].segments(), halves[1].segments()};
  for (size_t i = 0; i < segments[0].size(); ++i) {
    for (size_t side = 0; side < tree.children[0].size(); ++side) {
      if (i < segments[side].size()) send(schedule, group.at(0), group.at(tree.children[0][side]), segments[side][i]);
    }
  }
  const auto side_of = [](int v) { return v % 2 == 1 ? 0 : 1; };
  for (int v = 1; v < p; ++v) pass_on(schedule, tree, group, v, segments[side_of(v)], Sends::kInTurn);
  // Ranks 1 and 2 exchange halves, so do 3 and 4, ... If p is even, the last rank has no partner, so it gets its other
  // half from the root, which has all data.
  for (int left = 1; left + 1 < p; left += 2) {
    const int a = group.at(left), b = group.at(left + 1);
    send_receive(schedule, a, b, halves[0].bytes(), b, halves[1].bytes());
    send_receive(schedule, b, a, halves[1].bytes(), a, halves[0].bytes());
  }
  if (p % 2 == 0) message(schedule, group.at(0), group.at(p - 1), halves[1].bytes());
}

}  // namespace

void add_tree_broadcast(Schedule& schedule, const Tree& tree, const Group& group, std::span<const double> segments,
                        Sends sends) {
  if (segments.empty()) return;
  const std::vector<int> children = children_of(tree, group, 0);
  for (const double bytes : segments) send_to(schedule, group.at(0), children, bytes, sends);
  for (int v = 1; v < group.size(); ++v) pass_on(schedule, tree, group, v, segments, sends);
}

void add_broadcast(Schedule& schedule, Algorithm algorithm, const Group& group, const Payload& payload) {
  const int p = group.size();
  const auto down = [&](const Tree& tree) {
    add_tree_broadcast(schedule, tree, group, payload.segments(), Sends::kAtOnce);
  };
  switch (algorithm) {
    case Algorithm::kLinear:
      return add_linear(schedule, group, payload.bytes());
    case Algorithm::kChain:
      return down(chain_tree(p, kChains));
    case Algorithm::kPipeline:
      return down(chain_tree(p, 1));
    case Algorithm::kBinary:
      return down(binary_tree(p));
    case Algorithm::kBinomial:
      return down(binomial_tree(p));
    case Algorithm::kSplitBinary:
      return add_split_binary(schedule, group, payload);
    default:
      throw std::invalid_argument("no broadcast '" + std::string(name_of(algorithm)) + "'");
  }
}

}  // namespace strata::models
