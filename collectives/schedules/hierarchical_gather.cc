// SPDX-License-Identifier: LGPL-2.1-only
// Gather, scatter and allgather over the communicator hierarchy. A gather is a loop over the levels, innermost first;
// the leader of a bridge passes on the blocks of all ranks below it in one message. For root 5 on nodes {0, 1, 2, 3},
// {4, 5, 6, 7}, linear:
//
//   1 -> 0  2 -> 0  3 -> 0,  5 -> 4  6 -> 4  7 -> 4      a block each
//   4 -> 0                                               4 blocks
//   0 -> 5                                               8 blocks, which rank 0 has sorted into the order of ranks
//
// A scatter does the reverse. An allgather is a gather to rank 0 and a broadcast of all blocks.
//
// Cost, linear, with blocks of m bytes and n_i ranks below a member of level i: the sum over the levels of
// (p_i - 1)(alpha_i + n_i m beta_i). Source: the loop of RR-9077, section 7.2; mpi_ext/coll/gather_hierarchical.cc,
// scatter_hierarchical.cc, subtrees.cc, gather_linear.cc and gather_binomial.cc.
#include "collectives/schedules/bridges.h"
#include "collectives/schedules/own_algorithms.h"
#include "collectives/schedules/tree_places.h"

namespace strata::collectives {
namespace {

constexpr Buffer kBlocks = Buffer::kFirst, kPassed = Buffer::kSecond;

// A rank's message on a bridge: its peer, and which of the rank's blocks it has.
struct Message {
  int peer;
  std::int64_t first, blocks;
};
struct OnBridge {
  std::vector<Message> below;  // in the order of service
  Message above = {-1, 0, 0};  // peer -1: the rank leads the bridge
};

int span(int place, int members) { return place == 0 ? members : std::min(place & -place, members - place); }

OnBridge on_bridge(const std::vector<int>& bridge, const std::vector<std::int64_t>& begins, BlockTree tree, int rank) {
  const int members = static_cast<int>(bridge.size()), place = place_in(bridge, rank);
  Place at;
  if (tree == BlockTree::kBinomial) {
    at = in_order_binomial_tree(members, 0, place);
  } else if (place == 0) {
    for (int m = 1; m < members; ++m) at.children.push_back(m);
  } else {
    at.parent = 0;
  }
  const auto last_of = [&](int m) { return begins[m + (tree == BlockTree::kBinomial ? span(m, members) : 1)]; };
  OnBridge result;
  for (const int m : at.children)
    result.below.push_back({bridge[m], begins[m] - begins[place], last_of(m) - begins[m]});
  if (at.parent >= 0) result.above = {bridge[at.parent], 0, last_of(place) - begins[place]};
  return result;
}

struct Blocks {
  const Collective& call;
  int rank;
  Bridges bridges;
  std::vector<OnBridge> levels;  // outermost first
  std::int64_t held = 1;         // the most blocks that the rank has at a time

  Blocks(const Collective& c, BlockTree tree, int r) : call(c), rank(r), bridges(c, r) {
    const auto begins = bridges.begins();
    for (std::size_t i = 0; i < begins.size(); ++i) {
      levels.push_back(on_bridge(*bridges.of_rank()[i], begins[i], tree, r));
      for (const Message& m : levels.back().below) held = std::max(held, m.first + m.blocks);
    }
  }

  Range range(Buffer in, std::int64_t first, std::int64_t blocks) const {
    return {in, first * call.count, blocks * call.count};
  }

  // Runs of blocks that are in the same order on both sides: the i-th held, of which rank, how many.
  template <class Move>
  void in_runs(const Move& move) const {
    const std::vector<int> order = bridges.order();
    for (std::size_t i = 0, end; i < order.size(); i = end) {
      for (end = i + 1; end < order.size() && order[end] == order[end - 1] + 1;) ++end;
      move(static_cast<std::int64_t>(i), order[i], static_cast<std::int64_t>(end - i));
    }
  }

  // All blocks, in the order of ranks, end in `all` of rank 0.
  void up(Buffer all, Steps& steps) const {
    const bool only_sends = rank != 0 && held == 1;
    const Buffer own = only_sends ? Buffer::kInput : kBlocks;
    if (!only_sends) steps.copy(range(Buffer::kInput, 0, 1), range(kBlocks, 0, 1));
    for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
      for (const Message& m : level->below) steps.receive(m.peer, range(kBlocks, m.first, m.blocks));
      if (level->above.peer >= 0) steps.send(level->above.peer, range(own, 0, level->above.blocks));
    }
    if (rank != 0) return;
    in_runs(
        [&](auto place, auto of, auto blocks) { steps.copy(range(kBlocks, place, blocks), range(all, of, blocks)); });
  }

  // All blocks, in the order of ranks, are in `all` of rank 0; the rank's own ends in `mine`.
  void down(Buffer all, Buffer mine, Steps& steps) const {
    const bool only_receives = rank != 0 && held == 1;
    const Buffer into = only_receives ? mine : kBlocks;
    if (rank == 0) {
      in_runs(
          [&](auto place, auto of, auto blocks) { steps.copy(range(all, of, blocks), range(kBlocks, place, blocks)); });
    }
    for (const OnBridge& level : levels) {
      if (level.above.peer >= 0) steps.receive(level.above.peer, range(into, 0, level.above.blocks));
      for (const Message& m : level.below) steps.send(m.peer, range(kBlocks, m.first, m.blocks));
    }
    const bool is_dropped = rank == 0 && call.root == 0 && call.in_place;
    if (!only_receives && !is_dropped) steps.copy(range(kBlocks, 0, 1), range(mine, 0, 1));
  }
};

}  // namespace

void hierarchical_gather(const Collective& call, BlockTree tree, int rank, Steps& steps) {
  if (call.count == 0) return;
  const Blocks blocks(call, tree, rank);
  const Range all = blocks.range(Buffer::kOutput, 0, call.ranks);
  if (call.root == 0) return blocks.up(Buffer::kOutput, steps);
  blocks.up(kPassed, steps);
  if (rank == 0) steps.send(call.root, blocks.range(kPassed, 0, call.ranks));
  if (rank == call.root) steps.receive(0, all);
}

void hierarchical_scatter(const Collective& call, BlockTree tree, int rank, Steps& steps) {
  if (call.count == 0) return;
  const Blocks blocks(call, tree, rank);
  if (call.root == 0) return blocks.down(Buffer::kInput, Buffer::kOutput, steps);
  if (rank == call.root) steps.send(0, blocks.range(Buffer::kInput, 0, call.ranks));
  if (rank == 0) steps.receive(call.root, blocks.range(kPassed, 0, call.ranks));
  // In place, the root's own block comes back and is dropped.
  const bool drops = rank == call.root && call.in_place;
  blocks.down(kPassed, drops ? Buffer::kThird : Buffer::kOutput, steps);
}

void hierarchical_allgather(const Collective& call, BlockTree tree, Generator broadcast, int rank, Steps& steps) {
  if (call.count == 0) return;
  Blocks(call, tree, rank).up(Buffer::kOutput, steps);
  Collective everything = call;
  everything.root = 0;
  everything.count = call.count * call.ranks;
  hierarchical_broadcast(everything, {}, broadcast, rank, steps);
}

}  // namespace strata::collectives
