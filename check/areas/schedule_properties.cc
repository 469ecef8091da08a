// SPDX-License-Identifier: LGPL-2.1-only
// Properties of a nonblocking collective's schedules: results, progress, messages, the model's time, the tree.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

#include "check/areas/level_reading.h"
#include "check/areas/schedule_area.h"
#include "models/split_tree.h"

namespace strata::check {
namespace {

using mpix::Buffer;
using mpix::LevelTree;
using mpix::Nbc;
using Case = ScheduleCase;
using Outcome = ScheduleOutcome;
using Trees = std::vector<LevelTree>;

constexpr const char* kSection61 = "IJHPCA'19, Section 6.1";
constexpr const char* kOurs = "mpi_ext/nbc/rounds.h";

Judgement first_of(const std::string& problem) {
  return problem.empty() ? Judgement::holds() : Judgement::violated(problem);
}

bool is_by_block(const Case& c) { return c.collective == Nbc::kScatter || c.collective == Nbc::kGather; }
bool goes_up(Nbc c) { return c != Nbc::kBcast && c != Nbc::kScatter && c != Nbc::kScan; }
bool goes_down(Nbc c) { return c != Nbc::kReduce && c != Nbc::kGather && c != Nbc::kScan; }
// A reduce in the order of the ranks ends on rank 0, which sends the result to the root.
bool sends_result(const Case& c) { return c.collective == Nbc::kReduce && !c.commutes && c.root != 0; }

std::string text_of(const Block& block) { return "{" + fmt::format("{}", fmt::join(block, ",")) + "}"; }

// --- results ---

// The expected final contents of a rank's receive buffer, by block; empty if they are undefined.
std::vector<Block> expected_result(const Case& c, int rank) {
  const auto first = [](int ranks) {
    Block all(ranks);
    std::iota(all.begin(), all.end(), 0);
    return all;
  };
  const bool is_root = rank == c.root;
  std::vector<Block> blocks;
  switch (c.collective) {
    case Nbc::kBcast:
      return {{c.root}};
    case Nbc::kReduce:
      return is_root ? std::vector<Block>{first(c.ranks)} : blocks;
    case Nbc::kAllreduce:
      return {first(c.ranks)};
    case Nbc::kScan:
      return {first(rank + 1)};
    case Nbc::kScatter:
      return in_place_at(c, rank) ? blocks : std::vector<Block>{{rank}};
    case Nbc::kGather:
      for (int r = 0; is_root && r < c.ranks; ++r) blocks.push_back({r});
      return blocks;
    default:
      return blocks;
  }
}

template <class Same>
Judgement judge_results(const Case& c, const Outcome& o, const Same& same) {
  for (int rank = 0; rank < c.ranks; ++rank) {
    const auto& actual = o.run.memory[rank][static_cast<int>(Buffer::kReceive)];
    const auto expected = expected_result(c, rank);
    for (size_t b = 0; b < expected.size(); ++b) {
      if (b >= actual.size() || !same(actual[b], expected[b])) {
        return violated("rank {} has {} in block {}, not {}", rank, b < actual.size() ? text_of(actual[b]) : "nothing",
                        b, text_of(expected[b]));
      }
    }
  }
  return Judgement::holds();
}

Judgement every_contribution_once(const Case& c, const Outcome& o) {
  if (c.collective == Nbc::kBarrier) return Judgement::not_asked();
  return judge_results(c, o, [](Block actual, const Block& expected) {
    std::ranges::sort(actual);
    return actual == expected;
  });
}

Judgement in_rank_order(const Case& c, const Outcome& o) {
  if (c.commutes) return Judgement::not_asked();
  return judge_results(c, o, [](const Block& actual, const Block& expected) { return actual == expected; });
}

Judgement barrier_hears_all(const Case& c, const Outcome& o) {
  if (c.collective != Nbc::kBarrier) return Judgement::not_asked();
  for (int rank = 0; rank < c.ranks; ++rank) {
    const auto& heard = o.run.heard[rank];
    const auto missing = std::ranges::find(heard, false);
    if (missing != heard.end()) return violated("rank {} leaves without rank {}", rank, missing - heard.begin());
  }
  return Judgement::holds();
}

Judgement sendbuf_kept(const Case& c, const Outcome& o) {
  for (int rank = 0; rank < c.ranks; ++rank) {
    const auto& send = o.run.memory[rank][static_cast<int>(Buffer::kSend)];
    for (int b = 0; b < std::ssize(send); ++b) {
      const Block expected = {c.collective == Nbc::kScatter ? b : rank};
      if (send[b] != expected) return violated("rank {}'s sendbuf is {} in block {}", rank, text_of(send[b]), b);
    }
  }
  return Judgement::holds();
}

// --- completion ---

Judgement no_deadlock(const Case&, const Outcome& o) {
  return o.run.waiting.empty() ? Judgement::holds() : Judgement::violated(o.run.waiting.front());
}

Judgement parts_alone(const Case&, const Outcome& o) {
  if (o.run.waits_for_others.empty()) return Judgement::holds();
  return Judgement::violated(o.run.waits_for_others + ", waits for what others do in a later part");
}

Judgement matched(const Case&, const Outcome& o) {
  for (const Message& m : o.run.messages) {
    if (m.part_sent != m.part_received || m.level_sent != m.level_received || m.blocks_sent != m.blocks_received) {
      return violated("from rank {} to {}: sent {}, level {}, {} blocks; received {}, level {}, {} blocks", m.from,
                      m.to, name_of(m.part_sent), m.level_sent, m.blocks_sent, name_of(m.part_received),
                      m.level_received, m.blocks_received);
    }
  }
  return Judgement::require(o.run.unmatched == 0, "a send or a receive has no partner");
}

Judgement independent_rounds(const Case&, const Outcome& o) { return first_of(o.run.dependent); }

// --- messages ---

Judgement message_count(const Case& c, const Outcome& o) {
  const bool both_ways = c.collective == Nbc::kAllreduce || c.collective == Nbc::kBarrier;
  const long expected = static_cast<long>(c.ranks - 1) * (both_ways ? 2 : 1) + (sends_result(c) ? 1 : 0);
  if (std::ssize(o.run.messages) == expected) return Judgement::holds();
  return violated("{} messages, not {}", o.run.messages.size(), expected);
}

Trees played(const Case& c) {
  return must_be_over_nodes(c) ? play_levels_over_nodes(c.node_of_rank, top_of(c), c.arity)
                               : play_levels(c.ranks, top_of(c), c.arity);
}

// A message by the definitions: sender, receiver, level, part.
using Edge = std::tuple<int, int, int, Part>;

std::vector<Edge> expected_edges(const Case& c) {
  std::vector<Edge> edges;
  if (c.collective == Nbc::kScan) {
    for (int rank = 1; rank < c.ranks; ++rank) edges.emplace_back(rank - 1, rank, rank, kOnThread);
    return edges;
  }
  const Trees trees = played(c);
  for (int rank = 0; rank < c.ranks; ++rank) {
    const LevelTree& t = trees[rank];
    if (t.parent < 0) continue;
    const bool split = t.parent_level <= c.steps;
    if (goes_up(c.collective)) edges.emplace_back(rank, t.parent, t.parent_level, split ? kInCall : kOnThread);
    if (goes_down(c.collective)) edges.emplace_back(t.parent, rank, t.parent_level, split ? kInWait : kOnThread);
  }
  if (sends_result(c)) edges.emplace_back(0, c.root, trees[0].height + 1, kOnThread);
  return edges;
}

std::vector<Edge> actual_edges(const Outcome& o) {
  std::vector<Edge> edges;
  for (const Message& m : o.run.messages) edges.emplace_back(m.from, m.to, m.level_sent, m.part_sent);
  return edges;
}

template <class Project>
Judgement compare_edges(const Case& c, const Outcome& o, const Project& project) {
  auto actual = actual_edges(o), expected = expected_edges(c);
  for (auto* edges : {&actual, &expected}) {
    std::ranges::for_each(*edges, project);
    std::ranges::sort(*edges);
  }
  if (actual == expected) return Judgement::holds();
  const auto tell = [](const std::vector<Edge>& some, const std::vector<Edge>& others) {
    for (const auto& e : some) {
      if (std::ranges::count(some, e) == std::ranges::count(others, e)) continue;
      const auto& [from, to, level, part] = e;
      return fmt::format("{} to {} on level {} {}", from, to, level, name_of(part));
    }
    return std::string("none");
  };
  return violated("messages that should not be: {}; that are missing: {}", tell(actual, expected),
                  tell(expected, actual));
}

Judgement along_the_tree(const Case& c, const Outcome& o) {
  return compare_edges(c, o, [](Edge& e) { std::get<Part>(e) = kOnThread; });
}

Judgement split_sides(const Case& c, const Outcome& o) {
  return compare_edges(c, o, [](Edge&) {});
}

Judgement level_messages(const Case& c, const Outcome& o) {
  if (c.collective == Nbc::kScan) return Judgement::not_asked();
  std::map<int, long> messages;
  for (const Message& m : o.run.messages) ++messages[m.level_sent];
  const std::vector<int> sizes = node_sizes(c);
  const int in_nodes = models::height(std::ranges::max(sizes), c.arity);
  const int height = in_nodes + models::height(static_cast<int>(sizes.size()), c.arity);
  const int ways = goes_up(c.collective) && goes_down(c.collective) ? 2 : 1;
  for (int level = 1; level <= height; ++level) {
    long expected = 0;
    if (level <= in_nodes) {
      for (const int size : sizes) expected += models::messages_on_level(size, level, c.arity);
    } else {
      expected = models::messages_on_level(static_cast<int>(sizes.size()), level - in_nodes, c.arity);
    }
    if (messages[level] != ways * expected) {
      return violated("{} messages on level {}, not {}", messages[level], level, ways * expected);
    }
  }
  return Judgement::holds();
}

Judgement subtree_weights(const Case& c, const Outcome& o) {
  if (!is_by_block(c)) return Judgement::not_asked();
  for (const Message& m : o.run.messages) {
    long full = 1;
    for (int level = 1; level < m.level_sent; ++level) full *= c.arity;
    const int child = c.collective == Nbc::kGather ? m.from : m.to;
    const long left = c.ranks - (child - c.root + c.ranks) % c.ranks;  // ranks from the child on, relative to the root
    if (m.blocks_sent != std::min(full, left)) {
      return violated("{} blocks from rank {} to {} on level {}, not {}", m.blocks_sent, m.from, m.to, m.level_sent,
                      std::min(full, left));
    }
  }
  return Judgement::holds();
}

// --- the model ---

models::SplitTree model_of(const Case& c) {
  const std::vector<int> sizes = node_sizes(c);
  const int most = std::ranges::max(sizes);
  models::SplitTree t{.cores = most + 1, .ranks = most, .arity = c.arity, .nodes = static_cast<int>(sizes.size())};
  if (is_by_block(c)) t.weight = models::Weight::kDoubling;
  t.direction = !goes_down(c.collective) ? models::Direction::kAllToOne
                : !goes_up(c.collective) ? models::Direction::kOneToAll
                                         : models::Direction::kThereAndBack;
  return t;
}

// The closed form is exact except for truncated trees: the last subtrees of a gather or scatter, a node that is smaller
// than others, and links that several messages downwards share.
bool model_is_exact(const Case& c) {
  const std::vector<int> sizes = node_sizes(c);
  if (std::ranges::min(sizes) != std::ranges::max(sizes)) return false;
  if (sizes.size() > 1 && c.arity > 2 && goes_down(c.collective)) return false;
  long full = 1;
  while (full < c.ranks) full *= c.arity;
  return !is_by_block(c) || full == c.ranks;
}

Judgement model_time(const Case& c, const Outcome& o) {
  const auto& time = o.run.time;
  if (c.collective == Nbc::kBarrier) return Judgement::not_asked();
  if (c.collective == Nbc::kScan) {
    if (time == std::array{0, c.ranks - 1, 0}) return Judgement::holds();
    return violated("a chain takes {} messages one after another, not {}", time[kOnThread], c.ranks - 1);
  }
  const models::SplitTree model = model_of(c);
  const double split = models::on_application_cores(model, c.steps);
  const double threads = models::blocking_time(model) - split + (sends_result(c) ? 1 : 0);
  const int on_application = time[kInCall] + time[kInWait], on_threads = time[kOnThread];
  const bool exact = model_is_exact(c);
  const auto fits = [&](int actual, double expected) { return exact ? actual == expected : actual <= expected; };
  if (fits(on_application, split) && fits(on_threads, threads)) return Judgement::holds();
  return violated("{} on application cores, {} on threads; the model says {}{} and {}", on_application, on_threads,
                  exact ? "" : "at most ", split, threads);
}

Judgement most_steps_is_height(const Case& c, const Outcome& o) {
  for (int rank = 0; rank < c.ranks; ++rank) {
    if (o.most_steps[rank] != height_of(c)) {
      return violated("rank {} says that {} steps are most, not {}", rank, o.most_steps[rank], height_of(c));
    }
  }
  return Judgement::holds();
}

// --- the tree ---

Judgement level_tree_as_defined(const Case& c, const Outcome& o) {
  if (c.collective == Nbc::kScan) return Judgement::not_asked();
  const Trees expected = played(c);
  for (int rank = 0; rank < c.ranks; ++rank) {
    const LevelTree &is = o.trees[rank], &should = expected[rank];
    if (same_tree(is, should)) continue;
    return violated(
        "rank {} has the parent {} on level {}, {} children, {} ranks below, height {}; should be {} on {}, {}, {}, {}",
        rank, is.parent, is.parent_level, is.children.size(), is.subtree, is.height, should.parent, should.parent_level,
        should.children.size(), should.subtree, should.height);
  }
  return Judgement::holds();
}

Judgement once_between_nodes(const Case& c, const Outcome& o) {
  if (!must_be_over_nodes(c)) return Judgement::not_asked();
  const std::vector<int> sizes = node_sizes(c);
  const int in_nodes = models::height(std::ranges::max(sizes), c.arity);
  if (o.height_in_nodes != in_nodes) return violated("{} levels in nodes, not {}", o.height_in_nodes, in_nodes);
  std::map<int, int> up, down;  // numbers of messages by the child's node
  for (const Message& m : o.run.messages) {
    const int from = c.node_of_rank[m.from], to = c.node_of_rank[m.to];
    if ((from != to) != (m.level_sent > in_nodes)) {
      return violated("rank {} to {} on level {}: nodes end with level {}", m.from, m.to, m.level_sent, in_nodes);
    }
    if (from == to) continue;
    // Upwards messages belong to the sender's node, downwards messages to the receiver's.
    const bool is_up = o.trees[m.from].parent == m.to;
    ++(is_up ? up[from] : down[to]);
  }
  const int top = c.node_of_rank[top_of(c)];
  for (int rank = 0; rank < c.ranks; ++rank) {
    const int node = c.node_of_rank[rank];
    const int once = node == top ? 0 : 1;
    if (up[node] != (goes_up(c.collective) ? once : 0) || down[node] != (goes_down(c.collective) ? once : 0)) {
      return violated("node {} gives {} messages to other nodes and gets {}", node, up[node], down[node]);
    }
  }
  return Judgement::holds();
}

Judgement ignores_nodes(const Case& c, const Outcome& o) {
  if (o.without_nodes.empty()) return Judgement::not_asked();
  const auto same = [](const mpix::Schedule& a, const mpix::Schedule& b) {
    return a.in_call == b.in_call && a.on_thread == b.on_thread && a.in_wait == b.in_wait;
  };
  for (int rank = 0; rank < c.ranks; ++rank) {
    if (!same(o.schedules[rank], o.without_nodes[rank])) return violated("rank {} does something else", rank);
  }
  return Judgement::holds();
}

// --- properties that some case must have ---

bool is_split_in_the_middle(const Case& c, const Outcome&) { return c.steps > 0 && c.steps < height_of(c); }

bool wraps_at_root(const Case& c, const Outcome& o) { return is_by_block(c) && o.schedules[c.root].scratch_blocks > 0; }

bool nodes_are_unequal(const Case& c, const Outcome&) {
  const std::vector<int> sizes = node_sizes(c);
  return std::ranges::min(sizes) < std::ranges::max(sizes);
}

bool combines_elsewhere(const Case& c, const Outcome&) { return sends_result(c); }

bool model_says_exactly(const Case& c, const Outcome&) {
  return c.collective != Nbc::kScan && c.collective != Nbc::kBarrier && c.ranks > 1 && model_is_exact(c);
}

}  // namespace

std::vector<Property<ScheduleCase, ScheduleOutcome>> schedule_properties() {
  std::vector<Property<Case, Outcome>> all = {
      {{"contributions", "every rank gets exactly its result: every contribution that is its due, once",
        "MPI-4.0, Section 6.12"},
       every_contribution_once},
      {{"rank-order", "an operation that does not commute is applied in the order of the ranks",
        "MPI-4.0, Section 6.9.1"},
       in_rank_order},
      {{"barrier", "no rank leaves a barrier before all have entered it", "MPI-4.0, Section 6.3"}, barrier_hears_all},
      {{"sendbuf", "no send buffer is written to", "MPI-4.0, Section 6.12: const void* sendbuf"}, sendbuf_kept},
      {{"deadlock", "all ranks get to the end, whichever goes first", "MPI-4.0, Section 6.12"}, no_deadlock},
      {{"parts-alone", "a call waits for no thread and no wait of others, a thread for no wait", kSection61},
       parts_alone},
      {{"matched", "every send meets its receive: same part, level and number of blocks; none is left", kOurs},
       matched},
      {{"independent", "no action of a round writes what another reads or writes; no two have the same ends", kOurs},
       independent_rounds},
      {{"message-count",
        "N-1 messages, twice that in an allreduce and a barrier, one more where rank 0 reduces for another", kOurs},
       message_count},
      {{"tree-edges", "messages go along the edges of the tree, one a way; those of a scan from rank to rank",
        kSection61},
       along_the_tree},
      {{"split-sides", "the S lowest levels are in the call on the way up, in the wait on the way down; no other is",
        kSection61},
       split_sides},
      {{"level-messages", "level i has ceil(N/2^i - 1/2) messages (for m = 2; for every m what m-nomial trees have)",
        "IJHPCA'19, Eq. 5; models/split_tree.h"},
       level_messages},
      {{"weights", "of a scatter or gather a message of level i has m^(i-1) blocks, the last subtree what is left",
        "IJHPCA'19, Eq. 8"},
       subtree_weights},
      {{"model-time", "application cores and threads take as many messages one after another as the model counts",
        "IJHPCA'19, Eq. 3 and 6; models/split_tree.h"},
       model_time},
      {{"most-steps", "there are as many steps as the tree has levels", "IJHPCA'19, Section 6.2: H(N)"},
       most_steps_is_height},
      {{"level-tree", "the tree as each rank sees it is that of levels played one after another",
        "IJHPCA'19, Figure 8"},
       level_tree_as_defined},
      {{"once-a-node", "over nodes each but the root's has one message with others a way, on the levels above",
        "mpi_ext/nbc/level_tree.h"},
       once_between_nodes},
      {{"no-nodes", "scatter, gather, scan and operations that do not commute pay no attention to nodes", kOurs},
       ignores_nodes},
  };
  append(all, schedule_work_properties());
  append(all, {
                  sometimes<Case, Outcome>("some-split", "a tree is split in the middle", kSection61,
                                           is_split_in_the_middle),
                  sometimes<Case, Outcome>("some-wrap", "a subtree's ranks go past the last and on from rank 0",
                                           "mpi_ext/nbc/schedule_gather.cc", wraps_at_root),
                  sometimes<Case, Outcome>("some-uneven-nodes", "nodes have different numbers of ranks",
                                           "mpi_ext/nbc/level_tree.h", nodes_are_unequal),
                  sometimes<Case, Outcome>("some-ordered",
                                           "an operation that does not commute is reduced to another rank than 0",
                                           kOurs, combines_elsewhere),
                  sometimes<Case, Outcome>("some-exact-model", "the model's time is exact", "IJHPCA'19, Eq. 3",
                                           model_says_exactly),
              });
  return all;
}

}  // namespace strata::check
