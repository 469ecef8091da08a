// SPDX-License-Identifier: LGPL-2.1-only
// Tables over the sweep, ratios, claims and the summary of the cross-check, with numbers worked out by hand
// (small_study.h).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "analysis/causes.h"
#include "analysis/check_summary.h"
#include "analysis/claims.h"
#include "analysis/derive.h"
#include "analysis/table.h"
#include "base/error.h"
#include "tests/analysis/small_study.h"

namespace strata::analysis {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <class F>
std::string input_error(F f) {
  try {
    f();
  } catch (const InputError& e) {
    return e.what();
  }
  return "no InputError";
}

Table time_of(const Results& r) { return measured(r, {"time", "s"}); }

TEST(Table, HasTheMetricByParametersWhateverTheOrderOfTheRecords) {
  Results r = small_results();
  std::reverse(r.records.begin(), r.records.end());
  const Table t = time_of(r);
  ASSERT_EQ(t.cells.size(), 8u);
  EXPECT_EQ(t.missing(), 0u);
  for (size_t i = 0; i < 8; ++i) EXPECT_DOUBLE_EQ(*t.cells[i], kSmallTimes_us[i] * 1e-6) << i;
  EXPECT_DOUBLE_EQ(*t.at({{"variant", "hierarchical"}, {"elements", 1000}, {"algorithm", "linear"}}), 20e-6);
  EXPECT_FALSE(t.at({{"variant", "hierarchical"}, {"elements", 7}, {"algorithm", "linear"}}));
  EXPECT_FALSE(t.at({{"elements", 1000}}));
}

// The index arithmetic of cell_of and parameters_of, compared with Study's list of points, which is made in another
// way.
TEST(Table, CellsAreThePointsOfTheStudyOnRandomSweeps) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 50; ++round) {
    Table t;
    const int axes = static_cast<int>(random() % 5);
    for (int a = 0; a < axes; ++a) {
      Axis axis{"p" + std::to_string(a), {}};
      const int values = 1 + static_cast<int>(random() % 4);
      for (int v = 0; v < values; ++v)
        axis.values.push_back(random() % 2 == 0 ? Json(v) : Json("v" + std::to_string(v)));
      t.axes.push_back(axis);
    }
    const std::vector<Json> points = combinations(t.axes);
    for (size_t i = 0; i < points.size(); ++i) {
      ASSERT_EQ(t.cell_of(points[i]), i);
      ASSERT_EQ(t.parameters_of(i), points[i]);
    }
  }
}

TEST(Table, NoRecordsIsBadInput) {
  Results r = small_results();
  r.records.clear();
  EXPECT_EQ(
      input_error([&] { time_of(r); }),
      "small/records.jsonl: has no record of 'time'; nothing was measured yet: run the scenario, or continue it with "
      "--resume");
}

TEST(Table, RefusesRecordsThatAreNotOfTheStudy) {
  Results r = small_results();
  r.records[3].parameters["elements"] = 5;
  EXPECT_THAT(input_error([&] { time_of(r); }),
              HasSubstr("point 3 (algorithm = linear, elements = 5, variant = hierarchical) is not in the sweep"));
  r = small_results();
  r.records[0].unit = "us";
  EXPECT_THAT(input_error([&] { time_of(r); }), HasSubstr("is in 'us'; manifest.json says that time is in 's'"));
}

TEST(Table, APointRecordedTwiceMustBeTheSame) {
  Results r = small_results();
  r.records.push_back(r.records[2]);
  EXPECT_EQ(time_of(r).missing(), 0u);
  r.records.back().value = 1;
  EXPECT_THAT(input_error([&] { time_of(r); }), HasSubstr("has two values of time: 0.0003 and 1"));
}

TEST(Table, HasEachMetricOfSeveral) {
  const std::vector<Table> q = quantities(parts_results());
  ASSERT_EQ(q.size(), 4u);
  EXPECT_EQ(q[1].name, "computing");
  EXPECT_EQ(q[1].unit, "s");
  EXPECT_DOUBLE_EQ(*q[0].at({{"variant", "2-groups"}, {"block", 8}}), 60e-6);
  EXPECT_DOUBLE_EQ(*q[1].at({{"variant", "2-groups"}, {"block", 8}}), 10e-6);
  EXPECT_DOUBLE_EQ(*q[2].at({{"variant", "2-groups"}, {"block", 8}}), 50e-6);
  Results r = parts_results();
  std::erase_if(r.records, [](const Record& x) { return x.metric == "computing"; });
  EXPECT_THAT(input_error([&] { quantities(r); }), HasSubstr("has no record of 'computing'"));
}

TEST(Table, LeavesOtherMetricsOut) {
  Results r = small_results();
  r.records.push_back({"small", 0, r.records[0].parameters, "messages", 31, "", 7});
  EXPECT_DOUBLE_EQ(*time_of(r).cells[0], 100e-6);
}

TEST(Derive, IsTheRatioWithAllElseEqual) {
  const std::vector<Table> q = quantities(small_results());
  ASSERT_EQ(q.size(), 2u);
  EXPECT_EQ(q[1].unit, "");
  ASSERT_EQ(q[1].axes.size(), 2u);
  ASSERT_EQ(q[1].cells.size(), 4u);
  EXPECT_DOUBLE_EQ(*q[1].at({{"algorithm", "linear"}, {"elements", 1}}), 10);
  EXPECT_DOUBLE_EQ(*q[1].at({{"algorithm", "linear"}, {"elements", 1000}}), 15);
  EXPECT_DOUBLE_EQ(*q[1].at({{"algorithm", "binomial"}, {"elements", 1}}), 2);
  EXPECT_DOUBLE_EQ(*q[1].at({{"algorithm", "binomial"}, {"elements", 1000}}), 1.25);
}

TEST(Derive, WithoutOverEveryOtherValueIsComparedToOne) {
  const Table speedup = quantities(parts_results())[3];
  ASSERT_EQ(speedup.axes.size(), 2u);
  EXPECT_EQ(speedup.axes[0].name, "block");
  EXPECT_THAT(speedup.axes[1].values, ElementsAre("simple", "2-groups"));
  ASSERT_EQ(speedup.cells.size(), 4u);
  EXPECT_DOUBLE_EQ(*speedup.at({{"variant", "simple"}, {"block", 8}}), 4);
  EXPECT_DOUBLE_EQ(*speedup.at({{"variant", "2-groups"}, {"block", 8}}), 2);
  EXPECT_DOUBLE_EQ(*speedup.at({{"variant", "simple"}, {"block", 16}}), 2);
  EXPECT_DOUBLE_EQ(*speedup.at({{"variant", "2-groups"}, {"block", 16}}), 0.75);
  EXPECT_FALSE(speedup.at({{"variant", "topological"}, {"block", 8}}));
}

TEST(Derive, ToleratesMissingPointsAndZeroDenominators) {
  Results r = small_results();
  r.records.erase(r.records.begin() + 2);  // linear 1000 native
  r.records[4].value = 0;                  // binomial 1 hierarchical
  const std::vector<Table> q = quantities(r);
  EXPECT_EQ(q[0].missing(), 1u);
  EXPECT_EQ(q[1].missing(), 2u);
  EXPECT_FALSE(q[1].at({{"algorithm", "linear"}, {"elements", 1000}}));
  EXPECT_FALSE(q[1].at({{"algorithm", "binomial"}, {"elements", 1}}));
  EXPECT_DOUBLE_EQ(*q[1].at({{"algorithm", "binomial"}, {"elements", 1000}}), 1.25);
}

TEST(Derive, NothingIsKnownWhereTheSweepHasOneSideOnly) {
  Results r = small_results();
  r.manifest.study.sweep[2].values = {"native"};
  std::erase_if(r.records, [](const Record& x) { return x.parameters.at("variant") != "native"; });
  EXPECT_EQ(quantities(r)[1].missing(), 4u);
}

TEST(Derive, AnAxisThatIsNotThereIsBadInput) {
  Results r = small_results();
  r.manifest.study.derived[0].axis = "root";
  EXPECT_EQ(input_error([&] { quantities(r); }),
            "small/manifest.json: derived 'enhancement' is along 'root', which the sweep does not have");
}

TEST(Claims, OursIsTheBestOfTheMatchingPoints) {
  const Results r = small_results();
  const std::vector<ClaimResult> c = judge_claims(r, quantities(r));
  ASSERT_EQ(c.size(), 4u);
  EXPECT_DOUBLE_EQ(*c[0].ours, 15);
  EXPECT_DOUBLE_EQ(*c[0].ratio, 15.0 / 21);
  EXPECT_EQ(c[0].at, (Json{{"algorithm", "linear"}, {"elements", 1000}}));
  EXPECT_EQ(c[0].outcome, Outcome::kReproduced);  // 10.5 to 42
  EXPECT_EQ(why_text(c[0]), "max at algorithm = linear, elements = 1000; their MPI differs");
  EXPECT_DOUBLE_EQ(*c[1].ours, 2);
  EXPECT_EQ(c[1].outcome, Outcome::kNotReproduced);  // 0.8 to 1.8
  EXPECT_EQ(why_text(c[1]), "max at algorithm = binomial, elements = 1; outside 0.800 to 1.80");
  EXPECT_DOUBLE_EQ(*c[2].ours, 20e-6);
  EXPECT_EQ(c[2].points, 4u);
  EXPECT_EQ(paper_value_text(c[2]), "10 us");
  EXPECT_EQ(c[3].outcome, Outcome::kUnknown);
  EXPECT_EQ(why_text(c[3]), "this run has no point that the claim covers");
}

TEST(Claims, ASpreadIsTheLargestByTheLeast) {
  Results r = parts_results();
  std::vector<ClaimResult> c = judge_claims(r, quantities(r));
  ASSERT_EQ(c.size(), 2u);
  EXPECT_DOUBLE_EQ(*c[1].ours, 1);
  EXPECT_EQ(c[1].unit, "");
  EXPECT_EQ(c[1].points, 3u);
  EXPECT_EQ(c[1].outcome, Outcome::kReproduced);
  EXPECT_EQ(why_text(c[1]), "max at block = 8, variant = simple");
  for (Record& x : r.records) {
    if (x.metric == "computing" && x.parameters == Json{{"block", 8}, {"variant", "2-groups"}}) x.value = 12e-6;
  }
  c = judge_claims(r, quantities(r));
  EXPECT_DOUBLE_EQ(*c[1].ours, 1.2);
  EXPECT_EQ(c[1].outcome, Outcome::kNotReproduced);
  EXPECT_EQ(why_text(c[1]), "max at block = 8, variant = 2-groups; outside 0.990 to 1.01");
  for (Record& x : r.records) {
    if (x.metric == "computing") x.value = 0;
  }
  c = judge_claims(r, quantities(r));
  EXPECT_FALSE(c[1].ours) << "nothing divided by nothing";
  EXPECT_EQ(c[1].outcome, Outcome::kUnknown);
}

TEST(Claims, BoundsBelongToTheIntervalAndWhatIsBeyondDoesNot) {
  const auto outcome = [](double ours) {
    const Table t{"time", "time", "s", {}, {ours}};
    return judge({"c", "", "", "time", Over::kMax, Json::object(), 8, Relation::kAbout, 2, ""}, {t}, "m").outcome;
  };
  EXPECT_EQ(outcome(4), Outcome::kReproduced);
  EXPECT_EQ(outcome(16), Outcome::kReproduced);
  EXPECT_EQ(outcome(3.999), Outcome::kNotReproduced);
  EXPECT_EQ(outcome(16.001), Outcome::kNotReproduced);
}

// "About -8 within a factor of 2" means from -16 to -4.
TEST(Claims, ANegativeValueIsReproducedToo) {
  const auto judged = [](double ours) {
    const Table t{"gain", "gain", "%", {}, {ours}};
    return judge({"c", "", "", "gain", Over::kMax, Json::object(), -8, Relation::kAbout, 2, ""}, {t}, "m");
  };
  for (const double ours : {-4.0, -8.0, -16.0}) EXPECT_EQ(judged(ours).outcome, Outcome::kReproduced) << ours;
  for (const double ours : {-3.999, -16.001, 8.0}) EXPECT_EQ(judged(ours).outcome, Outcome::kNotReproduced) << ours;
  EXPECT_EQ(why_text(judged(8)), "outside -16.0 % to -4.00 %");
}

TEST(Measured, WhatTheProgramVariedWithinAPointIsAnAxisToo) {
  Results r;
  Study& study = r.manifest.study;
  study.metric = "time";
  study.unit = "s";
  study.sweep = {{"level", {"near", "far"}}};
  int point = 0;
  for (const char* level : {"near", "far"}) {
    for (int bytes : {0, 1024}) {
      r.records.push_back(
          {"pp", point, {{"level", level}, {"bytes", bytes}}, "time", 1e-6 * (point + 1) + bytes, "s", 0});
    }
    ++point;
  }
  const Table t = time_of(r);
  ASSERT_EQ(t.axes.size(), 2u);
  EXPECT_EQ(t.axes[1].name, "bytes");
  EXPECT_EQ(t.cells.size(), 4u);
  EXPECT_DOUBLE_EQ(*t.at({{"level", "far"}, {"bytes", 1024}}), 2e-6 + 1024);
  EXPECT_EQ(t.missing(), 0u);
}

TEST(Claims, ABoundIsReproducedOnItsSide) {
  const auto outcome = [](Relation relation, double ours) {
    const Table t{"time", "time", "s", {}, {ours}};
    return judge({"c", "", "", "time", Over::kMax, Json::object(), 8, relation, 1, ""}, {t}, "m").outcome;
  };
  EXPECT_EQ(outcome(Relation::kAtLeast, 8), Outcome::kReproduced);
  EXPECT_EQ(outcome(Relation::kAtLeast, 1e9), Outcome::kReproduced);
  EXPECT_EQ(outcome(Relation::kAtLeast, 7.999), Outcome::kNotReproduced);
  EXPECT_EQ(outcome(Relation::kAtMost, 8), Outcome::kReproduced);
  EXPECT_EQ(outcome(Relation::kAtMost, -1), Outcome::kReproduced);
  EXPECT_EQ(outcome(Relation::kAtMost, 8.001), Outcome::kNotReproduced);
}

TEST(Claims, ShareGainingCountsPointsAndAListOfValuesIsAnyOfThem) {
  const Table t{"gain", "gain", "", {{"algorithm", {"a", "b", "c", "d"}}}, {0.5, 1.009, 1.5, 2}};
  const auto judged = [&](Over over, const Json& where) {
    return judge({"c", "", "", "gain", over, where, 0.5, Relation::kAtLeast, 1, ""}, {t}, "m");
  };
  EXPECT_DOUBLE_EQ(*judged(Over::kShareGaining, Json::object()).ours, 0.5);
  EXPECT_TRUE(judged(Over::kShareGaining, Json::object()).at.empty()) << "it is at no point";
  EXPECT_DOUBLE_EQ(*judged(Over::kShareGaining, {{"algorithm", {"a", "c", "d"}}}).ours, 2.0 / 3);
  EXPECT_EQ(judged(Over::kShareGaining, {{"algorithm", {"a", "b"}}}).outcome, Outcome::kNotReproduced);
  EXPECT_DOUBLE_EQ(*judged(Over::kMax, {{"algorithm", {"a", "c"}}}).ours, 1.5);
  EXPECT_EQ(judged(Over::kMax, {{"algorithm", {"a", "c"}}}).points, 2u);
}

TEST(Claims, ArgminIsWhereTheLeastIs) {
  const Table t{
      "time", "time", "s", {{"steps", {"blocking", 0, 1}}, {"ranks", {50, 51, 52}}}, {9, 9, 1, 5, 3, 3, 4, 4, 3}};
  const auto judged = [&](const std::string& axis, const Json& where) {
    return judge({"c", "", "", "time", Over::kArgmin, where, 51, Relation::kAbout, 1, "", axis}, {t}, "m");
  };
  const ClaimResult best = judged("ranks", {{"steps", {0, 1}}});
  EXPECT_EQ(best.ours, 51) << "of equals the first";
  EXPECT_EQ(best.unit, "");
  EXPECT_EQ(best.outcome, Outcome::kReproduced);
  EXPECT_EQ(why_text(best), "min at steps = 0, ranks = 51");
  EXPECT_EQ(judged("ranks", Json::object()).ours, 52);
  EXPECT_EQ(judged("ranks", Json::object()).outcome, Outcome::kNotReproduced);
  EXPECT_EQ(judged("steps", {{"steps", {0, 1}}, {"ranks", 50}}).ours, 1);
}

TEST(Claims, UnknownWhileAPointIsMissingThoughOursIsShown) {
  Results r = small_results();
  r.records.erase(r.records.begin());  // linear 1 native
  const std::vector<ClaimResult> c = judge_claims(r, quantities(r));
  EXPECT_EQ(c[0].outcome, Outcome::kUnknown);
  EXPECT_DOUBLE_EQ(*c[0].ours, 15);
  EXPECT_EQ(why_text(c[0]), "1 of 4 points missing; max at algorithm = linear, elements = 1000; their MPI differs");
  EXPECT_EQ(c[1].outcome, Outcome::kNotReproduced) << "none of its points is missing";
}

ClaimResult judged_as(Outcome outcome, Missing missing) {
  ClaimResult r;
  r.outcome = outcome;
  r.claim.missing = missing;
  return r;
}

TEST(Causes, CountWhatIsNotReproduced) {
  const ClaimResult good = judged_as(Outcome::kReproduced, Missing::kNothing);
  const ClaimResult memory = judged_as(Outcome::kNotReproduced, Missing::kMemory);
  const ClaimResult ours = judged_as(Outcome::kNotReproduced, Missing::kOurs);
  Causes causes;
  causes.add("b", {good, memory, ours, judged_as(Outcome::kUnknown, Missing::kMemory)});
  causes.add("a", {memory, memory});
  const std::vector<Cause> counts = causes.counts();
  ASSERT_EQ(counts.size(), 2u);
  EXPECT_EQ(counts[0].name, "memory");
  EXPECT_EQ(counts[0].claims, 3u);
  EXPECT_EQ(counts[0].scenarios, (std::vector<std::pair<std::string, size_t>>{{"b", 1}, {"a", 2}}));
  EXPECT_EQ(counts[1].name, "ours");
  EXPECT_EQ(counts[1].claims, 1u);
  EXPECT_EQ(causes.markdown(),
            "| cause | claims | scenarios |\n| --- | ---: | --- |\n"
            "| memory: the memory that cores share, and caches | 3 | b (1), a (2) |\n"
            "| ours: our implementation differs | 1 | b (1) |\n\n");
  EXPECT_EQ(cause_text(good), "");
  EXPECT_EQ(cause_text(memory), "memory");
}

TEST(Causes, TellWhatIsNotStatedAndWhatIsOutOfDate) {
  const ClaimResult unstated = judged_as(Outcome::kNotReproduced, Missing::kNothing);
  const ClaimResult outdated = judged_as(Outcome::kReproduced, Missing::kPaper);
  Causes causes;
  EXPECT_EQ(causes.markdown(), "");
  causes.add("s", {outdated, unstated, outdated});
  const std::vector<Cause> counts = causes.counts();
  ASSERT_EQ(counts.size(), 2u);
  EXPECT_EQ(counts[0].name, "not stated");
  EXPECT_EQ(counts[0].claims, 1u);
  EXPECT_EQ(counts[1].name, "has a cause but is reproduced");
  EXPECT_EQ(counts[1].claims, 2u);
  EXPECT_EQ(cause_text(unstated), "not stated");
  EXPECT_EQ(cause_text(outdated), "paper, but is reproduced");
}

TEST(Claims, BadOnesAreBadInput) {
  const std::vector<Table> q = quantities(small_results());
  const Claim good = small_results().manifest.study.claims[0];
  Claim c = good;
  c.quantity = "speed";
  EXPECT_EQ(input_error([&] { judge(c, q, "m"); }),
            "m: claim 'best' asks for 'speed', which is neither measured nor derived; there are: time, enhancement");
  c = good;
  c.over = Over::kArgmin;
  c.axis = "algorithm";
  EXPECT_EQ(input_error([&] { judge(c, q, "m"); }),
            "m: claim 'best' asks for argmin of 'algorithm', which is not an axis of numbers");
  c = good;
  c.where = {{"variant", "native"}};  // the enhancement combines both variants
  EXPECT_THAT(input_error([&] { judge(c, q, "m"); }), HasSubstr("enhancement has no such parameter"));
}

TEST(CheckSummary, CountsByVerdictAndNamesReasons) {
  const std::vector<CheckSummary> s = summarize(small_results().manifest.study, small_checks());
  ASSERT_EQ(s.size(), 2u);
  EXPECT_EQ(s[0].agree, 3);
  EXPECT_EQ(s[0].outside, 1);
  EXPECT_EQ(s[0].disagree, 1);
  EXPECT_DOUBLE_EQ(s[0].largest_agreeing, -0.015);
  EXPECT_THAT(s[0].outside_why, ElementsAre("contention"));
  EXPECT_EQ(summary_line(s[0]), "hockney: 3 points within 2 %, 1 outside the model (contention), 1 disagree");
  EXPECT_EQ(summary_line(s[1]), "loggp: no point was checked");
}

}  // namespace
}  // namespace strata::analysis
