// SPDX-License-Identifier: LGPL-2.1-only
// The program `collective`: each collective, algorithm and variant has the result that MPI defines (the program checks
// every element) in the time that the models predict. Also compares a run on a machine with changed figures with one on
// the original machine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/command/strata_process.h"

namespace strata {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;

std::string scenario(const std::string& ranks, const std::string& sweep) {
  return "schema: strata.scenario/1\nname: s\ntitle: t\nmachine: smp12e5\nprogram: collective\nranks: " + ranks +
         "\nmapping: {map_by: numa}\nsweep:\n" + sweep +
         "metric: {name: time, unit: s}\nmodels: {hockney: 0.02, loggp: 0.02}\n";
}

std::vector<double> values_in(const fs::path& out) {
  std::vector<double> values;
  for (const std::string& line : lines_of(read_text(out / "records.jsonl"))) {
    if (!line.empty()) values.push_back(Json::parse(line).at("value"));
  }
  return values;
}

struct Case {
  const char* collective;
  const char* algorithms;
  const char* hierarchical;  // algorithms with a hierarchical form
  bool rooted, segmented;
  size_t points;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.collective; }

class EveryCollective : public ::testing::TestWithParam<Case> {};

// 13 ranks, one on each NUMA node and a second one on the first: not a power of two, and unequal groups.
TEST_P(EveryCollective, GivesWhatMpiSaysInTheTimeThatTheModelsPredict) {
  const Case c = GetParam();
  const TemporaryFolder folder;
  size_t points = 0;
  for (const std::string variant : {"native", "hierarchical"}) {
    const std::string algorithms = variant == "native" ? c.algorithms : c.hierarchical;
    std::string sweep = std::string("  collective: [") + c.collective + "]\n  algorithm: [" + algorithms +
                        "]\n  variant: [" + variant + "]\n";
    if (std::string(c.collective) != "barrier") sweep += "  elements: [0, 1, 7, 3000]\n";
    if (c.rooted) sweep += "  root: [0, 12]\n";
    if (c.segmented) sweep += "  segment: [0, 10]\n";
    const fs::path out = folder.path() / variant;
    const Ran ran = run_strata({"run", folder.write(variant + ".yaml", scenario("13", sweep)), "--out", out});
    EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("hockney: ")) << "it is checked";
    points += values_in(out).size();
  }
  EXPECT_EQ(points, c.points);
}

INSTANTIATE_TEST_SUITE_P(
    All, EveryCollective,
    ::testing::Values(Case{"bcast", "linear, chain, pipeline, split-binary, binary, binomial",
                           "linear, chain, pipeline, split-binary, binary, binomial", true, true, 2 * 6 * 4 * 2 * 2},
                      Case{"reduce", "linear, chain, pipeline, binary, binomial, in-order-binary",
                           "linear, chain, pipeline, binary, binomial, in-order-binary", true, true, 2 * 6 * 4 * 2 * 2},
                      Case{"allreduce", "linear, chain, pipeline, binary, binomial, recursive-doubling",
                           "linear, chain, pipeline, binary, binomial", false, true, (6 + 5) * 4 * 2},
                      Case{"gather", "linear, binomial", "linear, binomial", true, false, 2 * 2 * 4 * 2},
                      Case{"scatter", "linear, binomial", "linear, binomial", true, false, 2 * 2 * 4 * 2},
                      Case{"allgather", "linear, binomial, ring", "linear, binomial", false, false, (3 + 2) * 4},
                      Case{"barrier", "linear, binomial, recursive-doubling", "linear, binomial", false, false, 3 + 2}),
    [](const auto& info) { return std::string(info.param.collective); });

// With a single rank there are no messages, and no time passes.
TEST(Collective, OfOneRankTakesNoTime) {
  const TemporaryFolder folder;
  const fs::path out = folder.path() / "out";
  const std::string file = folder.write(
      "s.yaml", scenario("1",
                         "  collective: [bcast, reduce, allreduce, gather, scatter, allgather]\n  algorithm: "
                         "[linear, binomial]\n  variant: [native, hierarchical]\n  elements: [0, 7]\n"));
  const Ran ran = run_strata({"run", file, "--out", out});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(values_in(out), std::vector<double>(6 * 2 * 2 * 2, 0));
}

TEST(Collective, SaysInOneLineWhatItDoesNotHave) {
  const TemporaryFolder folder;
  int run = 0;
  const auto error = [&](const std::string& sweep) {
    const fs::path out = folder.path() / std::to_string(++run);
    const Ran ran = run_strata({"run", folder.write("s.yaml", scenario("2", sweep)), "--out", out, "--jobs", "1"});
    EXPECT_EQ(ran.code, 2) << ran.err;
    return ran.err;
  };
  EXPECT_THAT(
      error("  collective: [bcast]\n  algorithm: [ring]\n  variant: [native]\n"),
      HasSubstr("--algorithm: bcast has no ring; it has binary, binomial, chain, linear, pipeline, split-binary"));
  EXPECT_THAT(error("  collective: [allgather]\n  algorithm: [ring]\n  variant: [hierarchical]\n"),
              HasSubstr("ring has no hierarchical form"));
  EXPECT_THAT(error("  collective: [gather]\n  algorithm: [linear]\n  variant: [native]\n  segment: [8]\n"),
              HasSubstr("--segment: does not go with gather"));
  EXPECT_THAT(error("  collective: [barrier]\n  algorithm: [linear]\n  variant: [native]\n  elements: [8]\n"),
              HasSubstr("--elements: does not go with barrier"));
  EXPECT_THAT(error("  collective: [bcast]\n  algorithm: [linear]\n  variant: [native]\n  root: [2]\n"),
              HasSubstr("--root: "));
}

// Two ranks on one socket: one message takes alpha + (4 n + 16 B of envelope) / bandwidth.
TEST(WhatIf, ChangesTheTimeAsItsFigureSaysAndIsHeldAgainstTheBase) {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "s.yaml",
      "schema: strata.scenario/1\nname: s\ntitle: t\nmachine: smp12e5\nprogram: collective\nranks: 2\n"
      "sweep: {algorithm: [linear], variant: [native], elements: [1, 500]}\nmetric: {name: time, unit: s}\n");
  const fs::path base = folder.path() / "base", other = folder.path() / "other";
  ASSERT_EQ(run_strata({"run", file, "--out", base}).code, 0);
  ASSERT_EQ(run_strata({"run", file, "--set", "what_if.L3.latency=2x", "--set", "what_if.L3.bandwidth=3.65 GB/s",
                        "--out", other})
                .code,
            0);
  const std::vector<double> before = values_in(base), after = values_in(other);
  ASSERT_EQ(before.size(), 2u);
  ASSERT_EQ(after.size(), 2u);
  EXPECT_NEAR(before[0], 0.44e-6 + 20 / 7.3e9, 1e-12);
  EXPECT_NEAR(before[1], 0.44e-6 + 2016 / 7.3e9, 1e-12);
  EXPECT_NEAR(after[0], 0.88e-6 + 20 / 3.65e9, 1e-12);
  EXPECT_NEAR(after[1], 0.88e-6 + 2016 / 3.65e9, 1e-12);
  EXPECT_THAT(read_text(other / "machine.yaml"), HasSubstr("what if 2 times smp12e5's 0.44 us (assumed: midpoint"));
  EXPECT_THAT(read_text(other / "manifest.json"), HasSubstr("smp12e5 (what if)"));

  const Ran report = run_strata({"report", other, "--against", base});
  EXPECT_EQ(report.code, 0) << report.err;
  EXPECT_THAT(read_text(other / "report" / "against" / "report.md"), HasSubstr("| base | this | base / this |"));
  EXPECT_TRUE(fs::exists(other / "report" / "against" / "against.svg"));
  EXPECT_EQ(run_strata({"report", other, base, "--against", base}).code, 2);
  EXPECT_EQ(run_strata({"report", other, "--against", folder.path() / "none"}).code, 2);
  const Ran bad = run_strata({"run", file, "--set", "what_if.L4.latency=2x", "--out", folder.path() / "bad"});
  EXPECT_EQ(bad.code, 2);
  EXPECT_THAT(bad.err, HasSubstr("--set what_if.L4.latency=2x: smp12e5 has no figure 'L4.latency'; it has core.speed"));
  EXPECT_FALSE(fs::exists(folder.path() / "bad")) << "refused before anything is written";
}

}  // namespace
}  // namespace strata
