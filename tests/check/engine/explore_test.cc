// SPDX-License-Identifier: LGPL-2.1-only
// The engine of the property checker, on an area whose code can fail in every possible way.
#include "check/engine/explore.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "check/engine/key.h"
#include "tests/check/engine/toy_area.h"

namespace strata::check {
namespace {

using testing::Fault;
using testing::toy_area;

ExploreOptions options_with(int jobs) {
  ExploreOptions options;
  options.jobs = jobs;
  options.patience_s = 0.5;
  return options;
}

const PropertyResult& result_of(const AreaResult& r, const std::string& name) {
  for (const PropertyResult& p : r.properties) {
    if (p.info.name == name) return p;
  }
  throw std::out_of_range(name);
}

TEST(Explore, CountsCasesDistinctOnesAndWhatIsAsked) {
  for (int jobs : {1, 2, 3}) {
    const AreaResult r = explore(*toy_area(Fault::kNone), options_with(jobs));
    EXPECT_EQ(r.cases, 231);    // 1 + 2 + ... + 21 pairs
    EXPECT_EQ(r.distinct, 41);  // sums 0 to 40
    EXPECT_EQ(r.random_cases, 10);
    EXPECT_EQ(r.bounds.text(), "a 20");
    EXPECT_EQ(result_of(r, "sum").asked, 241);
    EXPECT_EQ(result_of(r, "even").asked, 21);
    EXPECT_EQ(result_of(r, "zero").asked, 1);
    EXPECT_EQ(result_of(r, "returns").asked, 241);
    EXPECT_TRUE(r.holds());
  }
}

TEST(Explore, WhatNeverHappensWithinTheBoundsIsTold) {
  ExploreOptions options = options_with(1);
  options.effort = Effort::kQuick;
  const AreaResult r = explore(*toy_area(Fault::kNone), options);
  EXPECT_EQ(r.cases, 15);
  EXPECT_EQ(result_of(r, "big").verdict, Verdict::kNotReached);
  EXPECT_EQ(result_of(r, "zero").verdict, Verdict::kHolds);
  EXPECT_FALSE(r.holds());
  // With bounds chosen by the user this is not an error: they may simply be too small.
  options.bounds = toy_area(Fault::kNone)->bounds(Effort::kQuick);
  const AreaResult other = explore(*toy_area(Fault::kNone), options);
  EXPECT_EQ(result_of(other, "big").verdict, Verdict::kNotReached);
  EXPECT_TRUE(other.holds());
}

TEST(Explore, TheFirstCaseIsTheCounterExampleWhateverTheNumberOfWorkers) {
  for (int jobs : {1, 2, 3, 7}) {
    const AreaResult r = explore(*toy_area(Fault::kWrongSum), options_with(jobs));
    const PropertyResult sum = result_of(r, "sum");
    ASSERT_EQ(sum.verdict, Verdict::kViolated);
    EXPECT_EQ(sum.counter_example->key, "toy/sum:6+6");
    EXPECT_EQ(sum.counter_example->message, "13 is no sum");
    EXPECT_EQ(sum.counter_example->drawing.text, "the pair 6+6\n");
    EXPECT_EQ(result_of(r, "even").counter_example->key, "toy/even:6+6");
    EXPECT_EQ(result_of(r, "returns").verdict, Verdict::kHolds);
  }
}

// All shards together give the same counts, verdicts, and counter-example of the first case.
TEST(Explore, ShardsAddUp) {
  for (const Fault fault : {Fault::kNone, Fault::kWrongSum, Fault::kThrows}) {
    for (const Effort effort : {Effort::kQuick, Effort::kFull}) {
      ExploreOptions options = options_with(2);
      options.effort = effort;
      const AreaResult whole = explore(*toy_area(fault), options);
      for (const int shards : {2, 3, 60}) {
        std::vector<AreaResult> parts;
        for (int number = 1; number <= shards; ++number) {
          options.shard = Shard{number, shards};
          parts.push_back(explore(*toy_area(fault), options));
          EXPECT_LT(parts.back().cases, whole.cases);
        }
        const AreaResult sum = merged(parts);
        EXPECT_EQ(sum.cases, whole.cases);
        EXPECT_EQ(sum.distinct, whole.distinct);
        EXPECT_EQ(sum.random_cases, whole.random_cases);
        EXPECT_EQ(sum.holds(), whole.holds());
        ASSERT_EQ(sum.properties.size(), whole.properties.size());
        for (size_t p = 0; p < sum.properties.size(); ++p) {
          const PropertyResult &is = sum.properties[p], &should = whole.properties[p];
          EXPECT_EQ(is.asked, should.asked);
          EXPECT_EQ(is.verdict, should.verdict);
          EXPECT_EQ(is.first, should.first);
          ASSERT_EQ(is.counter_example.has_value(), should.counter_example.has_value());
          if (!is.counter_example) continue;
          EXPECT_EQ(is.counter_example->key, should.counter_example->key);
          EXPECT_EQ(is.counter_example->found, should.counter_example->found);
        }
      }
    }
  }
}

// A case that belongs to one shard is not reported as missing by the others.
TEST(Explore, AShardDoesNotHaveToReachAll) {
  ExploreOptions options = options_with(1);
  int reached = 0;
  for (int number = 1; number <= 3; ++number) {
    options.shard = Shard{number, 3};
    const AreaResult r = explore(*toy_area(Fault::kNone), options);
    EXPECT_TRUE(r.holds());
    reached += result_of(r, "zero").verdict == Verdict::kHolds ? 1 : 0;
  }
  EXPECT_EQ(reached, 1);
}

TEST(Explore, ARandomCaseIsShrunk) {
  ExploreOptions options = options_with(2);
  options.bounds = toy_area(Fault::kNone)->bounds(Effort::kQuick);
  options.random_cases = 5;
  const AreaResult r = explore(*toy_area(Fault::kWrongSum), options);
  const CounterExample& found = *result_of(r, "sum").counter_example;
  EXPECT_EQ(found.key, "toy/sum:12+0");
  EXPECT_NE(found.found, "");
}

TEST(Explore, CrashesExitsAndEndlessLoopsAreCounterExamples) {
  const std::pair<Fault, const char*> faults[] = {
      {Fault::kCrashes, "the code under check crashes: Segmentation fault"},
      {Fault::kLoops, "the code under check does not end within 0.5 s"},
      {Fault::kExits, "the code under check leaves the process with status 7"},
  };
  for (const auto& [fault, message] : faults) {
    const AreaResult r = explore(*toy_area(fault), options_with(2));
    const PropertyResult returns = result_of(r, "returns");
    ASSERT_EQ(returns.verdict, Verdict::kViolated) << message;
    EXPECT_EQ(returns.counter_example->key, "toy/returns:6+6");
    EXPECT_EQ(returns.counter_example->message, message);
  }
}

TEST(Explore, AnExceptionViolatesWhatIsAsked) {
  const AreaResult r = explore(*toy_area(Fault::kThrows), options_with(1));
  EXPECT_EQ(result_of(r, "sum").counter_example->message, "the code under check throws: no more than 11");
  EXPECT_EQ(result_of(r, "zero").verdict, Verdict::kHolds);
}

TEST(Explore, AKeyIsLookedAtAgain) {
  const ExploreOptions options = options_with(1);
  const auto area = toy_area(Fault::kWrongSum);
  const auto expect = [](const Replayed& replayed, Verdict verdict, const std::string& message) {
    EXPECT_EQ(replayed.verdict, verdict);
    EXPECT_EQ(replayed.run.message, message);
  };
  expect(replay(*area, parse_key("toy/sum:6+6"), options), Verdict::kViolated, "13 is no sum");
  expect(replay(*area, parse_key("toy/sum:6+5"), options), Verdict::kHolds, "");
  expect(replay_here(*area, parse_key("toy/sum:6+6")), Verdict::kViolated, "13 is no sum");
  expect(replay(*toy_area(Fault::kCrashes), parse_key("toy/returns:9+9"), options), Verdict::kViolated,
         "the code under check crashes: Segmentation fault");
  expect(replay(*area, parse_key("toy/returns:9+9"), options), Verdict::kHolds, "");
  EXPECT_EQ(replay(*area, parse_key("toy/sum:6+6"), options).run.key, "toy/sum:6+6");
  EXPECT_EQ(replay(*area, parse_key("toy/sum:6+6"), options).run.drawing.text, "the pair 6+6\n");
}

TEST(Explore, KeysAndNamesThatAreNoneAreRefused) {
  const ExploreOptions options = options_with(1);
  const auto area = toy_area(Fault::kNone);
  for (const char* key : {"", "toy", "toy/sum", "toy:sum/1+1", "/sum:1+1", "toy/:1+1"})
    EXPECT_THROW(parse_key(key), InputError) << key;
  EXPECT_THROW(replay(*area, parse_key("toy/sum:6"), options), InputError);
  EXPECT_THROW(replay(*area, parse_key("toy/product:6+6"), options), InputError);
  ExploreOptions other = options;
  other.only = {"product"};
  EXPECT_THROW(explore(*area, other), InputError);
}

TEST(Explore, StopsWhenToldTo) {
  ExploreOptions options = options_with(2);
  options.patience_s = 1000;
  options.stop = [] { return true; };
  EXPECT_THROW(explore(*toy_area(Fault::kLoops), options), Stopped);
}

TEST(Keys, AreTakenApart) {
  const Key key = parse_key("protocols/hierarchy.roots+rendezvous/deadlock:1,3/1");
  EXPECT_EQ(key.subject, "protocols/hierarchy.roots+rendezvous");
  EXPECT_EQ(key.property, "deadlock");
  EXPECT_EQ(key.text, "1,3/1");
  EXPECT_EQ(text_of(key), "protocols/hierarchy.roots+rendezvous/deadlock:1,3/1");
}

TEST(Verdicts, HaveNames) {
  for (const Verdict verdict : {Verdict::kHolds, Verdict::kNotCovered, Verdict::kUndecided})
    EXPECT_EQ(verdict_named(name_of(verdict)), verdict);
  EXPECT_STREQ(name_of(Verdict::kNotCovered), "not covered");
  EXPECT_EQ(verdict_named("fine"), std::nullopt);
}

TEST(Bounds, OthersAreRefused) {
  Bounds bounds{{"depth", 3, 1, 5, "levels"}, {"ranks", 4, 1, 8, "ranks"}};
  EXPECT_EQ(bounds.text(), "depth 3, ranks 4");
  bounds.set("ranks", 8, "x");
  EXPECT_EQ(bounds["ranks"], 8);
  EXPECT_THROW(bounds.set("ranks", 9, "x"), InputError);
  EXPECT_THROW(bounds.set("arity", 2, "x"), InputError);
}

}  // namespace
}  // namespace strata::check
