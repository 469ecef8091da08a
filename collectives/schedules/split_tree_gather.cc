// SPDX-License-Identifier: LGPL-2.1-only
// Gather and scatter along the m-nomial tree of levels. In a gather, each message has the blocks of a whole subtree,
// which is a range of ranks counted from the root. A rank receives from all children of a level at the same time. With
// m = 2 and 6 ranks:
//
//   1 -> 0, 3 -> 2, 5 -> 4;  2 -> 0 two blocks;  4 -> 0 two blocks
//
// The root receives blocks at their places, except the message whose ranks continue from the last to rank 0, which it
// copies in two pieces. A scatter is a gather in reverse: sends are receives, and rounds are in reverse order.
//
// Cost: ceil(log_m p) levels with (m - 1) m^(i - 1) blocks on level i. Source: IJHPCA'19, Equation 8;
// mpi_ext/nbc/schedule_gather.cc and schedule_scatter.cc.
#include <algorithm>
#include <utility>

#include "collectives/schedules/level_steps.h"
#include "collectives/schedules/own_algorithms.h"

namespace strata::collectives {
namespace {

struct Message {
  int peer;
  Range data;
};

// Messages are under way together; then the next round begins.
struct Round {
  std::vector<Message> received, sent;
  std::vector<std::pair<Range, Range>> copies;
};

std::vector<Round> gather_rounds(const Collective& call, const Settings& settings, int rank) {
  const TreeLevels tree = tree_levels(call.ranks, call.root, rank, settings.fanout);
  const bool is_root = rank == call.root;
  const auto blocks = [&](Buffer in, int first, int number) {
    return Range{in, first * call.count, number * call.count};
  };
  const auto from_root = [&](int r) { return (r - call.root + call.ranks) % call.ranks; };
  const Range own = blocks(Buffer::kInput, 0, 1);
  std::vector<Round> rounds;
  for (int level = 1; level <= tree.height; ++level) {
    Round round, moved;
    for (const auto& child : tree.children) {
      if (child.level != level) continue;
      const int before_end = std::min(child.subtree, call.ranks - child.rank);
      Range into = blocks(Buffer::kOutput, child.rank, child.subtree);
      if (!is_root) into = blocks(Buffer::kFirst, from_root(child.rank) - from_root(rank), child.subtree);
      if (is_root && before_end < child.subtree) {
        into = blocks(Buffer::kFirst, 0, child.subtree);
        moved.copies = {{blocks(Buffer::kFirst, 0, before_end), blocks(Buffer::kOutput, child.rank, before_end)},
                        {blocks(Buffer::kFirst, before_end, child.subtree - before_end),
                         blocks(Buffer::kOutput, 0, child.subtree - before_end)}};
      }
      round.received.push_back({child.rank, into});
    }
    if (round.received.empty()) break;
    if (level == 1 && !(call.in_place && is_root)) {
      round.copies.push_back({own, is_root ? blocks(Buffer::kOutput, rank, 1) : blocks(Buffer::kFirst, 0, 1)});
    }
    rounds.push_back(std::move(round));
    if (!moved.copies.empty()) rounds.push_back(std::move(moved));
  }
  if (!is_root) {
    const Range collected = tree.children.empty() ? own : blocks(Buffer::kFirst, 0, tree.subtree);
    rounds.push_back({.received = {}, .sent = {{tree.parent, collected}}, .copies = {}});
  }
  return rounds;
}

void append(const std::vector<Round>& rounds, Steps& steps) {
  for (const Round& round : rounds) {
    std::vector<int> requests;
    for (const Message& m : round.received) requests.push_back(steps.start_receive(m.peer, m.data));
    for (const Message& m : round.sent) requests.push_back(steps.start_send(m.peer, m.data));
    for (const auto& [from, to] : round.copies) steps.copy(from, to);
    for (const int request : requests) steps.wait(request);
  }
}

}  // namespace

void split_tree_gather(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  if (call.count > 0) append(gather_rounds(call, settings, rank), steps);
}

void split_tree_scatter(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  if (call.count == 0) return;
  std::vector<Round> rounds = gather_rounds(call, settings, rank);
  const auto exchange = [](Range& range) {
    if (range.in == Buffer::kInput) {
      range.in = Buffer::kOutput;
    } else if (range.in == Buffer::kOutput) {
      range.in = Buffer::kInput;
    }
  };
  std::reverse(rounds.begin(), rounds.end());
  for (Round& round : rounds) {
    std::swap(round.received, round.sent);
    for (Message& m : round.received) exchange(m.data);
    for (Message& m : round.sent) exchange(m.data);
    for (auto& [from, to] : round.copies) {
      std::swap(from, to);
      exchange(from);
      exchange(to);
    }
  }
  append(rounds, steps);
}

}  // namespace strata::collectives
