// SPDX-License-Identifier: LGPL-2.1-only
// Verdicts on a results folder made by hand, but written and read like that of a run.
#include "models/crosscheck.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "records/rank_placements.h"
#include "tests/models/round_machines.h"

namespace strata::models {
namespace {

// Four nodes of one core; alpha = 1 us, o = 0.25 us, 1 GB/s, eager below 1000 B. 496 elements are 1984 B, 2000 B on the
// wire: a message takes 3 us. 21 elements are 84 B, 100 B on the wire: 1.1 us.
class CrossCheck : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    const Machine machine = uniform_machine("node:4 pack:1 core:1 pu:1");
    save_machine(machine, folder_);
    std::ofstream(folder_ / "bindings.txt") << format_bindings(place(*machine.topology, 4));
    manifest_.study.program = "collective";
    manifest_.study.ranks = 4;
    manifest_.study.models = {{"hockney", 0.02}, {"loggp", 0.01}};
    manifest_.machine = machine.name;
  }

  void add(const Json& parameters, double seconds, const std::string& metric = "time", const std::string& unit = "s") {
    records_.push_back({.scenario = "by-hand",
                        .point = static_cast<int>(records_.size()),
                        .parameters = parameters,
                        .metric = metric,
                        .value = seconds,
                        .unit = unit,
                        .seed = 1});
  }

  void add_broadcast(const std::string& algorithm, const std::string& variant, int elements, double seconds) {
    add({{"algorithm", algorithm}, {"variant", variant}, {"elements", elements}}, seconds);
  }

  std::vector<CheckRow> check() {
    write_manifest(folder_, manifest_);
    RecordWriter(folder_).append(records_);
    return cross_check(load_results(folder_));
  }

  std::filesystem::path folder_;
  Manifest manifest_;
  std::vector<Record> records_;
};

TEST_F(CrossCheck, AgreesDisagreesAndOutside) {
  add_broadcast("pipeline", "native", 496, 9.09e-6);  // 3 messages: 9 us; 1 % off
  add_broadcast("pipeline", "native", 496, 9.27e-6);  // 3 % off
  add_broadcast("linear", "native", 21, 1.6e-6);      // eager: LogGP 0.5 + 1.1 us, Hockney 3.3
  add_broadcast("binomial", "native", 496, 5.4e-6);   // 2 rounds: 6 us; 10 % too fast
  const std::vector<CheckRow> rows = check();
  ASSERT_EQ(rows.size(), 8U);
  EXPECT_EQ(rows[0].model, "hockney");
  EXPECT_EQ(rows[0].parameters.at("elements"), 496);
  EXPECT_NEAR(rows[0].predicted_s, 9e-6, 1e-17);
  EXPECT_DOUBLE_EQ(rows[0].simulated_s, 9.09e-6);
  EXPECT_NEAR(rows[0].residual, 0.01, 1e-10);
  EXPECT_DOUBLE_EQ(rows[0].tolerance, 0.02);
  EXPECT_EQ(rows[0].verdict, Verdict::kAgrees);
  EXPECT_EQ(rows[0].reason, "");

  EXPECT_EQ(rows[2].verdict, Verdict::kDisagrees);
  EXPECT_NEAR(rows[2].residual, 0.03, 1e-10);
  EXPECT_EQ(rows[3].model, "loggp");
  EXPECT_EQ(rows[3].verdict, Verdict::kDisagrees);

  EXPECT_EQ(rows[4].verdict, Verdict::kOutside);
  EXPECT_EQ(rows[4].reason,
            "eager: a sender of 84 B does not wait for the latency of its message, Hockney's sender does");
  EXPECT_NEAR(rows[4].residual, (1.6 - 3.3) / 3.3, 1e-10);
  EXPECT_EQ(rows[5].verdict, Verdict::kAgrees);
  EXPECT_NEAR(rows[5].residual, 0, 1e-10);

  EXPECT_EQ(rows[6].verdict, Verdict::kDisagrees);
  EXPECT_NEAR(rows[6].residual, -0.1, 1e-10);
}

TEST_F(CrossCheck, TheRootIsTheRecords) {
  // Hierarchical from root 2: one message to rank 0, then three more.
  add({{"algorithm", "pipeline"}, {"variant", "hierarchical"}, {"elements", 496}, {"root", 2}}, 12e-6);
  const std::vector<CheckRow> rows = check();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_NEAR(rows[0].predicted_s, 12e-6, 1e-17);
  EXPECT_EQ(rows[0].verdict, Verdict::kAgrees);
}

// A reduce of 496 elements in two segments along a chain of 4. By Hockney: T = 1 us + 1008 ns, g = 992 B / 2 GB/s, (4 -
// 2 + 2)(T + g). LogGP differs, as it does not share Hockney's assumption on late receivers.
TEST_F(CrossCheck, TheCollectiveAndTheSegmentAreTheRecords) {
  manifest_.study.program = "collective";
  add({{"collective", "reduce"}, {"algorithm", "pipeline"}, {"variant", "native"}, {"elements", 496}, {"segment", 992}},
      10e-6);
  add({{"collective", "barrier"}, {"algorithm", "recursive-doubling"}, {"variant", "native"}}, 2 * 1.016e-6);
  add({{"collective", "barrier"}, {"algorithm", "recursive-doubling"}, {"variant", "hierarchical"}},
      1);  // this form does not exist
  const std::vector<CheckRow> rows = check();
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_NEAR(rows[0].predicted_s, 4 * (1e-6 + 1.008e-6 + 0.496e-6), 1e-17);
  EXPECT_EQ(rows[3].verdict, Verdict::kAgrees);
  EXPECT_NEAR(rows[3].predicted_s, 2 * 1.016e-6, 1e-17);
}

TEST_F(CrossCheck, WhatTheStudyGivesToAllPointsCounts) {
  manifest_.study.program = "collective";
  manifest_.study.arguments = {"--collective", "bcast", "--root", "2"};
  add_broadcast("linear", "hierarchical", 496, 12e-6);
  add({{"algorithm", "linear"}, {"variant", "hierarchical"}, {"elements", 496}, {"root", 0}}, 9e-6);
  const std::vector<CheckRow> rows = check();
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_NEAR(rows[0].predicted_s, 12e-6, 1e-17);  // one message to rank 0 first
  EXPECT_NEAR(rows[2].predicted_s, 9e-6, 1e-17);
}

// Two groups of two, by LogGP with rendezvous: on each level a message of 3 us and two combinations of 0.992 us. On the
// outer level ranks 0 and 2 are ready at the same time, so the sender's overhead is not hidden; it would be if rank 2
// had called its send at least o earlier.
TEST_F(CrossCheck, VectorsOverGroupsAndTheMachinesHierarchy) {
  manifest_.study.program = "vectors";
  add({{"hierarchy", "2x2"}, {"elements", 496}}, 2 * (3e-6 + 2 * 0.992e-6));
  add({{"hierarchy", "topo"}, {"elements", 496}}, 1);
  const std::vector<CheckRow> rows = check();
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[1].model, "loggp");
  EXPECT_NEAR(rows[1].predicted_s, 2 * (3e-6 + 2 * 0.992e-6), 1e-17);
  EXPECT_EQ(rows[1].verdict, Verdict::kAgrees);
  // One level of four nodes: three messages and four combinations. The senders of the second and third message have
  // already spent their overhead when the root receives.
  EXPECT_NEAR(rows[3].predicted_s, 3 * 3e-6 - 2 * 0.25e-6 + 4 * 0.992e-6, 1e-17);
  for (const char* wrong : {"3x2", "2x", "x", "two", "2,2", ""}) {
    records_ = {};
    add({{"hierarchy", wrong}, {"elements", 496}}, 1);
    EXPECT_THROW(check(), InputError) << wrong;
  }
}

// The four ranks as 2 x 2 processes. Every step has two messages and the same arithmetic: by Hockney 2 (2 messages + 2
// n^3 flop). Over groups of one process, a root first sends to the first process.
TEST_F(CrossCheck, MatrixMultiplication) {
  manifest_.study.program = "summa";
  const double message_s = 1e-6 + (16 * 16 * 8 + 16) / 1e9;
  const double computing_s = 2.0 * 16 * 16 * 16 / load_machine(folder_ / "machine.yaml").core_speed.si;
  add({{"variant", "simple"}, {"block", 16}}, 2 * (2 * message_s + computing_s));
  add({{"variant", "2x1-groups"}, {"block", 16}}, 1);
  add({{"variant", "topological"}, {"block", 16}}, 1);
  add({{"variant", "simple"}}, 1);  // default: blocks of 8 x 8
  const std::vector<CheckRow> rows = check();
  ASSERT_EQ(rows.size(), 8U);
  EXPECT_NEAR(rows[0].predicted_s, 2 * (2 * message_s + computing_s), 1e-17);
  EXPECT_GT(rows[2].predicted_s, rows[0].predicted_s + message_s);
  EXPECT_DOUBLE_EQ(rows[4].predicted_s, rows[2].predicted_s);
  EXPECT_LT(rows[6].predicted_s, rows[0].predicted_s);
  for (const char* wrong : {"native", "2-groups", "2x1x1-groups", "3x1-groups", "2x1", "-groups", ""}) {
    records_ = {};
    add({{"variant", wrong}, {"block", 16}}, 1);
    EXPECT_THROW(check(), InputError) << wrong;
  }
}

// Three of a node's four cores compute for 1 s, the fourth communicates. There are two levels of one message each; its
// 2 MB are copied and combined at 2 GB/s. The links of cores are slower than that, so times with messages between cores
// are outside the model.
TEST_F(CrossCheck, NonblockingCollectivesByTheSplitTree) {
  const Machine machine = uniform_machine("pack:1 core:4 pu:1");
  save_machine(machine, folder_);
  RankPlacement placement{.ranks = place(*machine.topology, 3)};
  placement.progress = {place(*machine.topology, 4)[3], place(*machine.topology, 4)[3], place(*machine.topology, 4)[3]};
  std::ofstream(folder_ / "bindings.txt") << format_placement(placement);
  manifest_.study.program = "nbc";
  manifest_.study.ranks = 3;
  manifest_.study.progress = "numa";
  manifest_.study.models = {{"hockney", 0.02}, {"split-tree", 0.01}};
  const double copies_s = 2 * 2e6 / 2e9;  // of a level: copying and combining
  const auto add_nbc = [&](const Json& steps, double seconds) {
    add({{"collective", "ireduce"}, {"bytes", 2e6}, {"steps", steps}, {"work", 3}}, seconds);
  };
  add_nbc("blocking", 1 + 2 * copies_s);
  add_nbc(0, 1);
  add_nbc(1, 1 + copies_s);
  add_nbc("auto", 1.5);
  add_nbc("most", 1);
  add({{"collective", "iscan"}, {"bytes", 2e6}, {"steps", 0}, {"work", 3}}, 1);  // no such model exists
  const std::vector<CheckRow> rows = check();
  ASSERT_EQ(rows.size(), 4U);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(rows[i].model, "split-tree");
    EXPECT_NEAR(rows[i].residual, 0, 1e-12) << i;
    // With S = 0 all messages stay on the fourth core; with other S messages cross links of 1 GB/s.
    EXPECT_EQ(rows[i].verdict, i == 1 ? Verdict::kAgrees : Verdict::kOutside) << i;
    EXPECT_EQ(rows[i].reason.rfind("latency and bandwidth: ", 0) == 0, i != 1) << rows[i].reason;
  }
  EXPECT_NEAR(rows[3].predicted_s, 1, 1e-12);
  records_ = {};
  add_nbc(1.5, 1);
  EXPECT_THROW(check(), InputError);
  records_ = {};
  add({{"collective", "ireduce"}, {"bytes", 2e6}, {"steps", 0}, {"work", 3}, {"root", 3}}, 1);
  EXPECT_THROW(check(), InputError);
}

TEST_F(CrossCheck, PingPongIsOneMessageOfItsLevel) {
  manifest_.study.program = "pingpong";
  add({{"level", "System - Cluster"}, {"bytes", 984}}, 2e-6);
  add({{"level", "System - Cluster"}, {"bytes", 1'999'984}}, 2.2e-3);
  const std::vector<CheckRow> rows = check();
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_NEAR(rows[0].predicted_s, 2e-6, 1e-17);
  EXPECT_EQ(rows[0].verdict, Verdict::kAgrees);
  EXPECT_NEAR(rows[3].predicted_s, 2.001e-3, 1e-15);
  EXPECT_EQ(rows[3].verdict, Verdict::kDisagrees);
}

TEST_F(CrossCheck, GivesNoRowsWithoutAModel) {
  add_broadcast("scatter-allgather", "native", 21, 1e-6);
  add_broadcast("linear", "sideways", 21, 1e-6);
  add({{"algorithm", "linear"}, {"variant", "native"}, {"elements", 21}}, 12, "messages", "1");
  EXPECT_TRUE(check().empty());
  manifest_.study.program = "matmul";
  records_ = {};
  add_broadcast("linear", "native", 21, 1e-6);
  EXPECT_TRUE(check().empty());
}

TEST_F(CrossCheck, ATimeWhereNoneIsPredictedDisagrees) {
  manifest_.study.ranks = 1;
  std::ofstream(folder_ / "bindings.txt") << "0 0 0\n";
  add_broadcast("linear", "native", 21, 0);
  add_broadcast("linear", "native", 21, 1e-6);
  const std::vector<CheckRow> rows = check();
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0].verdict, Verdict::kAgrees);
  EXPECT_EQ(rows[2].verdict, Verdict::kDisagrees);
  EXPECT_TRUE(std::isinf(rows[2].residual));
}

TEST_F(CrossCheck, RefusesFoldersThatLackSomething) {
  add_broadcast("linear", "native", 21, 1.6e-6);
  std::filesystem::remove(folder_ / "bindings.txt");
  EXPECT_THROW(check(), InputError);
}

TEST_F(CrossCheck, RefusesUnknownModelsAndDamagedRecords) {
  add({{"algorithm", "linear"}, {"variant", "native"}}, 1e-6);
  EXPECT_THROW(check(), InputError);  // "elements" is missing
  records_ = {};
  manifest_.study.models = {{"logp", 0.1}};
  EXPECT_THROW(check(), InputError);
}

TEST_F(CrossCheck, RefusesTimesInOtherUnits) {
  add({{"algorithm", "linear"}, {"variant", "native"}, {"elements", 1}}, 1, "time", "us");
  EXPECT_THROW(check(), InputError);
}

// Two nodes of two cores. Their links carry 1 GB/s, as much as one message gets; the tests use 2,000 B and 8,016 B on
// the wire.
class MaxRateCheck : public CrossCheck {
 protected:
  void SetUp() override {
    CrossCheck::SetUp();
    Machine machine = uniform_machine("node:2 core:2 pu:1");
    set_costs(machine, "System - Cluster", {.latency_us = 1, .overhead_us = 0.25, .bandwidth_gbs = 1, .link_gbs = 1});
    save_machine(machine, folder_);
    std::ofstream(folder_ / "bindings.txt") << format_bindings(place(*machine.topology, 4));
    manifest_.study.models = {{"hockney", 0.1}, {"max-rate", 0.1}};
  }
};

TEST_F(MaxRateCheck, OfPairsTakesTheFirstRanksOfTwoNodes) {
  manifest_.study.program = "pairs";
  add({{"pairs", 1}, {"bytes", 1984}}, 3e-6);
  add({{"pairs", 2}, {"bytes", 1984}}, 5e-6);
  add({{"pairs", 2}, {"bytes", 1984}}, 3e-6);
  const std::vector<CheckRow> rows = check();
  ASSERT_EQ(rows.size(), 3U);  // hockney does not predict pairs
  EXPECT_EQ(rows[0].model, "max-rate");
  EXPECT_NEAR(rows[0].predicted_s, 3e-6, 1e-17);
  EXPECT_EQ(rows[0].verdict, Verdict::kAgrees);
  EXPECT_NEAR(rows[1].predicted_s, 5e-6, 1e-17);
  EXPECT_EQ(rows[1].verdict, Verdict::kAgrees);
  EXPECT_EQ(rows[2].verdict, Verdict::kDisagrees);
}

TEST_F(MaxRateCheck, RefusesMorePairsThanThereAre) {
  manifest_.study.program = "pairs";
  add({{"pairs", 3}, {"bytes", 0}}, 1e-6);
  try {
    check();
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("3 pairs of nodes with 2 and 2 ranks"), std::string::npos) << e.what();
  }
}

// In a 4 x 1 mesh one process per node has a partner on the other node, in 2 x 2 both have: in row order along the
// first dimension, with nodecart's blocks of 2 x 1 along the second.
TEST_F(MaxRateCheck, OfAHaloCountsTheMessagesThatLeaveANode) {
  manifest_.study.program = "ncartperf";
  manifest_.study.arguments = {"--n", "1000", "--sweeps", "1"};
  add({{"dims", "4x1"}}, 9e-6);
  add({{"dims", "2x2"}}, 17e-6);
  add({{"dims", "2x2"}, {"comm", "nodecart"}}, 17e-6);
  add({{"dims", "2x2"}, {"comm", "nodecart"}, {"method", "kdtree"}}, 17e-6);
  add({{"dims", "4x1"}, {"periods", "1x0"}}, 17e-6);  // periodic: the two ends of the row are partners too
  add({{"ndims", 2}}, 17e-6);
  const std::vector<CheckRow> rows = check();
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_NEAR(rows[0].predicted_s, 9.016e-6, 1e-17);
  EXPECT_NEAR(rows[1].predicted_s, 17.032e-6, 1e-17);
  EXPECT_NEAR(rows[2].predicted_s, 17.032e-6, 1e-17);
  EXPECT_NEAR(rows[3].predicted_s, 17.032e-6, 1e-17);
  for (const CheckRow& row : rows) EXPECT_EQ(row.verdict, Verdict::kAgrees) << row.reason;
}

// With one double per message latencies dominate, which the model ignores. A time is then only compared with the
// bounds: no link explains 1 s, and 1 ns is too short for any.
TEST_F(MaxRateCheck, OutsideOfTheModelATimeIsHeldToItsBounds) {
  manifest_.study.program = "ncartperf";
  manifest_.study.arguments = {"--n", "1", "--sweeps", "1"};
  for (const double time_s : {1.274e-6, 1.0, 1e-9}) add({{"dims", "2x2"}}, time_s);
  const std::vector<CheckRow> rows = check();
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].verdict, Verdict::kOutside) << rows[0].reason;
  for (const size_t i : {1, 2}) {
    EXPECT_EQ(rows[i].verdict, Verdict::kDisagrees);
    EXPECT_NE(rows[i].reason.find("which is all that its links let it take"), std::string::npos) << rows[i].reason;
  }
}

TEST_F(MaxRateCheck, SaysNothingOfWhatTheShimMayHaveReordered) {
  manifest_.study.program = "ncartperf";
  manifest_.study.arguments = {"--n", "1000", "--sweeps", "1"};
  manifest_.study.shim = kShimOn;
  add({{"dims", "2x2"}, {"comm", "cart"}}, 17e-6);
  add({{"dims", "2x2"}, {"comm", "world"}}, 17e-6);
  EXPECT_EQ(check().size(), 1U);
}

}  // namespace
}  // namespace strata::models
