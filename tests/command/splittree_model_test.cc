// SPDX-License-Identifier: LGPL-2.1-only
// strata splittree tune and figures: the paper's choices as users see them, and refused input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/command/expect_refused.h"
#include "tests/command/strata_process.h"

namespace strata {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;

Ran tune(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"splittree", "tune"});
  return run_strata(arguments);
}

Json tuned(std::vector<std::string> arguments) {
  arguments.emplace_back("--json");
  const Ran ran = tune(arguments);
  EXPECT_EQ(ran.code, 0) << ran.err;
  return Json::parse(ran.out);
}

// IJHPCA'19, Sections 6.2 and 7.
TEST(Tune, TheKnlAndTheSkylakeOfThePaper) {
  const Json knl = tuned({"--cores", "64"});
  EXPECT_EQ(knl["schema"], "strata.splittree.tune/1");
  EXPECT_EQ(knl["unit"], "message");
  EXPECT_EQ(knl["computation"], 6);
  EXPECT_EQ(knl["best"]["ranks"], 51);
  EXPECT_EQ(knl["best"]["steps"], 0);
  EXPECT_DOUBLE_EQ(knl["best"]["time"].get<double>(), 6 * 64 / 51.0);
  EXPECT_EQ(knl["blocking"], Json({{"ranks", 64}, {"time", 12.0}}));
  EXPECT_EQ(knl["switches"], Json({{{"ranks", 52}, {"from", 0}, {"to", 1}},
                                   {{"ranks", 58}, {"from", 1}, {"to", 2}},
                                   {{"ranks", 62}, {"from", 2}, {"to", 3}}}));
  ASSERT_EQ(knl["table"].size(), 64U);
  EXPECT_EQ(knl["table"][61]["ranks"], 62);
  EXPECT_EQ(knl["table"][61]["steps"], 3);
  EXPECT_DOUBLE_EQ(knl["table"][61]["time"].get<double>(), 3 + 6 * 64 / 62.0);
  EXPECT_DOUBLE_EQ(knl["table"][61]["blocking"].get<double>(), 6 + 6 * 64 / 62.0);
  EXPECT_EQ(knl["table"][63]["time"], 12);
  EXPECT_EQ(tuned({"--cores", "48"})["best"]["ranks"], 38);
}

TEST(Tune, StepsOfOneNumberOfRanks) {
  const Json document = tuned({"--cores", "64", "-n", "62"});
  EXPECT_EQ(document["table"].size(), 1U);
  EXPECT_EQ(document["best"]["steps"], 3);
  EXPECT_EQ(document["switches"], Json::array());
  ASSERT_EQ(document["steps"].size(), 7U);
  EXPECT_EQ(document["steps"][0]["nonblocking"], 32);
  EXPECT_EQ(document["steps"][3]["nonblocking"], 7);
  EXPECT_DOUBLE_EQ(document["steps"][3]["time"].get<double>(), 3 + 6 * 64 / 62.0);
  const Json full = tuned({"--cores", "64", "-n", "64"});
  EXPECT_EQ(full["best"], Json({{"ranks", 64}, {"steps", 0}, {"time", 12.0}}));
}

// More computation favours more ranks. So does a remainder without communication, but Amdahl's law reverses that.
TEST(Tune, FollowsTheApplication) {
  const auto ranks = [](std::vector<std::string> more) {
    more.insert(more.begin(), {"--cores", "64"});
    return tuned(more)["best"]["ranks"].get<int>();
  };
  // 62 ranks: 60 * 64 / 62 = 61.94, which hides the collective's 32. 63 ranks are worse: 62 messages on one core, or
  // with S = 1, 1 + 60 * 64 / 63 = 61.95.
  EXPECT_EQ(ranks({"--computation", "60"}), 62);
  EXPECT_GT(ranks({"--rest", "60"}), 51);
  // Entirely serial: the most ranks that leave a core for each of the 21 messages of level 1.
  EXPECT_EQ(ranks({"--rest", "60", "--scalability", "amdahl:1"}), 43);
  EXPECT_GE(ranks({"--least-ranks", "60"}), 60);
  EXPECT_EQ(tuned({"--cores", "64", "--least-ranks", "60"})["table"].size(), 5U);
}

TEST(Tune, ScalabilityFromAFile) {
  const TemporaryFolder folder;
  const std::string file = folder.write("times", "64 1\n32 2\n");
  const Json document = tuned({"--cores", "64", "--scalability", file});
  EXPECT_EQ(document["table"].size(), 33U);
  EXPECT_EQ(document["best"]["ranks"], 51);  // as with linear scalability
  EXPECT_DOUBLE_EQ(document["table"][30]["time"].get<double>(), 3 + 6 * 64 / 62.0);
  expect_refused(tune({"--cores", "65", "--scalability", file}), file + ": ", "times for 32 to 64 cores", "65 cores");
  expect_refused(tune({"--cores", "64", "-n", "31", "--scalability", file}), file + ": ", "32 cores and more", "31");
  const std::string damaged = folder.write("damaged", "64 1\n32\n");
  expect_refused(tune({"--cores", "64", "--scalability", damaged}), damaged + ":2: ", "`cores time`", "64 1.5");
}

// In seconds: a message of 2 MB takes the time given by the catalog's figures of smp20e7's cores.
TEST(Tune, OfAMachine) {
  const Json costs = Json::parse(run_strata({"topo", "smp20e7", "--json"}).out)["costs"]["core"];
  const double copy_s = 2e6 / costs["copy_bandwidth"]["si"].get<double>();
  const Json document = tuned({"--machine", "smp20e7", "--collective", "ibcast"}), ideal = tuned({"--cores", "160"});
  EXPECT_EQ(document["unit"], "s");
  EXPECT_DOUBLE_EQ(document["message_s"].get<double>(), copy_s);
  EXPECT_EQ(document["best"]["ranks"], ideal["best"]["ranks"]);
  EXPECT_NEAR(document["best"]["time"].get<double>(), ideal["best"]["time"].get<double>() * copy_s, 1e-12);
  const Json given = tuned({"--machine", "smp20e7", "--collective", "ibcast", "--computation", "0.1"});
  EXPECT_EQ(given["best"]["ranks"], 159);
  EXPECT_DOUBLE_EQ(given["best"]["time"].get<double>(), 0.1 * 160 / 159);
  const Json nodes = tuned({"--machine", "ntw10e5", "--nodes", "10"});
  EXPECT_GT(nodes["network"].get<double>(), 0);
  EXPECT_EQ(nodes["table"].size(), 24U);
}

TEST(Tune, TextTellsTheBestAndTheSwitches) {
  const Ran ran = tune({"--cores", "64"});
  EXPECT_EQ(ran.code, 0);
  for (const char* line :
       {"\nbest: 51 ranks, S = 0, 7.52941\n", "\nblocking at best: 64 ranks, 12, 1.59 times as long\n",
        "\nfrom 52 ranks on: S = 1 instead of 0\n", "\nfrom 62 ranks on: S = 3 instead of 2\n"}) {
    EXPECT_THAT(ran.out, HasSubstr(line));
  }
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(tune({"--cores", "64"}).out, ran.out);
  EXPECT_EQ(tune({"--cores", "1"}).code, 0);
}

TEST(Tune, RefusesBadInput) {
  expect_refused(tune({}), "command line", "no cores", "--cores P or --machine M");
  expect_refused(tune({"--cores", "64", "--machine", "ntw10e5"}), "--cores", "and --machine cannot be given together",
                 "strata splittree tune --help");
  expect_refused(tune({"--cores", "64", "-n", "65"}), "-n", "65 ranks on 64 cores", "1 to 64");
  expect_refused(tune({"--cores", "64", "--least-ranks", "65"}), "--least-ranks", "65 ranks on 64 cores", "1 to 64");
  expect_refused(tune({"--cores", "0"}), "--cores", "0", "1 to ");
  expect_refused(tune({"--cores", "64", "--arity", "1"}), "--arity", "1", "2 to ");
  expect_refused(tune({"--cores", "64", "--collective", "iscan"}), "--collective", "iscan", "ireduce, ibcast");
  expect_refused(tune({"--cores", "64", "--scalability", "amdahl:2"}), "--scalability", "amdahl:2", "amdahl:0.01");
  expect_refused(tune({"--cores", "64", "--scalability", "none"}), "none", "No such file", "amdahl:F");
  expect_refused(tune({"--cores", "64", "--nodes", "2"}), "--nodes", "the cost of an inter-node message", "--network");
  expect_refused(tune({"--cores", "64", "--nodes", "2", "--network", "1", "--collective", "igather"}), "--nodes",
                 "igather has no tree over several nodes", "1 node");
  expect_refused(tune({"--cores", "1000", "--nodes", "1001", "--network", "1"}), "--nodes", "1001 nodes of 1000 cores",
                 "1000000");
  expect_refused(tune({"--machine", "smp20e7", "--nodes", "2"}), "--nodes", "2 nodes", "1 to 1");
  expect_refused(tune({"--cores", "64", "--bytes", "2"}), "--bytes", "needs", "--machine");
  for (const char* number : {"-1", "nan", "inf", "1e99", "much"}) {
    expect_refused(tune({"--cores", "64", "--computation", number}), "--computation", number, "from 0 to 1000000");
    expect_refused(tune({"--cores", "64", "--rest", number}), "--rest", number, "from 0 to 1000000");
  }
}

TEST(Figures, AreDrawnWithTheirNumbers) {
  const TemporaryFolder folder;
  const std::string out = folder.path() / "a/b";
  const Ran ran = run_strata({"splittree", "figures", "--cores", "64", "--out", out});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const std::vector<std::string> files = lines_of(ran.out);
  ASSERT_EQ(files.size(), 10U);
  for (size_t i = 0; i < files.size(); i += 2) {
    const std::string figure = "Figure " + std::to_string(12 + i / 2);
    EXPECT_THAT(read_text(files[i]), ::testing::AllOf(HasSubstr("<svg"), HasSubstr(figure))) << files[i];
    EXPECT_THAT(files[i + 1], ::testing::EndsWith(".csv"));
  }
  // Section 6.2: 64 ranks have 32, 16, ... messages on the levels.
  EXPECT_EQ(lines_of(read_text(files[1])).back(), "64,32,16,8,4,2,1");
  // 62 ranks, 2 idle cores: blocking 6, computation 6.19..., then S = 0 to 5.
  EXPECT_THAT(lines_of(read_text(files[3])), ::testing::Contains("62,6,6.193548387096774,32,17,10,7,6,6"));
  EXPECT_THAT(lines_of(read_text(files[5])).front(), HasSubstr("\"the best S changes: 52, 58, 62\""));
  // The same with doubling blocks: 63 blocking, and 16 + 16 + 16 + 16 + 16 + 32 with S = 0.
  EXPECT_THAT(read_text(files[7]), HasSubstr("\n62,63,65.03225806451613,112,97,83,71,63,63\n"));
}

TEST(Figures, RefuseBadInput) {
  expect_refused(run_strata({"splittree", "figures", "--cores", "64"}), "--out", "required", "--help");
  expect_refused(run_strata({"splittree", "figures", "--cores", "3", "--out", "x"}), "--cores", "3", "4 to ");
  expect_refused(run_strata({"splittree", "figures", "--cores", "64", "--out", "/proc/x"}), "/proc/x", "cannot be made",
                 "another place");
}

}  // namespace
}  // namespace strata
