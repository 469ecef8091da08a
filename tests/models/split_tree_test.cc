// SPDX-License-Identifier: LGPL-2.1-only
// The split-tree model compared with the paper's numbers, and with trees that are built and counted.
#include "models/split_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include "tests/models/enumerated_tree.h"

namespace strata::models {
namespace {

std::vector<SplitTree> kinds(int cores, int ranks) {
  std::vector<SplitTree> list;
  for (const Direction direction : {Direction::kAllToOne, Direction::kOneToAll, Direction::kThereAndBack}) {
    for (const Weight weight : {Weight::kConstant, Weight::kDoubling}) {
      for (int arity = 2; arity <= 5; ++arity) {
        list.push_back({.cores = cores, .ranks = ranks, .arity = arity, .weight = weight, .direction = direction});
      }
    }
  }
  return list;
}

// --- the paper's numbers --------------------------------------------------------------------------------------------

double balanced_overlap(int cores, int ranks, int steps) {
  const SplitTree t{.cores = cores, .ranks = ranks};
  return overlapped_time(t, steps, balanced_computation(t));
}

int balanced_best(int cores, int ranks) {
  const SplitTree t{.cores = cores, .ranks = ranks};
  return best_steps(t, balanced_computation(t));
}

Choice balanced_choice(int cores) {
  const SplitTree t{.cores = cores, .ranks = cores};
  return best_choice(t, [&](int n) { return blocking_time(t) * cores / n; });
}

// Section 6.1: 16 ranks and 2 communication cores, Figures 9 and 10.
TEST(SplitTree, FoldingOfFigures9And10) {
  const SplitTree t{.cores = 18, .ranks = 16};
  EXPECT_EQ(blocking_time(t), 4);
  EXPECT_EQ(nonblocking_time(t, 0), 8);
  EXPECT_EQ(nonblocking_time(t, 1), 1 + 2 + 1 + 1);
  EXPECT_EQ(nonblocking_time(t, 2), 4);
  EXPECT_EQ(nonblocking_time({.cores = 17, .ranks = 16}, 0), 15);
}

// Section 7: on the 64-core KNL the best S changes at 52, 58 and 62 ranks.
TEST(SplitTree, BestStepsSwitchOn64Cores) {
  for (int n = 32; n <= 63; ++n) {
    EXPECT_EQ(balanced_best(64, n), n < 52 ? 0 : n < 58 ? 1 : n < 62 ? 2 : 3) << n;
  }
}

// Section 6.2: the best choice is N = 51, S = 0. Section 7: 38 ranks on the Skylake of 48 cores.
TEST(SplitTree, BestRanksOf64And48Cores) {
  const Choice knl = balanced_choice(64), skylake = balanced_choice(48);
  EXPECT_EQ(knl.ranks, 51);
  EXPECT_EQ(knl.steps, 0);
  EXPECT_EQ(skylake.ranks, 38);
  EXPECT_EQ(skylake.steps, 0);
}

// 62 ranks with 2 cores left and S = 3: levels of 31, 16, 8, 4, 2, 1 messages.
TEST(SplitTree, WorkedExample) {
  const SplitTree t{.cores = 64, .ranks = 62};
  EXPECT_EQ(blocking_time(t), 6);
  EXPECT_EQ(on_application_cores(t, 3), 3);
  EXPECT_EQ(on_communication_cores(t, 3), 2 + 1 + 1);
  EXPECT_EQ(nonblocking_time(t, 3), 7);
  EXPECT_DOUBLE_EQ(balanced_computation(t), 6 * 64 / 62.0);  // 6.19...
  EXPECT_DOUBLE_EQ(overlapped_time(t, 3, balanced_computation(t)), 3 + 6 * 64 / 62.0);
  EXPECT_EQ(nonblocking_time(t, 0), 16 + 8 + 4 + 2 + 1 + 1);
}

// The same with doubling message sizes (Eq. 8, 9): weights 1, 2, 4, 8, 16, 32.
TEST(SplitTree, WorkedExampleWithDoublingMessages) {
  const SplitTree t{.cores = 64, .ranks = 62, .weight = Weight::kDoubling};
  EXPECT_EQ(blocking_time(t), 63);
  EXPECT_EQ(nonblocking_time(t, 0), 16 + 2 * 8 + 4 * 4 + 8 * 2 + 16 + 32);
  EXPECT_EQ(on_application_cores(t, 3), 1 + 2 + 4);
  EXPECT_EQ(on_communication_cores(t, 3), 8 * 2 + 16 + 32);
  EXPECT_DOUBLE_EQ(overlapped_time(t, 3, balanced_computation(t)), 7 + 63 * 64 / 62.0);
}

// As printed, both equations contradict the paper; this is why they are not used.
TEST(SplitTree, TheErrata) {
  EXPECT_EQ(messages_on_level(64, 1), 32);  // Section 6.2: N / 2^i for a power of two
  EXPECT_NE(std::ceil(64 / 2.0 + 0.5), 32);
  int best = 1;
  for (int n = 2; n < 64; ++n) {
    const auto printed = [](int ranks) { return overlapped_time({.cores = 64, .ranks = ranks}, 0, ranks / 64.0 * 6); };
    if (printed(n) < printed(best)) best = n;
  }
  EXPECT_NE(best, 51);
  EXPECT_GT(balanced_overlap(64, 40, 0), balanced_overlap(64, 51, 0));  // 40 ranks compute for longer than 51
}

TEST(SplitTree, BlockingIsTheHeight) {
  for (int n = 1; n <= 4096; ++n) {
    EXPECT_EQ(blocking_time({.cores = 4096, .ranks = n}), std::ceil(std::log2(n))) << n;
  }
}

// --- against enumeration --------------------------------------------------------------------------------------------

TEST(SplitTree, MessagesOnEachLevelAreTheTreesTo4096Ranks) {
  for (int arity = 2; arity <= 5; ++arity) {
    // Each rank adds its own message to the tree, so the messages of n ranks are the first n - 1.
    const std::vector<Message> all = messages_of(4096, arity);
    std::map<int, long> counted;
    for (int n = 1; n <= 4096; ++n) {
      if (n > 1) ++counted[all[n - 2].level];
      ASSERT_EQ(height(n, arity), counted.empty() ? 0 : counted.rbegin()->first) << n;
      for (int i = 1; i <= 13; ++i) {
        const auto at = counted.find(i);
        ASSERT_EQ(messages_on_level(n, i, arity), at == counted.end() ? 0 : at->second) << n << " " << i;
        if (arity == 2 && i <= height(n)) {
          ASSERT_EQ(messages_on_level(n, i), std::ceil(n / std::pow(2, i) - 0.5));  // Eq. 5 as corrected
        }
      }
    }
  }
}

TEST(SplitTree, TimesAreTheTrees) {
  for (const int cores : {1, 2, 7, 16, 33, 64}) {
    for (int n = 1; n <= cores; ++n) {
      for (const SplitTree& t : kinds(cores, n)) {
        SCOPED_TRACE(testing::Message() << n << " of " << cores << ", arity " << t.arity);
        for (int s = 0; s <= height(n, t.arity) + 1; ++s) {
          const LevelTimes slow = slow_times(t, s);
          ASSERT_EQ(on_application_cores(t, s), slow.application);
          ASSERT_EQ(on_communication_cores(t, s), slow.communication);
          ASSERT_EQ(nonblocking_time(t, s), slow.application + slow.communication);
          ASSERT_EQ(overlapped_time(t, s, 2.5), slow_overlapped(t, s, 2.5));
        }
        ASSERT_EQ(blocking_time(t), slow_times(t, 99).application);
        ASSERT_EQ(level_times(t).size(), static_cast<size_t>(height(n, t.arity)));
      }
    }
  }
}

// Executes a blocking collective rank by rank: a rank continues with the next level when it has copied all messages of
// this level, one after another.
TEST(SplitTree, BlockingTimeIsThatOfTheWholeTree) {
  for (int arity = 2; arity <= 5; ++arity) {
    for (int n = 1; n <= 300; ++n) {
      std::vector<double> ready(n, 0);
      std::vector<Message> all = messages_of(n, arity);
      std::stable_sort(all.begin(), all.end(), [](const Message& a, const Message& b) { return a.level < b.level; });
      for (const Message& m : all) ready[m.to] = std::max(ready[m.to], ready[m.from]) + 1;
      EXPECT_EQ(blocking_time({.cores = n, .ranks = n, .arity = arity}), ready[0]) << n << " " << arity;
    }
  }
}

TEST(SplitTree, BestStepsAndChoiceAreTheLeast) {
  for (const int cores : {1, 2, 9, 40, 64}) {
    for (const double work : {0.0, 1.0, 6.0, 50.0}) {
      const auto computation = [&](int n) { return work * cores / n; };
      const auto rest = [&](int n) { return 0.25 * cores / n; };
      for (SplitTree t : kinds(cores, 1)) {
        for (const int least : {1, (cores + 1) / 2, cores}) {
          const Choice fast = best_choice(t, computation, rest, least), slow = slow_choice(t, computation, rest, least);
          EXPECT_EQ(fast.ranks, slow.ranks);
          EXPECT_EQ(fast.steps, slow.steps);
          EXPECT_DOUBLE_EQ(fast.time, slow.time);
        }
        for (t.ranks = 1; t.ranks <= cores; ++t.ranks) {
          ASSERT_EQ(best_steps(t, computation(t.ranks)), slow_best_steps(t, computation(t.ranks))) << t.ranks;
        }
      }
    }
  }
}

// --- beyond the paper -----------------------------------------------------------------------------------------------

// 10 nodes of 24 cores, 20 ranks on each, binomial: 10, 5, 3, 1, 1 messages on the levels within a node, with 4
// communication cores; then 4 levels of leaders.
TEST(SplitTree, LevelsBetweenNodesComeOnTop) {
  const SplitTree t{.cores = 24, .ranks = 20, .nodes = 10, .network = 3};
  EXPECT_EQ(level_times(t).size(), 9U);
  EXPECT_EQ(blocking_time(t), 5 + 4 * 3);
  EXPECT_EQ(nonblocking_time(t, 0), (3 + 2 + 1 + 1 + 1) + 4 * 3);
  EXPECT_EQ(on_application_cores(t, 6), 5 + 3);
  EXPECT_EQ(on_communication_cores(t, 6), 3 * 3);
  EXPECT_DOUBLE_EQ(balanced_computation(t), 1.2 * (5 + 4 * 3));
  // The network's time hides that copies share cores: S = 0 is still the best, although it would be S = 1 for one node
  // alone.
  const SplitTree alone{.cores = 24, .ranks = 20};
  EXPECT_EQ(best_steps(alone, balanced_computation(alone)), 1);
  EXPECT_EQ(best_steps(t, balanced_computation(t)), 0);
  // 9-nomial: 10 leaders have 2 levels, with 8 messages and 1 message on the link of the first leader.
  EXPECT_EQ(blocking_time({.cores = 1, .ranks = 1, .arity = 9, .nodes = 10, .network = 3}), 3 * (8 + 1));
}

TEST(SplitTree, AllreduceIsThereAndBack) {
  const SplitTree t{.cores = 64, .ranks = 62, .direction = Direction::kThereAndBack};
  EXPECT_EQ(blocking_time(t), 12);
  EXPECT_EQ(nonblocking_time(t, 3), 14);
  SplitTree quick = t;  // results on the way back are not combined
  quick.combine = 0.5;
  EXPECT_EQ(blocking_time(quick), 9);
  EXPECT_EQ(nonblocking_time(quick, 3), 7 + 3.5);
  quick.nodes = 4;
  quick.network = 2;
  EXPECT_EQ(blocking_time(quick), 9 + 2 * (2 + 1.5));
}

TEST(SplitTree, WithoutCoresToCommunicateNothingIsOverlapped) {
  for (const SplitTree& t : kinds(48, 48)) {
    for (const int s : {0, 3, 9}) {
      EXPECT_EQ(nonblocking_time(t, s), blocking_time(t));
      EXPECT_EQ(overlapped_time(t, s, 5), blocking_time(t) + 5);
    }
    EXPECT_EQ(best_steps(t, 5), 0);
  }
}

TEST(SplitTree, RefusesWhatIsNoTree) {
  EXPECT_THROW(blocking_time({.cores = 0, .ranks = 0}), std::invalid_argument);
  EXPECT_THROW(blocking_time({.cores = 4, .ranks = 5}), std::invalid_argument);
  EXPECT_THROW(blocking_time({.cores = 4, .ranks = 4, .arity = 1}), std::invalid_argument);
  EXPECT_THROW(blocking_time({.cores = 4, .ranks = 4, .nodes = 0}), std::invalid_argument);
  EXPECT_THROW(blocking_time({.cores = 4, .ranks = 4, .weight = Weight::kDoubling, .nodes = 2}), std::invalid_argument);
  EXPECT_THROW(blocking_time({.cores = 4, .ranks = 4, .combine = 2}), std::invalid_argument);
  EXPECT_THROW(blocking_time({.cores = 4, .ranks = 4, .network = -1}), std::invalid_argument);
  EXPECT_THROW(nonblocking_time({.cores = 4, .ranks = 3}, -1), std::invalid_argument);
  EXPECT_THROW(messages_on_level(4, 0), std::invalid_argument);
  EXPECT_THROW(height(0), std::invalid_argument);
  EXPECT_THROW(choices(
                   {.cores = 4}, [](int) { return 1; }, {}, 5),
               std::invalid_argument);
}

// --- placement ------------------------------------------------------------------------------------------------------

// The first free core after the rank's core; the free cores are those at ceil(k N / (N - n)) - 1.
TEST(SplitTree, Equation1IsTheNextFreeCore) {
  EXPECT_EQ(numa_core(64, 62, 0), 31);
  EXPECT_EQ(numa_core(64, 62, 30), 31);
  EXPECT_EQ(numa_core(64, 62, 32), 63);
  EXPECT_EQ(numa_core(4, 3, 1), 3);  // Figure 3
  for (int cores = 1; cores <= 70; ++cores) {
    EXPECT_EQ(numa_core(cores, cores, cores / 2), cores / 2);
    for (int ranks = 0; ranks < cores; ++ranks) {
      std::set<int> free;
      for (int k = 1; k <= cores - ranks; ++k) {
        free.insert(static_cast<int>(std::ceil(1.0 * k * cores / (cores - ranks) - 1e-9)) - 1);
      }
      for (int core = 0; core < cores; ++core) {
        if (free.contains(core)) continue;
        ASSERT_EQ(numa_core(cores, ranks, core), *free.upper_bound(core)) << cores << " " << ranks << " " << core;
      }
    }
  }
}

TEST(SplitTree, Equation2DealsRanksInTurn) {
  for (int r = 0; r < 62; ++r) EXPECT_EQ(odd_even_core(64, 62, r), r % 2 == 0 ? 31 : 63);
  for (int r = 0; r < 48; ++r) EXPECT_EQ(odd_even_core(64, 48, r), 4 * (r % 16) + 3);
  EXPECT_THROW(odd_even_core(64, 61, 0), std::invalid_argument);
  EXPECT_THROW(odd_even_core(64, 64, 0), std::invalid_argument);
  EXPECT_THROW(odd_even_core(64, 62, 62), std::invalid_argument);
}

}  // namespace
}  // namespace strata::models
