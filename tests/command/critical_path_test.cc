// SPDX-License-Identifier: LGPL-2.1-only
// strata exec --critical-path: programs whose critical path follows from the machine by hand, properties that must hold
// for every program, and explanations that are verified by changing the cause that they name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "platforms/what_if.h"
#include "tests/analysis/round_machine.h"
#include "tests/command/strata_process.h"

namespace strata {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;
using ::testing::Not;
using Words = std::vector<std::string>;

constexpr double kMs = 1e-3, kUs = 1e-6;
constexpr double kRounding = 1e-10;  // s: times are sums of a few steps, each with an error of 1e-12 s
constexpr const char* kWaits = "tests/command/waits.so";
constexpr const char* kGuest = "tests/command/guest.so";

class CriticalPath : public ::testing::Test {
 protected:
  CriticalPath() { use({}); }

  // Uses the round machine with these figures multiplied by these factors.
  void use(const std::map<std::string, double>& factors) {
    std::vector<WhatIf> changes;
    for (const auto& [figure, factor] : factors) changes.push_back({"test", figure, factor, "", "assumed: a test"});
    save_machine(what_if(analysis::round_machine(), changes), folder_.path());
  }

  Words command(const Words& options, const Words& program, const char* file = kWaits) const {
    Words words = {"exec", "--machine", folder_.path() / "machine.yaml"};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"--", built(file)});
    words.insert(words.end(), program.begin(), program.end());
    return words;
  }

  // The document of such a run. Checks everything that must hold for every program.
  Json run(const Words& options, const Words& program, const char* file = kWaits) {
    const std::string json = folder_.path() / "out.json";
    Words all = options;
    all.insert(all.end(), {"--critical-path", "--json", json});
    const Ran ran = run_strata(command(all, program, file));
    EXPECT_EQ(ran.code, 0) << ran.err;
    text_ = ran.err;
    Json document = Json::parse(read_text(json));
    check(document);
    return document;
  }

  static double kind(const Json& document, const char* name) {
    return document["critical_path"]["by_kind"].value(name, 0.0);
  }
  static double time(const Json& document) { return document["simulated_time"]["value"]; }

  std::string text_;  // the text of the summary

 private:
  static void check(const Json& document) {
    const Json& path = document["critical_path"];
    const double whole = time(document);
    EXPECT_EQ(path["seconds"], whole);
    const Json& pieces = path["pieces"];
    ASSERT_EQ(pieces.empty(), whole == 0);
    if (whole > 0 && path["pieces_left_out"] == 0) {
      EXPECT_EQ(pieces.front()["from"], 0);
      EXPECT_EQ(pieces.back()["to"], whole);
      for (size_t i = 1; i < pieces.size(); ++i) ASSERT_EQ(pieces[i - 1]["to"], pieces[i]["from"]) << i;
    }
    for (const char* shares : {"by_kind", "by_rank"}) {
      double sum = 0;
      for (const Json& s : path[shares]) sum += s.is_number() ? s.get<double>() : s["seconds"].get<double>();
      EXPECT_NEAR(sum, whole, 1e-9 * whole) << shares;
    }
    double late = 0;
    for (const Json& s : document["late"]["seconds"]) late += s.get<double>();
    EXPECT_NEAR(late, document["time"]["waiting"], 1e-9 * whole + 1e-12) << "the two accounts of waiting";
  }

  TemporaryFolder folder_;
};

// --- programs with a known critical path ---

TEST_F(CriticalPath, OfAPipelineIsItsChain) {
  const Json document = run({"-n", "4"}, {"pipeline"});
  // Two of the three messages stay within a node.
  EXPECT_NEAR(kind(document, "computing"), 4 * kMs, kRounding);
  EXPECT_NEAR(kind(document, "latency"), 3 * kUs, kRounding);
  EXPECT_NEAR(kind(document, "transfer"), 2 * 0.5 * kUs + 1 * kUs, kRounding);
  EXPECT_NEAR(kind(document, "mpi"), 1 * kUs, kRounding) << "the overhead between the nodes";
  EXPECT_EQ(kind(document, "contention"), 0);
  EXPECT_EQ(document["critical_path"]["messages"], 3);
  EXPECT_EQ(document["critical_path"]["by_rank"].size(), 4u);
  EXPECT_EQ(document["late"]["senders"][0]["late"], 2) << "rank 3 waits longest";
  EXPECT_THAT(text_, HasSubstr("\ncritical path  "));
  EXPECT_THAT(text_, HasSubstr("4 ranks, most on rank"));
}

TEST_F(CriticalPath, OneSlowRankBeforeAnAllreduceIsOnIt) {
  const Json document = run({"-n", "4"}, {"slow"});
  EXPECT_NEAR(kind(document, "computing"), 5 * kMs, kRounding);
  double of_rank_2 = 0;
  for (const Json& s : document["critical_path"]["by_rank"]) {
    if (s["rank"] == 2) of_rank_2 = s["by_kind"]["computing"];
  }
  EXPECT_NEAR(of_rank_2, 5 * kMs, kRounding);
  EXPECT_THAT(text_, HasSubstr("  rank 2\n"));
  for (const Json& p : document["late"]["senders"]) EXPECT_EQ(p["in_collectives"], p["seconds"]);
}

TEST_F(CriticalPath, OfAPingPongIsLatency) {
  const Json document = run({"-n", "2", "--map-by", "node"}, {"ping", "10", "984"});
  EXPECT_NEAR(time(document), 20 * 3 * kUs, kRounding);
  EXPECT_NEAR(kind(document, "latency"), 20 * kUs, kRounding);
  EXPECT_NEAR(kind(document, "transfer"), 20 * kUs, kRounding);
  EXPECT_NEAR(kind(document, "mpi"), 20 * kUs, kRounding);
  EXPECT_EQ(document["critical_path"]["messages"], 20);
  const Json& levels = document["critical_path"]["by_level"];
  ASSERT_EQ(levels.size(), 1u);
  EXPECT_EQ(levels[0]["level"], kClusterName);
}

TEST_F(CriticalPath, OfALongMessageIsItsTransfer) {
  const Json document = run({"-n", "2", "--map-by", "node"}, {"pair", "999984"});
  EXPECT_NEAR(kind(document, "transfer"), 1 * kMs, kRounding);
  EXPECT_NEAR(kind(document, "latency"), 1 * kUs, kRounding);
  EXPECT_EQ(kind(document, "contention"), 0);
}

TEST_F(CriticalPath, TwoMessagesThroughOneLinkContend) {
  const Json document = run({"-n", "4"}, {"pair", "999984"});
  EXPECT_NEAR(kind(document, "transfer"), 1 * kMs, kRounding);
  EXPECT_NEAR(kind(document, "contention"), 1 * kMs, kRounding);
  EXPECT_THAT(text_, HasSubstr("contention: System - Cluster"));
}

TEST_F(CriticalPath, LateSendersAndReceiversAreNamed) {
  const Json sender = run({"-n", "2", "--map-by", "node"}, {"late_sender"});
  ASSERT_EQ(sender["late"]["senders"].size(), 1u);
  EXPECT_EQ(sender["late"]["senders"][0]["late"], 0);
  EXPECT_EQ(sender["late"]["senders"][0]["waits"], 1);
  EXPECT_NEAR(sender["late"]["senders"][0]["seconds"], 3 * kMs + 1 * kUs, kRounding) << "and the overhead";
  EXPECT_TRUE(sender["late"]["receivers"].empty());
  EXPECT_THAT(text_, HasSubstr("rank 0 sends late to rank 1"));

  const Json receiver = run({"-n", "2", "--map-by", "node"}, {"late_receiver"});
  ASSERT_EQ(receiver["late"]["receivers"].size(), 1u);
  EXPECT_EQ(receiver["late"]["receivers"][0]["late"], 1);
  EXPECT_EQ(receiver["late"]["receivers"][0]["waits"], 0);
  EXPECT_NEAR(receiver["late"]["receivers"][0]["seconds"], 3 * kMs, 2 * kUs);
  EXPECT_TRUE(receiver["late"]["senders"].empty());
  EXPECT_EQ(receiver["critical_path"]["pieces"][0]["rank"], 1);
  EXPECT_NEAR(kind(receiver, "computing"), 3 * kMs, kRounding);
  EXPECT_NEAR(kind(receiver, "transfer"), 1 * kMs, kRounding);
}

TEST_F(CriticalPath, PhasesHaveThePlantedImbalance) {
  const Json document = run({"-n", "4"}, {"phases"});
  ASSERT_EQ(document["phases"].size(), 2u) << document["phases"].dump();
  const Json& solve = document["phases"][0];
  EXPECT_EQ(solve["phase"], "solve");
  EXPECT_EQ(solve["ranks"], 4);
  EXPECT_NEAR(solve["computing"]["mean"], 1.5 * kMs, kRounding);
  EXPECT_NEAR(solve["computing"]["imbalance"], 1.0, 1e-6);
  EXPECT_EQ(solve["computing"]["most_rank"], 3);
  EXPECT_GE(solve["waiting"]["mean"], 1.5 * kMs - kRounding);
  EXPECT_EQ(document["phases"][1]["phase"], "idle");
  EXPECT_EQ(document["phases"][1]["computing"]["most"], 0);
  EXPECT_THAT(text_, HasSubstr("\n  solve  "));
}

// --- properties of every program, checked by run() ---

TEST_F(CriticalPath, CoversAllOfEveryRun) {
  run({"-n", "4"}, {"mix"});
  run({"-n", "3"}, {"mix"});
  run({"-n", "2", "--map-by", "node"}, {"mix"});
  run({"-n", "4"}, {"ring", "5000", "6"}, kGuest);
  run({"-n", "4"}, {"pairs", "100000"}, kGuest);
  run({"-n", "4"}, {"halo", "20", "6000"});
}

TEST_F(CriticalPath, IsNotThereUnlessAskedFor) {
  const TemporaryFolder folder;
  const std::string json = folder.path() / "out.json";
  const Ran ran = run_strata(command({"-n", "2", "--json", json}, {"ping", "1", "8"}));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, Not(HasSubstr("critical path")));
  const Json document = Json::parse(read_text(json));
  EXPECT_FALSE(document.contains("critical_path"));
  EXPECT_FALSE(document.contains("late"));
  EXPECT_FALSE(document.contains("phases"));
}

TEST_F(CriticalPath, OfARunThatTakesNoTimeIsEmpty) {
  const Json document = run({"-n", "1"}, {"nothing"});
  EXPECT_EQ(time(document), 0);
  EXPECT_TRUE(document["critical_path"]["pieces"].empty());
  EXPECT_THAT(text_, Not(HasSubstr("nan")));
}

// --- explanations, verified by changing the cause ---

TEST_F(CriticalPath, WhatItSaysOfTheLatencyIsWhatHalfTheLatencySaves) {
  for (const Words& program : std::vector<Words>{{"ping", "20", "8"}, {"pipeline"}, {"halo", "10", "1000"}}) {
    use({});
    const Words options = {"-n", "2", "--map-by", "node"};
    const Json before = run(options, program);
    ASSERT_GT(kind(before, "latency"), 0) << program[0];
    // The level's latency is half overhead and half wire time, so three quarters of it leave half of the wire time.
    use({{std::string(kClusterName) + ".latency", 0.75}});
    const Json after = run(options, program);
    EXPECT_NEAR(time(before) - time(after), kind(before, "latency") / 2, kRounding) << program[0];
    EXPECT_NEAR(kind(after, "latency"), kind(before, "latency") / 2, kRounding) << program[0];
  }
}

TEST_F(CriticalPath, WhatItSaysOfTransferAndContentionIsWhatTwiceTheBandwidthSaves) {
  for (const Words& program : std::vector<Words>{{"pair", "999984"}, {"ping", "5", "99984"}}) {
    use({});
    const Words options = {"-n", program[0] == "pair" ? "4" : "2", "--map-by", program[0] == "pair" ? "core" : "node"};
    const Json before = run(options, program);
    const double flow = kind(before, "transfer") + kind(before, "contention");
    const std::string level(kClusterName);
    use({{level + ".bandwidth", 2}, {level + ".link_bandwidth", 2}});
    EXPECT_NEAR(time(before) - time(run(options, program)), flow / 2, kRounding) << program[0];
  }
}

TEST_F(CriticalPath, WhatItSaysOfComputingIsWhatFasterCoresSave) {
  use({});
  const Json before = run({"-n", "4"}, {"pipeline"});
  use({{"core.speed", 2}});
  EXPECT_NEAR(time(before) - time(run({"-n", "4"}, {"pipeline"})), kind(before, "computing") / 2, kRounding);
}

// Contention on the path disappears together with the other message on the shared link.
TEST_F(CriticalPath, WhatItCallsContentionGoesWithTheOtherMessage) {
  const Json both = run({"-n", "4"}, {"pair", "999984"});
  const Json alone = run({"-n", "2", "--map-by", "node"}, {"pair", "999984"});
  EXPECT_NEAR(time(both) - time(alone), kind(both, "contention"), kRounding);
}

}  // namespace
}  // namespace strata
