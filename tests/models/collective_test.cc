// SPDX-License-Identifier: LGPL-2.1-only
// Requirements for every collective and its schedule. The tests execute schedules on values, one operation at a time in
// a random order, and compare the data that arrive with MPI's definition: for up to 40 ranks, all roots, and random
// trees.
#include "models/collective.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "models/vectors.h"
#include "platforms/placement.h"
#include "platforms/topology.h"

namespace strata::models {
namespace {

using Kind = Operation::Kind;

constexpr int kMost = 40;  // ranks

std::string text(const CollectiveCase& what) {
  return std::string(name_of(what.collective)) + " " + std::string(name_of(what.algorithm)) + ", root " +
         std::to_string(what.root) + ", " + std::to_string(what.payload.elements) + " elements in segments of " +
         std::to_string(what.payload.segment_bytes);
}

// Executes a schedule. `knows`: what each rank knows at first; take() returns the content of a message when it is sent,
// and join() adds it to the receiver's knowledge when the receiver waits for it. Sends block until their receive is
// posted, the worst behaviour that MPI allows, so a schedule that can deadlock with large messages does so here.
// Returns what each rank knows in the end.
template <class Knowledge, class Take, class Join>
std::vector<Knowledge> carry_out(const Schedule& schedule, std::vector<Knowledge> knows, Take take, Join join,
                                 std::uint64_t seed) {
  const int np = static_cast<int>(schedule.size());
  struct Channel {
    std::deque<std::pair<Knowledge, double>> sent;
    int posted = 0, taken = 0;
    std::deque<double> sizes;
  };
  std::map<std::pair<int, int>, Channel> channels;
  std::vector<size_t> next(np, 0);
  std::vector<bool> called(np, false);
  std::map<std::pair<int, int>, std::pair<int, int>> started;  // messages that were sent, and that have been waited for
  std::mt19937_64 random(seed);
  std::vector<int> open(np);
  for (int r = 0; r < np; ++r) open[r] = r;
  int idle = 0;
  while (!open.empty() && idle < 4 * np) {
    bool moved = false;
    std::shuffle(open.begin(), open.end(), random);
    for (const int r : open) {
      if (next[r] == schedule[r].size()) continue;
      const Operation& o = schedule[r][next[r]];
      const auto to = std::pair(r, o.peer), from = std::pair(o.peer, r);
      bool done = true;
      switch (o.kind) {
        case Kind::kSend:
        case Kind::kStartSend:
          if (!called[r]) {
            channels[to].sent.emplace_back(take(knows[r], r, o), o.amount);
            ++started[to].first;
            called[r] = true;
          }
          if (o.kind == Kind::kSend) {
            done = channels[to].posted >= started[to].first;
            if (done) ++started[to].second;
          }
          if (done) called[r] = false;
          break;
        case Kind::kWaitSend:
          done = channels[to].posted > started[to].second;
          if (done) ++started[to].second;
          break;
        case Kind::kPostReceive:
          ++channels[from].posted;
          channels[from].sizes.push_back(o.amount);
          break;
        case Kind::kWaitReceive: {
          Channel& c = channels[from];
          EXPECT_FALSE(c.sizes.empty()) << "a wait for nothing";
          done = !c.sent.empty();
          if (!done) break;
          EXPECT_EQ(c.sent.front().second, c.sizes.front()) << "sent and received sizes differ";
          join(knows[r], r, c.sent.front().first, o);
          c.sent.pop_front();
          c.sizes.pop_front();
          break;
        }
        case Kind::kCompute:
        case Kind::kCombine:
          break;
      }
      if (done) {
        ++next[r];
        moved = true;
      }
    }
    std::erase_if(open, [&](int r) { return next[r] == schedule[r].size(); });
    idle = moved ? 0 : idle + 1;
  }
  EXPECT_TRUE(open.empty()) << "rank " << (open.empty() ? -1 : open.front()) << " waits for ever";
  for (const auto& [channel, c] : channels) {
    EXPECT_TRUE(c.sent.empty()) << "a message from " << channel.first << " to " << channel.second << " nobody takes";
  }
  return knows;
}

double sent_bytes(const Schedule& schedule) {
  double bytes = 0;
  for (const auto& operations : schedule) {
    for (const Operation& o : operations) {
      if (o.kind == Kind::kSend || o.kind == Kind::kStartSend) bytes += o.amount;
    }
  }
  return bytes;
}

int num_messages(const Schedule& schedule) {
  int n = 0;
  for (const auto& operations : schedule) {
    for (const Operation& o : operations) n += o.kind == Kind::kSend || o.kind == Kind::kStartSend ? 1 : 0;
  }
  return n;
}

double combined_bytes(const std::vector<Operation>& operations) {
  double bytes = 0;
  for (const Operation& o : operations) bytes += o.kind == Kind::kCombine ? o.amount : 0;
  return bytes;
}

// Broadcasts in which every rank gets the message once. Counts bytes: a rank must not send more than it has, and
// everyone must get all bytes. Halves and segments of split binary differ by their place in the message, which
// operations do not contain, so they are not distinguished.
void expect_broadcasts(const Schedule& schedule, const CollectiveCase& what, bool twice_to_root) {
  SCOPED_TRACE(text(what));
  const double all = what.payload.bytes();
  std::vector<double> has(schedule.size(), 0);
  has[what.root] = all;
  const auto take = [&](double& h, int, const Operation& o) {
    EXPECT_GE(h, o.amount) << "a rank sends what it does not have";
    return 0.0;
  };
  const auto join = [](double& h, int, double, const Operation& o) { h += o.amount; };
  const std::vector<double> got = carry_out(schedule, has, take, join, 1);
  for (int r = 0; r < static_cast<int>(schedule.size()); ++r) {
    EXPECT_EQ(got[r], r == what.root && twice_to_root ? 2 * all : all) << "rank " << r;
  }
}

// A reduction needs p - 1 combinations of the whole message. For messages of one segment, the result at the root, or at
// all ranks, must also contain every contribution exactly once.
void expect_reduces(const Schedule& schedule, const CollectiveCase& what, bool to_all, bool one_hop_more) {
  SCOPED_TRACE(text(what));
  const int np = static_cast<int>(schedule.size());
  if (what.algorithm != Algorithm::kRecursiveDoubling) {
    double combined = 0;
    for (const auto& operations : schedule) combined += combined_bytes(operations);
    EXPECT_EQ(combined, (np - 1) * what.payload.bytes());
  }
  if (what.payload.num_segments() != 1) return;
  using Bag = std::map<int, int>;  // by rank: how often the bag contains its contribution
  std::vector<Bag> has(np);
  for (int r = 0; r < np; ++r) has[r][r] = 1;
  // In a reduce a contribution moves to the receiver; in an allreduce the sender also keeps it.
  const auto take = [&](Bag& bag, int, const Operation&) { return to_all ? bag : std::exchange(bag, {}); };
  const auto join = [&](Bag& bag, int, const Bag& got, const Operation&) {
    // A full result replaces the receiver's; parts are added.
    const bool full = static_cast<int>(got.size()) == np;
    if (full) bag.clear();
    for (const auto& [r, n] : got) bag[r] += n;
  };
  const std::vector<Bag> got = carry_out(schedule, has, take, join, 1);
  for (int r = 0; r < np; ++r) {
    if (r != what.root && !to_all) continue;
    ASSERT_EQ(static_cast<int>(got[r].size()), np) << "rank " << r << " lacks contributions";
    for (const auto& [from, n] : got[r]) EXPECT_EQ(n, 1) << "of rank " << from << " at rank " << r;
  }
  EXPECT_GE(num_messages(schedule), np - 1);
  EXPECT_EQ(num_messages(schedule) > np - 1 && !to_all, one_hop_more);
}

// Counts the bytes of blocks: a rank must not send more than it has. In the end the root of a gather must have all
// blocks, and each rank of a scatter one block.
void expect_message_sizes_fit(const Schedule& schedule, const CollectiveCase& what) {
  SCOPED_TRACE(text(what));
  const int np = static_cast<int>(schedule.size());
  const double block = what.payload.bytes();
  const bool gather = what.collective == Collective::kGather;
  std::vector<double> has(np, gather ? block : 0);
  if (!gather) has[what.root] = np * block;
  const auto take = [&](double& h, int, const Operation& o) {
    EXPECT_GE(h, o.amount);
    h -= o.amount;
    return 0.0;
  };
  const auto join = [](double& h, int, double, const Operation& o) { h += o.amount; };
  const std::vector<double> got = carry_out(schedule, has, take, join, 1);
  for (int r = 0; r < np; ++r) {
    if (gather) {
      EXPECT_EQ(got[r], r == what.root ? np * block : 0) << "rank " << r;
    } else {
      EXPECT_EQ(got[r], block) << "rank " << r;
    }
  }
}

CollectiveCase make(Collective c, Algorithm a, int root, int elements, double segment_bytes = 0) {
  return {.collective = c,
          .algorithm = a,
          .root = root,
          .payload = {.elements = elements, .element_bytes = 4, .segment_bytes = segment_bytes}};
}

TEST(Payload, SegmentsAreWholeElements) {
  const auto segments = [](int elements, double segment_bytes) {
    return Payload{.elements = elements, .element_bytes = 4, .segment_bytes = segment_bytes}.segments();
  };
  EXPECT_EQ(segments(5, 0), (std::vector<double>{20}));
  EXPECT_EQ(segments(5, 20), (std::vector<double>{20}));
  EXPECT_EQ(segments(5, 100), (std::vector<double>{20}));
  EXPECT_EQ(segments(5, 11), (std::vector<double>{8, 8, 4}));
  EXPECT_EQ(segments(4, 8), (std::vector<double>{8, 8}));
  EXPECT_EQ(segments(3, 1), (std::vector<double>{4, 4, 4}));
  EXPECT_EQ(segments(0, 8), (std::vector<double>{}));
}

TEST(Collective, BroadcastsGiveEveryRankTheMessageOnce) {
  for (const Algorithm algorithm : algorithms_of(Collective::kBroadcast)) {
    for (int p = 1; p <= kMost; ++p) {
      for (int root = 0; root < p; ++root) {
        for (const double segment : {0.0, 8.0}) {
          const CollectiveCase what = make(Collective::kBroadcast, algorithm, root, 5, segment);
          const Schedule s = flat_schedule(what, p);
          expect_broadcasts(s, what, false);
          EXPECT_EQ(sent_bytes(s), (p - 1) * 20.0);
          if (algorithm != Algorithm::kSplitBinary) {
            EXPECT_EQ(num_messages(s), (p - 1) * (segment > 0 && algorithm != Algorithm::kLinear ? 3 : 1));
          }
        }
        if (HasFailure()) return;
      }
    }
  }
}

TEST(Collective, ReducesTakeEveryContributionOnce) {
  for (const Algorithm algorithm : algorithms_of(Collective::kReduce)) {
    for (int p = 1; p <= kMost; ++p) {
      for (int root = 0; root < p; ++root) {
        for (const double segment : {0.0, 8.0}) {
          const CollectiveCase what = make(Collective::kReduce, algorithm, root, 5, segment);
          const Schedule s = flat_schedule(what, p);
          const bool hop = algorithm == Algorithm::kInOrderBinary && root != p - 1;
          expect_reduces(s, what, false, hop);
          EXPECT_EQ(num_messages(s),
                    (p - 1) * (segment > 0 && algorithm != Algorithm::kLinear ? 3 : 1) + (hop ? 1 : 0));
        }
        if (HasFailure()) return;
      }
    }
  }
}

// Linear and in-order binary reduces combine in the order of the ranks: received contributions go in front of the
// rank's own. The result must be the ranks from 0 to p - 1.
TEST(Collective, OrderedReducesCombineInTheOrderOfTheRanks) {
  for (const Algorithm algorithm : {Algorithm::kLinear, Algorithm::kInOrderBinary}) {
    for (int p = 1; p <= kMost; ++p) {
      for (int root = 0; root < p; ++root) {
        using Ranks = std::vector<int>;
        const CollectiveCase what = make(Collective::kReduce, algorithm, root, 5);
        const Schedule s = flat_schedule(what, p);
        std::vector<Ranks> has(p), received(p);
        for (int r = 0; r < p; ++r) has[r] = {r};
        // The root of a linear reduce starts with the contribution of the last rank, and inserts its own at its place.
        const auto take = [](const Ranks& ranks, int, const Operation&) { return ranks; };
        const auto join = [&](Ranks& ranks, int r, const Ranks& got, const Operation&) {
          if (static_cast<int>(got.size()) == p) {
            ranks = got;
          } else if (algorithm == Algorithm::kLinear) {
            received[r].insert(received[r].begin(), got.begin(), got.end());
          } else {
            ranks.insert(ranks.begin(), got.begin(), got.end());
          }
        };
        Ranks result = carry_out(s, has, take, join, 1)[root];
        if (algorithm == Algorithm::kLinear) {
          result = received[root];
          EXPECT_TRUE(std::is_sorted(result.begin(), result.end()));
          result.insert(std::lower_bound(result.begin(), result.end(), root), root);
        }
        Ranks expected(p);
        for (int r = 0; r < p; ++r) expected[r] = r;
        EXPECT_EQ(result, expected) << text(what);
      }
    }
  }
}

TEST(Collective, AllreducesGiveEveryRankEveryContribution) {
  for (const Algorithm algorithm : algorithms_of(Collective::kAllreduce)) {
    for (int p = 1; p <= kMost; ++p) {
      const CollectiveCase what = make(Collective::kAllreduce, algorithm, 0, 5);
      expect_reduces(flat_schedule(what, p), what, true, false);
    }
  }
}

TEST(Collective, GathersAndScattersMoveEveryBlock) {
  for (const Collective collective : {Collective::kGather, Collective::kScatter}) {
    for (const Algorithm algorithm : algorithms_of(collective)) {
      for (int p = 1; p <= kMost; ++p) {
        for (int root = 0; root < p; ++root) {
          const CollectiveCase what = make(collective, algorithm, root, 3);
          const Schedule s = flat_schedule(what, p);
          expect_message_sizes_fit(s, what);
          EXPECT_EQ(num_messages(s), p - 1);
        }
      }
    }
  }
}

TEST(Collective, BinomialGatherOfSixFromRank4) {
  // v = 0..5 are the ranks 4 5 0 1 2 3. Rank 5 sends its block; 1 sends its block to 0, which sends two blocks; 3 sends
  // to 2, which sends two blocks.
  const Schedule s = flat_schedule(make(Collective::kGather, Algorithm::kBinomial, 4, 1), 6);
  EXPECT_EQ(s[5], (std::vector<Operation>{{Kind::kSend, 4, 4}}));
  EXPECT_EQ(s[0],
            (std::vector<Operation>{{Kind::kPostReceive, 1, 4}, {Kind::kWaitReceive, 1, 4}, {Kind::kSend, 4, 8}}));
  EXPECT_EQ(s[2],
            (std::vector<Operation>{{Kind::kPostReceive, 3, 4}, {Kind::kWaitReceive, 3, 4}, {Kind::kSend, 4, 8}}));
  EXPECT_EQ(s[4].size(), 6U);
  EXPECT_EQ(s[4][4], (Operation{Kind::kPostReceive, 2, 8}));
}

TEST(Collective, AllgathersGiveEveryRankEveryBlock) {
  for (const Algorithm algorithm : algorithms_of(Collective::kAllgather)) {
    for (int p = 1; p <= kMost; ++p) {
      const CollectiveCase what = make(Collective::kAllgather, algorithm, 0, 3);
      const Schedule s = flat_schedule(what, p);
      using Blocks = std::set<int>;
      std::vector<Blocks> has(p);
      for (int r = 0; r < p; ++r) has[r] = {r};
      const auto take = [](const Blocks& blocks, int, const Operation&) { return blocks; };
      const auto join = [](Blocks& blocks, int, const Blocks& got, const Operation&) {
        blocks.insert(got.begin(), got.end());
      };
      const std::vector<Blocks> got = carry_out(s, has, take, join, 1);
      for (int r = 0; r < p; ++r) EXPECT_EQ(static_cast<int>(got[r].size()), p) << text(what) << " rank " << r;
      if (algorithm == Algorithm::kRing) {
        EXPECT_EQ(num_messages(s), p * (p - 1));
        EXPECT_EQ(sent_bytes(s), p * (p - 1) * 12.0);
      }
    }
  }
}

// No rank leaves before all have come: each rank that is done has heard from all.
TEST(Collective, BarriersWaitForEveryRank) {
  for (const bool hierarchical : {false, true}) {
    for (const Algorithm algorithm : algorithms_of(Collective::kBarrier)) {
      if (!has_algorithm(Collective::kBarrier, algorithm, hierarchical)) continue;
      for (int p = 1; p <= kMost; ++p) {
        const CollectiveCase what = make(Collective::kBarrier, algorithm, 0, 0);
        const std::vector<int> groups = {1, p};
        const Schedule s =
            hierarchical ? hierarchical_schedule(what, grouped_hierarchy(groups)) : flat_schedule(what, p);
        using Come = std::set<int>;
        std::vector<Come> has(p);
        for (int r = 0; r < p; ++r) has[r] = {r};
        const auto take = [](const Come& come, int, const Operation&) { return come; };
        const auto join = [](Come& come, int, const Come& got, const Operation&) {
          come.insert(got.begin(), got.end());
        };
        const std::vector<Come> got = carry_out(s, has, take, join, 1);
        for (int r = 0; r < p; ++r) EXPECT_EQ(static_cast<int>(got[r].size()), p) << text(what) << " rank " << r;
        EXPECT_EQ(sent_bytes(s), 0);
      }
    }
  }
}

TEST(Collective, NothingIsSentForAnEmptyMessage) {
  for (const auto& [name, collective] : kCollectives) {
    if (collective == Collective::kBarrier) continue;
    for (const Algorithm algorithm : algorithms_of(collective)) {
      const CollectiveCase what = make(collective, algorithm, 0, 0);
      for (const auto& operations : flat_schedule(what, 9)) EXPECT_TRUE(operations.empty()) << text(what);
      if (!has_algorithm(collective, algorithm, true)) continue;
      const std::vector<int> groups = {3, 3};
      for (const auto& operations : hierarchical_schedule(what, grouped_hierarchy(groups))) {
        EXPECT_TRUE(operations.empty()) << text(what);
      }
    }
  }
}

TEST(Collective, SplitBinaryOfFiveByHand) {
  // Five elements: 12 B go down the left side and 8 B down the right. Then 1 exchanges with 2, and 3 with 4.
  const Schedule s = flat_schedule(make(Collective::kBroadcast, Algorithm::kSplitBinary, 0, 5), 5);
  EXPECT_EQ(s[0], (std::vector<Operation>{{Kind::kSend, 1, 12}, {Kind::kSend, 2, 8}}));
  EXPECT_EQ(s[3], (std::vector<Operation>{{Kind::kPostReceive, 1, 12},
                                          {Kind::kWaitReceive, 1, 12},
                                          {Kind::kPostReceive, 4, 8},
                                          {Kind::kStartSend, 4, 12},
                                          {Kind::kWaitReceive, 4, 8},
                                          {Kind::kWaitSend, 4, 12}}));
}

TEST(Collective, SplitBinaryOfLittleIsAPipeline) {
  for (const auto& [elements, segment] : std::vector<std::pair<int, double>>{{1, 0}, {1, 4}, {5, 12}, {5, 20}}) {
    EXPECT_EQ(flat_schedule(make(Collective::kBroadcast, Algorithm::kSplitBinary, 2, elements, segment), 7),
              flat_schedule(make(Collective::kBroadcast, Algorithm::kPipeline, 2, elements, segment), 7));
  }
  EXPECT_NE(flat_schedule(make(Collective::kBroadcast, Algorithm::kSplitBinary, 2, 5, 8), 7),
            flat_schedule(make(Collective::kBroadcast, Algorithm::kPipeline, 2, 5, 8), 7));
}

TEST(Hierarchy, TwoNodesOfTwoPackagesOfTwoCores) {
  const auto t = parse_tree("node:2 pack:2 core:2 pu:1");
  const Hierarchy h = topological_hierarchy(*t, place(*t, 8));
  EXPECT_EQ(h.np, 8);
  EXPECT_EQ(h.bridges, (std::vector<std::vector<int>>{{0, 4}, {0, 2}, {0, 1}, {2, 3}, {4, 6}, {4, 5}, {6, 7}}));
  const std::vector<int> groups = {2, 2, 2};
  Hierarchy given = grouped_hierarchy(groups);
  std::sort(given.bridges.begin(), given.bridges.end());
  auto expected = h.bridges;
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(given.bridges, expected);
}

TEST(Hierarchy, RoundRobinOverNodesKeepsTheNodesTogether) {
  const auto t = parse_tree("node:3 pack:1 core:2 pu:1");
  const std::vector<Binding> ranks = place(*t, 6, {.map_by = "node", .bind_to = "core", .oversubscribe = false});
  const Hierarchy h = topological_hierarchy(*t, ranks);
  EXPECT_EQ(h.bridges, (std::vector<std::vector<int>>{{0, 1, 2}, {0, 3}, {1, 4}, {2, 5}}));
}

TEST(Hierarchy, ARankInNoChildTakesPartAmongTheRoots) {
  const auto t = parse_tree("pack:2 core:4 pu:1");
  const auto bound = [&](const char* list, int core) {
    return Binding{.node = 0, .cpuset = Cpuset::parse(list).value(), .core = t->cores()[core]};
  };
  const std::vector<Binding> ranks = {bound("0", 0), bound("4", 4), bound("0-7", 0),
                                      bound("1", 1), bound("5", 5), bound("6-7", 6)};
  EXPECT_EQ(topological_hierarchy(*t, ranks).bridges, (std::vector<std::vector<int>>{{0, 1, 2}, {0, 3}, {1, 4, 5}}));
}

TEST(Hierarchy, UnboundRanksAndRanksOfOneCoreHaveNoLevel) {
  const auto t = parse_tree("pack:2 core:4 pu:1");
  const std::vector<Binding> ranks = place(*t, 8, {.map_by = "core", .bind_to = "none", .oversubscribe = false});
  EXPECT_EQ(topological_hierarchy(*t, ranks).bridges, (std::vector<std::vector<int>>{{0, 1, 2, 3, 4, 5, 6, 7}}));
  const auto one = parse_tree("pack:1 core:1 pu:1");
  const std::vector<Binding> same = place(*one, 3, {.map_by = "core", .bind_to = "core", .oversubscribe = true});
  EXPECT_EQ(topological_hierarchy(*one, same).bridges, (std::vector<std::vector<int>>{{0, 1, 2}}));
  EXPECT_THROW(topological_hierarchy(*t, {}), std::invalid_argument);
}

TEST(Hierarchy, GroupsAreBlocksOfConsecutiveRanks) {
  const std::vector<int> groups = {3, 1, 2};
  EXPECT_EQ(grouped_hierarchy(groups).bridges,
            (std::vector<std::vector<int>>{{0, 2, 4}, {0}, {2}, {4}, {0, 1}, {2, 3}, {4, 5}}));
  const std::vector<int> none = {2, 0};
  EXPECT_THROW(grouped_hierarchy(none), std::invalid_argument);
  const std::vector<int> many = {1'000'000, 1'000'000};
  EXPECT_THROW(grouped_hierarchy(many), std::invalid_argument);
}

// 2 x 3 ranks: gathers in two groups of three, then between their first ranks. Each of those combines the vectors of
// its group into one.
TEST(Vectors, GatherAndCombineUpwards) {
  const std::vector<int> groups = {2, 3};
  const Schedule s = vectors_schedule(grouped_hierarchy(groups), 8);
  EXPECT_EQ(s[4], (std::vector<Operation>{{Kind::kSend, 3, 8}}));
  EXPECT_EQ(s[3], (std::vector<Operation>{{Kind::kPostReceive, 4, 8},
                                          {Kind::kWaitReceive, 4, 8},
                                          {Kind::kPostReceive, 5, 8},
                                          {Kind::kWaitReceive, 5, 8},
                                          {Kind::kCombine, -1, 8},
                                          {Kind::kCombine, -1, 8},
                                          {Kind::kCombine, -1, 8},
                                          {Kind::kSend, 0, 8}}));
  EXPECT_EQ(num_messages(s), 5);
  EXPECT_EQ(combined_bytes(s[0]), (3 + 2) * 8);
  for (const auto& operations : vectors_schedule(grouped_hierarchy(groups), 0)) EXPECT_TRUE(operations.empty());
}

// Random trees and bindings (objects of any level, or arbitrary sets of PUs), every root, every collective.
TEST(Collective, HierarchicalOnesDoTheSameOnRandomTrees) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  for (int trial = 0; trial < 60; ++trial) {
    std::string line = pick(0, 1) ? "switch:" + std::to_string(pick(1, 3)) + " " : "";
    line += "node:" + std::to_string(pick(1, 3)) + " pack:" + std::to_string(pick(1, 3));
    if (pick(0, 1)) line += " l3:" + std::to_string(pick(1, 2));
    line += " core:" + std::to_string(pick(1, 4)) + " pu:" + std::to_string(pick(1, 2));
    SCOPED_TRACE(line);
    const auto t = parse_tree(line);
    const int np = pick(1, kMost);
    std::vector<Binding> ranks;
    for (int r = 0; r < np; ++r) {
      const int core = t->cores()[pick(0, static_cast<int>(t->cores().size()) - 1)];
      Cpuset set;
      if (pick(0, 3) == 0) {
        const Cpuset& all = t->object(t->node_vertex(t->node(core)))->cpuset;
        for (int i = 0; i < 3; ++i) set.add(pick(0, all.count() - 1));  // synthetic PUs are 0 to n-1
      } else {
        int v = core;
        for (int up = pick(0, 4); up > 0 && t->node(t->parent(v)) >= 0; --up) v = t->parent(v);
        set = t->object(v)->cpuset;
      }
      ranks.push_back({.node = t->node(core), .cpuset = set, .core = core});
    }
    const Hierarchy h = topological_hierarchy(*t, ranks);
    for (const auto& [name, collective] : kCollectives) {
      for (const Algorithm algorithm : algorithms_of(collective)) {
        if (!has_algorithm(collective, algorithm, true)) continue;
        const int root = pick(0, np - 1);
        const CollectiveCase what = make(collective, algorithm, root, 5, pick(0, 1) * 8.0);
        const Schedule s = hierarchical_schedule(what, h);
        switch (collective) {
          case Collective::kBroadcast:
            expect_broadcasts(s, what, root != 0);
            break;
          case Collective::kReduce:
            expect_reduces(s, what, false, num_messages(s) > np - 1);
            break;
          case Collective::kAllreduce:
            expect_reduces(s, what, true, false);
            break;
          case Collective::kGather:
          case Collective::kScatter:
            expect_message_sizes_fit(s, what);
            break;
          default:
            break;
        }
        if (HasFailure()) return;
      }
    }
  }
}

TEST(Collective, RefusesWhatIsNone) {
  EXPECT_THROW(flat_schedule(make(Collective::kBroadcast, Algorithm::kLinear, 0, 1), 0), std::invalid_argument);
  EXPECT_THROW(flat_schedule(make(Collective::kBroadcast, Algorithm::kLinear, 4, 1), 4), std::invalid_argument);
  EXPECT_THROW(flat_schedule(make(Collective::kBroadcast, Algorithm::kLinear, -1, 1), 4), std::invalid_argument);
  EXPECT_THROW(flat_schedule(make(Collective::kBroadcast, Algorithm::kInOrderBinary, 0, 1), 4), std::invalid_argument);
  EXPECT_THROW(flat_schedule(make(Collective::kReduce, Algorithm::kSplitBinary, 0, 1), 4), std::invalid_argument);
  EXPECT_THROW(flat_schedule(make(Collective::kBroadcast, Algorithm::kChain, 0, 2'000'000'000, 4), 4),
               std::invalid_argument);
  const std::vector<int> groups = {2, 2};
  EXPECT_THROW(hierarchical_schedule(make(Collective::kAllgather, Algorithm::kRing, 0, 1), grouped_hierarchy(groups)),
               std::invalid_argument);
  EXPECT_EQ(find_algorithm("chains"), std::nullopt);
  EXPECT_EQ(find_collective("alltoall"), std::nullopt);
  for (const auto& [name, algorithm] : kAlgorithms) EXPECT_EQ(find_algorithm(name), algorithm);
}

}  // namespace
}  // namespace strata::models
