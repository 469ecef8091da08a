// SPDX-License-Identifier: LGPL-2.1-only
// The area progress: its counts, keys and drawings, and a violation of every property by misplaced threads.
#include "check/areas/progress_area.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "tests/check/areas/area_checks.h"

namespace strata::check {
namespace {

TEST(ProgressArea, HoldsOnAllCasesOfTheQuickBounds) {
  const AreaResult r = testing::explore_quickly(*progress_area());
  EXPECT_EQ(r.bounds.text(), "cores 6, pus 2");
  EXPECT_EQ(r.cases, 2'412);
  EXPECT_EQ(r.distinct, 1'822);
  EXPECT_EQ(r.random_cases, 100);
  EXPECT_EQ(testing::asked_of_some(r), (std::map<std::string, long>{{"consecutive", 636},
                                                                    {"equation-1", 2'065},
                                                                    {"equation-2", 126},
                                                                    {"even-load", 1'406},
                                                                    {"free-core", 1'406},
                                                                    {"list", 929},
                                                                    {"some-full-numa", 863},
                                                                    {"some-refused", 1'106},
                                                                    {"some-undivided", 457},
                                                                    {"some-unordered", 891}}));
}

TEST(ProgressArea, KeysAreReadBack) {
  const auto area = progress_area();
  testing::expect_keys_read_back(*area, testing::some_keys(*area, 2412, 100, 100), read_progress_key, progress_key);
  EXPECT_EQ(read_progress_key("nodes=2,numas=1,cores=4,pus=2,ranks=5.0"), (ProgressCase{2, 1, 4, 2, {5, 0}}));
}

TEST(ProgressArea, RefusesKeysThatAreNone) {
  const auto refused = [](const std::string& key) { return testing::refusal(read_progress_key, key); };
  EXPECT_EQ(refused("nodes=1,numas=1,cores=4,pus=1,ranks=1.4"),
            "case 'nodes=1,numas=1,cores=4,pus=1,ranks=1.4', character 31: 'ranks=1.4' where ranks=NUMBERS with dots "
            "between, "
            "each from 0 to 3, must be; a case is nodes=N,numas=M,cores=C,pus=P,ranks=A.B.C..., such as "
            "'nodes=1,numas=2,cores=4,pus=1,ranks=0.1.4'");
  for (const char* key : {"", "nodes=1", "nodes=1,numas=1,cores=4,pus=1,ranks=1.1",
                          "nodes=1,numas=1,cores=4,pus=1,ranks=", "nodes=0,numas=1,cores=4,pus=1,ranks=1"}) {
    EXPECT_TRUE(refused(key).starts_with("case '" + std::string(key) + "', character ")) << refused(key);
  }
}

TEST(ProgressArea, DrawsWhoRunsWhere) {
  EXPECT_EQ(progress_area()->draw("nodes=1,numas=2,cores=2,pus=1,ranks=0.1.2").text,
            "node 0\n"
            "  NUMA node 0\n"
            "    core 0: rank 0; bind of 0; numa of 0\n"
            "    core 1: rank 1; bind of 1; numa of 1\n"
            "  NUMA node 1\n"
            "    core 2: rank 2; bind of 2\n"
            "    core 3: numa of 2; odd-even of 0,1,2\n");
}

TEST(ProgressProperties, EveryMistakeViolatesOneAndEachIsViolated) {
  const auto properties = progress_properties();
  std::set<std::string> violated;
  long mistakes = 0;
  for (const char* key : {"nodes=1,numas=1,cores=4,pus=1,ranks=0.2", "nodes=2,numas=1,cores=4,pus=1,ranks=0.4.2.6",
                          "nodes=1,numas=2,cores=3,pus=2,ranks=0.1.2.4", "nodes=1,numas=1,cores=2,pus=1,ranks=0.1"}) {
    const ProgressCase c = read_progress_key(key);
    const ProgressOutcome right = progress_outcome(c);
    EXPECT_EQ(testing::violated_by(properties, c, right), std::set<std::string>{}) << key;
    const auto change = [&](const std::function<void(ProgressOutcome&)>& make) {
      ProgressOutcome wrong = right;
      make(wrong);
      const auto names = testing::violated_by(properties, c, wrong);
      EXPECT_FALSE(names.empty()) << key << ", mistake " << mistakes;
      violated.insert(names.begin(), names.end());
      ++mistakes;
    };
    for (const Policy policy : kPolicies) {
      const Placed& placed = right.of[policy];
      change([&](ProgressOutcome& o) { o.of[policy].refused = placed.refused.empty() ? "why not" : ""; });
      for (size_t rank = 0; rank < placed.at.size(); ++rank) {
        for (int core = 0; core < c.nodes * c.numas * c.cores; ++core) {
          if (core != placed.at[rank]) change([&](ProgressOutcome& o) { o.of[policy].at[rank] = core; });
        }
        change([&](ProgressOutcome& o) { o.of[policy].on_whole_core[rank] = false; });
        change([&](ProgressOutcome& o) { ++o.of[policy].seen[rank].core; });
        change([&](ProgressOutcome& o) { ++o.of[policy].seen[rank].cores; });
        change([&](ProgressOutcome& o) { ++o.of[policy].seen[rank].communication_cores; });
        change([&](ProgressOutcome& o) { o.of[policy].seen[rank].communicates = !placed.seen[rank].communicates; });
      }
    }
    if (!right.listed.empty()) change([](ProgressOutcome& o) { ++o.listed[0]; });
  }
  EXPECT_EQ(violated, testing::names_of_always(properties));
  EXPECT_EQ(mistakes, 350);
}

}  // namespace
}  // namespace strata::check
