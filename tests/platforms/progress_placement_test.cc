// SPDX-License-Identifier: LGPL-2.1-only
// Placement of progress threads: the paper's figures and numbers, errors, and Equations 1 and 2 (IJHPCA'19), compared
// with a slow reading of them for every machine of up to 64 cores.
#include "platforms/progress_placement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "tests/error_of.h"
#include "tests/platforms/machines.h"

namespace strata {
namespace {

std::shared_ptr<const Topology> one_numa_node(int cores) {
  return parse_tree("[numa] core:" + std::to_string(cores) + " pu:1");
}

std::vector<Binding> spread(const Topology& t, int ranks) { return place(t, ranks, {.map_by = "spread"}); }

// "node:cpuset" of each binding.
std::string listed(const std::vector<Binding>& bindings) {
  std::string text;
  for (const Binding& b : bindings) {
    text += (text.empty() ? "" : " ") + std::to_string(b.node) + ":" + b.cpuset.list();
  }
  return text;
}

std::string threads(const Topology& t, int ranks, const std::string& policy) {
  return listed(place_progress(t, spread(t, ranks), policy));
}

std::string refused(const Topology& t, int ranks, const std::string& policy) {
  return error_of([&] { place_progress(t, spread(t, ranks), policy); });
}

// Positions of the bound cores, by rank.
std::vector<int> positions(const Topology& t, const std::vector<Binding>& bindings) {
  std::vector<int> all;
  for (const Binding& b : bindings) {
    EXPECT_EQ(b.cpuset.list(), t.object(b.core)->cpuset.list());
    all.push_back(t.first_core(b.core));
  }
  return all;
}

// --- the paper's examples ------------------------------------------------------------------------------------------

TEST(Spread, Figure1) {
  const auto t = parse_tree("pack:2 [numa] core:4 pu:1");
  EXPECT_EQ(listed(spread(*t, 4)), "0:0 0:2 0:4 0:6");
  EXPECT_EQ(listed(spread(*t, 6)), "0:0 0:1 0:2 0:4 0:5 0:6");
  EXPECT_EQ(listed(spread(*t, 8)), "0:0 0:1 0:2 0:3 0:4 0:5 0:6 0:7");
}

TEST(ProgressPlacement, Figures2And3) {
  const auto t = parse_tree("pack:2 [numa] core:4 pu:1");
  EXPECT_EQ(threads(*t, 6, "bind"), "0:0 0:1 0:2 0:4 0:5 0:6");
  EXPECT_EQ(threads(*t, 6, "numa"), "0:3 0:3 0:3 0:7 0:7 0:7");
}

// Section 5: progress threads 0 to 30 run on core 31 and 31 to 61 on core 63; odd-even alternates.
TEST(ProgressPlacement, SixtyTwoRanksOnSixtyFourCores) {
  const auto t = one_numa_node(64);
  const std::vector<Binding> ranks = spread(*t, 62);
  const std::vector<int> numa = positions(*t, place_progress(*t, ranks, "numa"));
  const std::vector<int> odd_even = positions(*t, place_progress(*t, ranks, "odd-even"));
  for (int r = 0; r < 62; ++r) {
    EXPECT_EQ(numa[r], r <= 30 ? 31 : 63) << r;
    EXPECT_EQ(odd_even[r], r % 2 == 0 ? 31 : 63) << r;
  }
  EXPECT_EQ(count_cores(place_progress(*t, ranks, "numa")), 2);
  EXPECT_EQ(count_cores(place_progress(*t, ranks, "bind")), 62);
  EXPECT_EQ(count_cores({}), 0);
}

// --- the equations -------------------------------------------------------------------------------------------------

// Equation 1 with fractions: the NUMA node has N cores and n ranks, the rank's core has position M, and delta = N / (N
// - n).
int equation_1(int N, int n, int M) {
  if (n >= N) return M;
  int k = 0;  // floor(M / delta)
  while ((k + 1) * N <= M * (N - n)) ++k;
  int above = 0;  // ceil((k + 1) delta)
  while (above * (N - n) < (k + 1) * N) ++above;
  return above - 1;
}

TEST(ProgressPlacement, NumaIsEquation1) {
  for (int N = 1; N <= 64; ++N) {
    const auto t = one_numa_node(N);
    for (int n = 1; n <= N; ++n) {
      const std::vector<Binding> ranks = spread(*t, n);
      const std::vector<int> at = positions(*t, ranks);
      const std::vector<int> numa = positions(*t, place_progress(*t, ranks, "numa"));
      for (int r = 0; r < n; ++r) EXPECT_EQ(numa[r], equation_1(N, n, at[r])) << N << " " << n << " " << r;
    }
  }
}

TEST(ProgressPlacement, OddEvenIsEquation2WhereItDivides) {
  for (int p = 1; p <= 64; ++p) {
    const auto t = one_numa_node(p);
    for (int n = 1; n < p; ++n) {
      if (p % (p - n) != 0) continue;
      const std::vector<int> odd_even = positions(*t, place_progress(*t, spread(*t, n), "odd-even"));
      const int step = p / (p - n);
      for (int r = 0; r < n; ++r) EXPECT_EQ(odd_even[r], step * (r % (p - n)) + step - 1) << p << " " << n << " " << r;
    }
  }
}

// Even if p - n does not divide p, or ranks are not spread.
TEST(ProgressPlacement, OddEvenSeparatesConsecutiveRanksAndUsesAllCores) {
  for (int p = 2; p <= 64; ++p) {
    const auto t = one_numa_node(p);
    for (int n = 1; n < p; ++n) {
      for (const char* map_by : {"spread", "core"}) {
        const auto odd_even = place_progress(*t, place(*t, n, {.map_by = map_by}), "odd-even");
        for (int r = 1; r < n && p - n >= 2; ++r) EXPECT_NE(odd_even[r].core, odd_even[r - 1].core) << p << " " << n;
        EXPECT_EQ(count_cores(odd_even), std::min(n, p - n)) << p << " " << n;
      }
    }
  }
}

// --- every machine -------------------------------------------------------------------------------------------------

TEST(ProgressPlacement, ACommunicationCoreNeverRunsARank) {
  for (const std::string& name : kNodes) {
    const auto t = flat_cluster(test_node(name), 2);
    const int cores = static_cast<int>(t->cores().size());
    for (int n = 1; n <= cores; ++n) {
      const std::vector<Binding> ranks = spread(*t, n);
      std::set<int> taken;
      for (const Binding& b : ranks) taken.insert(b.core);
      EXPECT_EQ(static_cast<int>(taken.size()), n) << name;
      EXPECT_EQ(positions(*t, place_progress(*t, ranks, "bind")), positions(*t, spread(*t, n)));
      const std::vector<Binding> numa = place_progress(*t, ranks, "numa");
      for (int r = 0; r < n; ++r) {
        EXPECT_EQ(numa[r].node, ranks[r].node);
        EXPECT_TRUE(taken.count(numa[r].core) == 0 || numa[r].core == ranks[r].core) << name << " " << n << " " << r;
      }
      try {
        for (const Binding& b : place_progress(*t, ranks, "odd-even")) EXPECT_EQ(taken.count(b.core), 0u) << name;
      } catch (const InputError&) {
        // Refused only if a node is full. A NUMA node may be full earlier if they have different sizes.
        std::vector<int> on_node(2, 0);
        for (const Binding& b : ranks) ++on_node[b.node];
        EXPECT_TRUE(on_node[0] == cores / 2 || on_node[1] == cores / 2) << name << " " << n;
      }
    }
  }
}

// NUMA nodes of 4 and 1 cores get equal shares of the ranks, the first ones one more, but none gets more ranks than
// cores.
TEST(Spread, SharesAmongUnequalNumaNodes) {
  const auto t = flat_cluster(test_node("5asymmetric-2p2n5c"), 2);  // each node has 4 + 1 cores
  EXPECT_EQ(listed(spread(*t, 2)), "0:0 0:4");
  EXPECT_EQ(listed(spread(*t, 4)), "0:0 0:4 1:0 1:4");
  EXPECT_EQ(listed(spread(*t, 5)), "0:0 0:2 0:4 1:0 1:4");
  EXPECT_EQ(listed(spread(*t, 9)), "0:0 0:1 0:2 0:3 0:4 1:0 1:1 1:2 1:4");
  EXPECT_EQ(threads(*t, 5, "numa"), "0:1 0:3 0:4 1:1 1:4");
  EXPECT_EQ(threads(*t, 5, "odd-even"), "0:1 0:3 0:1 1:1 1:2");
}

TEST(Spread, WithoutNumaNodesTheNodeIsOne) {
  const auto t = flat_cluster(test_node("8nocore-2p2n"), 1);
  EXPECT_EQ(listed(spread(*t, 4)), "0:0 0:2 0:4 0:6");
}

TEST(Spread, BindsAndOversubscribesAsTheOthers) {
  const auto t = parse_tree("pack:2 [numa] core:4 pu:1");
  EXPECT_EQ(listed(place(*t, 2, {.map_by = "spread", .bind_to = "package"})), "0:0-3 0:4-7");
  EXPECT_EQ(listed(place(*t, 10, {.map_by = "spread", .oversubscribe = true})),
            "0:0 0:1 0:2 0:3 0:4 0:5 0:6 0:7 0:0 0:4");
  // A rank runs on the first core of its binding, so the other cores are free.
  EXPECT_EQ(listed(place_progress(*t, place(*t, 2, {.map_by = "spread", .bind_to = "package"}), "numa")), "0:1 0:5");
}

TEST(Spread, RefusesMoreRanksThanCores) {
  for (const int np : {0, 9}) {
    try {
      spread(*parse_tree("pack:2 [numa] core:4 pu:1"), np);
      FAIL() << np;
    } catch (const InputError& e) {
      EXPECT_EQ(std::string(e.what()), np == 0 ? "--np: 0 ranks; give at least 1"
                                               : "--np: 9 ranks on 8 cores; give at most 8, or say --oversubscribe");
    }
  }
}

// --- lists and errors -----------------------------------------------------------------------------------------------

TEST(ProgressPlacement, ListsAreDealtOnEveryNode) {
  const auto t = parse_tree("node:2 [numa] core:4 pu:2");  // core c has PUs 2c and 2c + 1
  EXPECT_EQ(threads(*t, 4, "3"), "0:2-3 0:2-3 1:2-3 1:2-3");
  EXPECT_EQ(threads(*t, 4, "7,2"), "0:6-7 0:2-3 1:6-7 1:2-3");
  EXPECT_EQ(threads(*t, 6, "7,6"), "0:6-7 0:6-7 0:6-7 1:6-7 1:6-7 1:6-7");
}

TEST(ProgressPlacement, Refusals) {
  const auto t = parse_tree("node:2 pack:2 [numa] core:4 pu:1");
  for (const char* bad : {"", "even", "Numa", "3,", ",3", "3;7", "-3", "3-7", "3 ,7", "99999999999", "0x3"}) {
    EXPECT_EQ(refused(*t, 12, bad), "--placement: '" + std::string(bad) +
                                        "' is neither a policy nor a list of PUs; give bind, numa, odd-even, or OS "
                                        "indexes such as 31,63");
  }
  EXPECT_EQ(refused(*t, 12, "3,8"), "--placement: PU 8 is not on node 0; it has the PUs 0-7");
  EXPECT_EQ(refused(*t, 12, "3,4"),
            "--placement: PU 4 of node 0 is of a core that runs a rank; give PUs of free cores, or say bind");
  EXPECT_EQ(refused(*t, 16, "odd-even"),
            "--placement: odd-even has no core left for communication on node 0; run fewer ranks, or say bind");
  EXPECT_EQ(refused(*t, 15, "odd-even"),
            "--placement: odd-even has no core left for communication on node 0; run fewer ranks, or say bind");
  EXPECT_EQ(threads(*t, 16, "numa"), listed(spread(*t, 16)));
  try {
    place_progress(*t, spread(*t, 12), "free", "mapping.progress");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_EQ(std::string(e.what()).rfind("mapping.progress: 'free' is neither", 0), 0u) << e.what();
  }
}

}  // namespace
}  // namespace strata
