// SPDX-License-Identifier: LGPL-2.1-only
// Loads of levels compared with messages counted one by one, and the effect of the placement of progress threads.
#include "models/split_tree_load.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <stdexcept>

#include "models/shared_cores.h"
#include "platforms/placement.h"
#include "platforms/progress_placement.h"
#include "platforms/topology.h"
#include "tests/models/enumerated_tree.h"

namespace strata::models {
namespace {

// The cores of the progress threads of ranks that are spread over one node of 64 cores.
std::vector<int> thread_cores(int ranks, const std::string& policy) {
  const auto topology = parse_tree("pack:1 core:64 pu:1");
  PlacementOptions spread;
  spread.map_by = "spread";
  std::vector<int> cores;
  for (const Binding& b : place_progress(*topology, place(*topology, ranks, spread), policy)) {
    cores.push_back(topology->first_core(b.core));
  }
  return cores;
}

TEST(SplitTreeLoad, EvenPlacementsAreTheModels) {
  for (const int ranks : {40, 48, 50, 52, 58, 60, 62, 63}) {
    const SplitTree t{.cores = 64, .ranks = ranks};
    for (int s = 0; s <= 3; ++s) {
      const Folded f = folded(t, s, 0, thread_cores(ranks, "numa"));
      EXPECT_EQ(f.application_time(), on_application_cores(t, s)) << ranks << " " << s;
      EXPECT_EQ(f.communication_time(), on_communication_cores(t, s)) << ranks << " " << s;
      EXPECT_EQ(overlapped_time(f, 6.5), overlapped_time(t, s, 6.5));
      EXPECT_EQ(most_uneven(f.communication), nullptr);
    }
  }
}

TEST(SplitTreeLoad, OfEachLevel) {
  // 6 ranks; the threads of ranks 0 to 2 share a core, those of 3 to 5 another. Level 1 is 1 -> 0, 3 -> 2, 5 -> 4;
  // level 2 is 2 -> 0; level 3 is 4 -> 0.
  const std::vector<int> cores = {7, 7, 7, 9, 9, 9};
  const std::vector<LevelLoad> up = level_loads({.cores = 8, .ranks = 6}, 0, cores);
  ASSERT_EQ(up.size(), 3U);
  EXPECT_EQ(up[0].messages, 3);
  EXPECT_EQ(up[0].core, 7);
  EXPECT_EQ(up[0].load, 2);
  EXPECT_EQ(up[0].even_load, 2);
  EXPECT_EQ(up[1].messages, 1);
  EXPECT_EQ(up[2].level, 3);
  // On the way down the receivers are 4; then 2; then 1, 3 and 5, of which the last two are on one core.
  const std::vector<LevelLoad> down =
      level_loads({.cores = 8, .ranks = 6, .direction = Direction::kOneToAll}, 0, cores);
  EXPECT_EQ(down[0].level, 3);
  EXPECT_EQ(down[0].core, 9);
  EXPECT_EQ(down[2].core, 9);
  EXPECT_EQ(down[2].load, 2);
  // With root 3 all ranks are shifted by three.
  EXPECT_EQ(level_loads({.cores = 8, .ranks = 6}, 3, cores)[0].core, 9);
}

// A message of a gather contains the blocks of a subtree; rank 4's subtree has 2 blocks, not 4. Ranks 0, 2 and 4 also
// copy their own block.
TEST(SplitTreeLoad, BlocksThatThereAre) {
  const std::vector<int> cores = {7, 7, 7, 9, 9, 9};
  const std::vector<LevelLoad> up = level_loads({.cores = 8, .ranks = 6, .weight = Weight::kDoubling}, 0, cores);
  EXPECT_EQ(up[0].load, 2 + 2);
  EXPECT_EQ(up[0].own, 2);
  EXPECT_EQ(up[1].load, 2);
  EXPECT_EQ(up[2].load, 2);
  EXPECT_EQ(up[2].even_load, 4);  // Eq. 8 assumes a full subtree
  EXPECT_EQ(most_uneven(up), nullptr);
}

TEST(SplitTreeLoad, AnAllreduceCombinesOneWay) {
  const std::vector<int> cores = {7, 7, 7, 9, 9, 9};
  const SplitTree t{.cores = 8, .ranks = 6, .direction = Direction::kThereAndBack, .combine = 0.5};
  const Folded f = folded(t, 1, 0, cores);
  ASSERT_EQ(f.application.size(), 2U);
  ASSERT_EQ(f.communication.size(), 4U);
  EXPECT_EQ(f.application_time(), on_application_cores(t, 1));
  EXPECT_EQ(f.communication_time(), on_communication_cores(t, 1));
}

// Counted message by message, with random cores: the load is never below the even share, and no core has more than the
// reported one.
TEST(SplitTreeLoad, AgainstCountingAtRandom) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 2000; ++trial) {
    const int ranks = 2 + static_cast<int>(random() % 80), spare = 1 + static_cast<int>(random() % 10);
    const int arity = 2 + static_cast<int>(random() % 4), root = static_cast<int>(random() % ranks);
    const Direction way = random() % 2 == 0 ? Direction::kAllToOne : Direction::kOneToAll;
    std::vector<int> cores(ranks);
    for (int& c : cores) c = static_cast<int>(random() % spare);
    const SplitTree t{.cores = ranks + spare, .ranks = ranks, .arity = arity, .direction = way};
    std::map<int, std::map<int, double>> counted;
    for (const Message& m : messages_of(ranks, arity)) {
      ++counted[m.level][cores[((way == Direction::kAllToOne ? m.to : m.from) + root) % ranks]];
    }
    for (const LevelLoad& l : level_loads(t, root, cores)) {
      double most = 0;
      for (const auto& [core, load] : counted[l.level]) most = std::max(most, load);
      ASSERT_EQ(l.load, most);
      ASSERT_EQ(counted[l.level][l.core], most);
      ASSERT_GE(l.load, l.even_load);
      ASSERT_EQ(l.messages, messages_on_level(ranks, l.level, arity));
    }
  }
}

// Simulates a reduce or a broadcast: copies start as soon as they can, and copies on one core share it evenly. Returns
// when the last copy is done, in units of a copy.
double carry_out(int ranks, Direction way, const std::vector<int>& core_of_rank) {
  const std::vector<TreeMessage> tree = tree_messages({.cores = ranks, .ranks = ranks}, 0, way);
  std::vector<TreeMessage> waiting = tree, under_way;
  if (way == Direction::kOneToAll) std::reverse(waiting.begin(), waiting.end());
  std::vector<double> left;
  // A message may start when all messages of earlier levels that involve its sender, or go to its receiver, have
  // arrived.
  const auto may_go = [&](const TreeMessage& m) {
    const auto before = [&](const TreeMessage& o) {
      const bool earlier = way == Direction::kAllToOne ? o.level < m.level : o.level > m.level;
      return earlier && (o.to == m.from || o.to == m.to || o.from == m.from);
    };
    return std::ranges::none_of(waiting, before) && std::ranges::none_of(under_way, before);
  };
  double now = 0;
  while (!waiting.empty() || !under_way.empty()) {
    std::vector<TreeMessage> starting, staying;
    for (const TreeMessage& m : waiting) (may_go(m) ? starting : staying).push_back(m);
    waiting = staying;
    for (const TreeMessage& m : starting) {
      under_way.push_back(m);
      left.push_back(1);
    }
    std::map<int, int> sharing;
    for (const TreeMessage& m : under_way) ++sharing[core_of_rank[m.to]];
    double next = HUGE_VAL;
    for (size_t i = 0; i < left.size(); ++i) next = std::min(next, left[i] * sharing[core_of_rank[under_way[i].to]]);
    now += next;
    for (size_t i = left.size(); i-- > 0;) {
      left[i] -= next / sharing[core_of_rank[under_way[i].to]];
      if (left[i] > 1e-9) continue;
      left.erase(left.begin() + static_cast<long>(i));
      under_way.erase(under_way.begin() + static_cast<long>(i));
    }
  }
  return now;
}

// The cores of ranks that are spread over 64 cores: numbers that no thread's core has.
std::vector<int> rank_cores(int ranks) {
  std::vector<int> cores;
  for (int r = 0; r < ranks; ++r) cores.push_back(1000 + r);
  return cores;
}

PlacedTree placed(const SplitTree& t, const std::vector<int>& threads) {
  return {.tree = t, .root = 0, .core_of_rank = rank_cores(t.ranks), .core_of_thread = threads};
}

TEST(PlacedTime, IsThatOfMessagesCarriedOut) {
  for (const Direction way : {Direction::kAllToOne, Direction::kOneToAll}) {
    for (int ranks = 2; ranks <= 63; ++ranks) {
      const std::vector<int> cores = thread_cores(ranks, "numa");
      const SplitTree t{.cores = 64, .ranks = ranks, .direction = way};
      EXPECT_NEAR(placed_time(placed(t, cores), 0, 0), carry_out(ranks, way, cores), 1e-9) << ranks;
    }
  }
}

// With the paper's placement a reduce takes exactly the sum over its levels, whether their loads are even or not. A
// broadcast has different receivers on each level, and takes one copy less for some numbers of ranks.
TEST(PlacedTime, AgainstTheSumOverLevels) {
  for (int ranks = 32; ranks <= 63; ++ranks) {
    const std::vector<int> cores = thread_cores(ranks, "numa");
    for (int s = 0; s <= 3; ++s) {
      const SplitTree up{.cores = 64, .ranks = ranks};
      EXPECT_NEAR(placed_time(placed(up, cores), s, 6.5), overlapped_time(folded(up, s, 0, cores), 6.5), 1e-9) << ranks;
      const SplitTree down{.cores = 64, .ranks = ranks, .direction = Direction::kOneToAll};
      const double carried_out = placed_time(placed(down, cores), s, 0);
      const double levels = overlapped_time(folded(down, s, 0, cores), 0);
      const bool sooner = s == 0 ? std::set<int>{52, 53, 58, 60, 61, 62}.contains(ranks)
                                 : (s == 1 && (ranks == 58 || ranks == 61)) || (s == 2 && ranks == 61);
      EXPECT_NEAR(carried_out, levels - (sooner ? 1 : 0), 1e-9) << ranks << " " << s;
    }
  }
}

// Threads on the cores of their ranks cannot overlap: copies and computation share the cores.
TEST(PlacedTime, BoundToTheirRanksThreadsOverlapNothing) {
  const SplitTree t{.cores = 16, .ranks = 16};
  const PlacedTree p{.tree = t, .root = 0, .core_of_rank = rank_cores(16), .core_of_thread = rank_cores(16)};
  EXPECT_NEAR(placed_time(p, 0, 10), 10 + 4, 1e-9);
  EXPECT_NEAR(placed_time(p, 4, 10), 10 + 4, 1e-9);
  EXPECT_NEAR(placed_time(p, 2, 0), 4, 1e-9);
}

// With a core for each thread everything overlaps, for all shapes of trees; a gather also copies a rank's own block.
TEST(PlacedTime, WithACoreForEachThread) {
  for (int arity = 2; arity <= 4; ++arity) {
    for (const int ranks : {1, 2, 5, 16, 27, 31}) {
      std::vector<int> cores(ranks);
      std::iota(cores.begin(), cores.end(), 0);
      for (const Direction way : {Direction::kAllToOne, Direction::kOneToAll, Direction::kThereAndBack}) {
        const SplitTree t{.cores = 2 * ranks, .ranks = ranks, .arity = arity, .direction = way};
        for (int s = 0; s <= height(ranks, arity); ++s) {
          EXPECT_NEAR(placed_time(placed(t, cores), s, 0), nonblocking_time(t, s), 1e-9) << ranks << " " << s;
          EXPECT_NEAR(placed_time(placed(t, cores), s, 100), overlapped_time(t, s, 100), 1e-9) << ranks << " " << s;
        }
      }
    }
  }
  const SplitTree gather{.cores = 32, .ranks = 16, .weight = Weight::kDoubling};
  std::vector<int> cores(16);
  std::iota(cores.begin(), cores.end(), 0);
  EXPECT_NEAR(placed_time(placed(gather, cores), 0, 0), 15 + 1, 1e-9);
}

TEST(SharedCores, ShareEvenlyAndWait) {
  // Two tasks of 1 and 2 share a core: the first is done at 2, the second at 3. The third task, of 1, starts after the
  // second and is done at 4.
  const std::vector<Task> tasks = {{.core = 5, .amount = 1, .after = {}},
                                   {.core = 5, .amount = 2, .after = {}},
                                   {.core = 6, .amount = 1, .after = {1}},
                                   {.core = 6, .amount = 0, .after = {0}}};
  const std::vector<double> done = share_cores(tasks);
  EXPECT_DOUBLE_EQ(done[0], 2);
  EXPECT_DOUBLE_EQ(done[1], 3);
  EXPECT_DOUBLE_EQ(done[2], 4);
  EXPECT_DOUBLE_EQ(done[3], 2);
  EXPECT_THROW(share_cores(std::vector<Task>{{.core = 0, .amount = 1, .after = {0}}}), std::invalid_argument);
  EXPECT_TRUE(share_cores({}).empty());
}

// 57 ranks with 7 communication cores take 13, where the model says 10: the levels of 28, 14 and 7 messages have 5, 3
// and 2 on one core.
TEST(SplitTreeLoad, FiftySevenRanksAreUneven) {
  const SplitTree t{.cores = 64, .ranks = 57};
  const Folded f = folded(t, 0, 0, thread_cores(57, "numa"));
  EXPECT_EQ(on_communication_cores(t, 0), 10);
  EXPECT_EQ(f.communication_time(), 13);
  EXPECT_EQ(f.communication[0].load, 5);
  EXPECT_EQ(f.communication[0].even_load, 4);
}

TEST(SplitTreeLoad, ImbalanceIsFoundWhereItCostsMost) {
  const SplitTree t{.cores = 64, .ranks = 57};
  const std::vector<int> cores = thread_cores(57, "numa");
  const Folded f = folded(t, 0, 0, cores);
  EXPECT_GT(f.communication_time(), on_communication_cores(t, 0));
  const LevelLoad* worst = most_uneven(f.communication);
  ASSERT_NE(worst, nullptr);
  for (const LevelLoad& l : f.communication) EXPECT_LE(l.load - l.even_load, worst->load - worst->even_load);
}

TEST(SplitTreeLoad, RefusesWhatDoesNotFit) {
  const SplitTree t{.cores = 4, .ranks = 3};
  const std::vector<int> two = {0, 0}, three = {0, 0, 0};
  EXPECT_THROW(level_loads(t, 0, two), std::invalid_argument);
  EXPECT_THROW(level_loads(t, 3, three), std::invalid_argument);
  EXPECT_THROW(level_loads({.cores = 4, .ranks = 3, .nodes = 2}, 0, three), std::invalid_argument);
  EXPECT_TRUE(level_loads({.cores = 2, .ranks = 1}, 0, std::vector<int>{0}).empty());
}

}  // namespace
}  // namespace strata::models
