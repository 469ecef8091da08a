// SPDX-License-Identifier: LGPL-2.1-only
// Which rule applies to a call.
#include "collectives/rules/look_up.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/collectives/rules/rule_texts.h"

namespace strata::collectives {
namespace {

using By = Decision::By;

constexpr const char* kBcast =
    "1\n"
    "7      # bcast\n"
    "2\n"
    "4 1\n"
    "0 1 0 0\n"
    "64 3\n"
    "0 0 0 0\n"
    "8192 6 4 1024\n"
    "65536 7 0 0\n";

// The example of collectives/README.md.
TEST(LookUp, SaysWhichLineApplies) {
  const std::string file = testing::TempDir() + "/example.conf";
  std::ofstream(file) << kBcast;
  const RuleFile rules = read_rules(file, kOpenMpi41);
  const Decision d = look_up(rules, kOpenMpi41, {.operation = Operation::kBcast, .ranks = 64, .bytes = 16384});
  EXPECT_EQ(d.name, "binomial");
  EXPECT_EQ(d.line, 8);  // of the file
}

Decision decide(const std::string& text, const Library& library, const Call& call) {
  return look_up(read_text(text, library, Reading::kAsTheLibrary), library, call);
}

TEST(LookUp, TunedTakesTheLastSizeThatIsReached) {
  const auto of = [](int ranks, std::int64_t bytes) {
    return decide(kBcast, kOpenMpi41, {.operation = Operation::kBcast, .ranks = ranks, .bytes = bytes});
  };
  const Decision d = of(64, 16384);
  EXPECT_EQ(d.by, By::kRule);
  EXPECT_EQ(d.choice, (Choice{.algorithm = 6, .faninout = 4, .segment_bytes = 1024}));
  EXPECT_EQ(d.name, "binomial");
  EXPECT_EQ(d.line, 8);
  EXPECT_EQ(d.why, "bcast, from 64 ranks, from 8192 B");
  EXPECT_EQ(of(1000, 8191).by, By::kFixed);
  EXPECT_EQ(of(1000, 8191).line, 7);
  EXPECT_EQ(of(1000, 8191).choice.algorithm, 7);
  EXPECT_EQ(of(1000, 8191).why, "bcast, from 64 ranks, from 0 B: the fixed decision");
  EXPECT_EQ(of(1000, 8192).line, 8);
  EXPECT_EQ(of(1000, 65536).line, 9);
  EXPECT_EQ(of(63, 65536).line, 5);
  EXPECT_EQ(of(4, 0).line, 5);
  EXPECT_EQ(of(2, 0).line, 5);  // the first one, if all are larger
  const Decision other = decide(kBcast, kOpenMpi41, {.operation = Operation::kReduce, .ranks = 64, .bytes = 8});
  EXPECT_EQ(other.by, By::kFixed);
  EXPECT_EQ(other.line, 0);
  EXPECT_EQ(other.choice.algorithm, 5);
  EXPECT_EQ(other.why, "no rule for reduce: the fixed decision");
}

// Open MPI 6.0: each communicator size ends the range of its own rules.
TEST(LookUp, Tuned6IsOneRuleOff) {
  const auto line = [](int ranks) {
    return decide(kBcast, kOpenMpi60, {.operation = Operation::kBcast, .ranks = ranks, .bytes = 65536}).line;
  };
  EXPECT_EQ(line(2), 5);
  EXPECT_EQ(line(3), 5);
  EXPECT_EQ(line(4), 9);
  EXPECT_EQ(line(1000), 9);
}

// Open MPI before 6.0 stops at the first size that is too large.
TEST(LookUp, TunedWithSizesThatDoNotIncrease) {
  const std::string text = "1\n7 3\n2 1\n0 1 0 0\n64 1\n0 2 0 0\n8 1\n0 3 0 0\n";
  const auto algorithm = [&](int ranks) {
    return decide(text, kOpenMpi41, {.operation = Operation::kBcast, .ranks = ranks}).choice.algorithm;
  };
  EXPECT_EQ(algorithm(8), 1);
  EXPECT_EQ(algorithm(63), 1);
  EXPECT_EQ(algorithm(64), 3);
}

// The size that a library compares with the rules.
TEST(LookUp, TunedCountsBytesByOperation) {
  const auto line = [](Operation operation, std::int64_t bytes) {
    const std::string text = "1\n" + std::to_string(openmpi_id(operation)) + " 1\n2 2\n0 1 0 0\n800 2 0 0\n";
    return decide(text, kOpenMpi41, {.operation = operation, .ranks = 8, .bytes = bytes, .type_bytes = 4}).line - 3;
  };
  for (const Operation o : {Operation::kBcast, Operation::kReduce, Operation::kAllreduce, Operation::kAllgatherv}) {
    EXPECT_EQ(line(o, 799), 1) << name_of(o);
    EXPECT_EQ(line(o, 800), 2) << name_of(o);
  }
  for (const Operation o : {Operation::kAllgather, Operation::kAlltoall, Operation::kGather, Operation::kScatter,
                            Operation::kReduceScatter, Operation::kReduceScatterBlock}) {
    EXPECT_EQ(line(o, 99), 1) << name_of(o);
    EXPECT_EQ(line(o, 100), 2) << name_of(o);
  }
  for (const Operation o : {Operation::kBarrier, Operation::kAlltoallv, Operation::kScan, Operation::kExscan}) {
    EXPECT_EQ(line(o, 1000000), 1) << name_of(o);  // scans: 4 B of each of 8 ranks
  }
}

TEST(LookUp, TunedFailsWithUnknownAlgorithms) {
  const Decision d = decide("1\n7 1\n2 1\n0 99 0 0\n", kOpenMpi41, {.operation = Operation::kBcast, .ranks = 8});
  EXPECT_EQ(d.by, By::kNone);
  EXPECT_EQ(d.line, 4);
  EXPECT_EQ(d.why, "bcast, from 2 ranks, from 0 B: there is no algorithm 99, the call returns MPI_ERR_ARG");
}

TEST(LookUp, ScansHaveNoFixedDecision) {
  const Call scan{.operation = Operation::kScan, .ranks = 8};
  EXPECT_EQ(look_up_fixed(kOpenMpi41, scan).by, By::kNone);
  const Decision d = decide("1\n14 1\n2 1\n0 0 0 0\n", kOpenMpi41, scan);
  EXPECT_EQ(d.by, By::kFixed);
  EXPECT_EQ(d.name, "linear");
  EXPECT_EQ(look_up_fixed(kOpenMpi41, {.operation = Operation::kBcast, .ranks = 1}).by, By::kNone);
}

TEST(LookUp, JsonTakesTheFirstRangeThatSuits) {
  const std::string text =
      "{\"rule_file_version\": 3, \"module\": \"tuned\", \"collectives\": {\"bcast\": [\n"
      "{\"comm_size_min\": 4, \"comm_size_max\": 8, \"comm_rank_distribution\": \"one-per-node\", \"rules\": [\n"
      "  {\"alg\": 1}]},\n"
      "{\"comm_size_max\": 8, \"rules\": [\n"
      "  {\"msg_size_min\": 8, \"msg_size_max\": 16, \"alg\": \"chain\"},\n"
      "  {\"msg_size_min\": 10, \"alg\": \"nothing\"},\n"
      "  {\"msg_size_min\": 10, \"alg\": \"knomial\"}]}]}}";
  const auto of = [&](int ranks, int nodes, std::int64_t bytes) {
    return decide(text, kOpenMpi60, {.operation = Operation::kBcast, .ranks = ranks, .bytes = bytes, .nodes = nodes});
  };
  EXPECT_EQ(of(8, 8, 10).line, 3);
  EXPECT_EQ(of(8, 7, 10).line, 5);
  EXPECT_EQ(of(8, 7, 16).line, 5);
  EXPECT_EQ(of(8, 7, 17).line, 7);
  EXPECT_EQ(of(8, 7, 17).name, "knomial");
  EXPECT_EQ(of(8, 7, 7).by, By::kFixed);
  EXPECT_EQ(of(9, 9, 10).by, By::kFixed);
  EXPECT_EQ(of(8, 7, 10).why, "bcast, 0 to 8 ranks, 8 to 16 B");
}

TEST(LookUp, HanTakesTheLastRuleThatIsReached) {
  const std::string text =
      "2\nbcast 2\n0 2\n1 1\n0 sm\n8 2\n0 basic\n100 tuned\n2 1\n1 1\n0 han @simple\nbarrier 1\n2 1\n1 1\n0 tuned\n";
  const auto of = [&](Level level, int ranks, std::int64_t bytes) {
    return decide(text, kOpenMpi50, {.operation = Operation::kBcast, .ranks = ranks, .bytes = bytes, .level = level});
  };
  EXPECT_EQ(of(Level::kIntraNode, 7, 100).choice.component, "sm");
  EXPECT_EQ(of(Level::kIntraNode, 8, 99).choice.component, "basic");
  const Decision d = of(Level::kIntraNode, 9, 100);
  EXPECT_EQ(d.choice.component, "tuned");
  EXPECT_EQ(d.line, 8);
  EXPECT_EQ(d.why, "intra_node, bcast, from 8 ranks, from 100 B");
  EXPECT_EQ(of(Level::kGlobal, 8, 0).name, "simple");
  const Decision none = of(Level::kInterNode, 8, 0);
  EXPECT_EQ(none.by, By::kNone);
  EXPECT_EQ(none.why, "no rule for bcast on inter_node: the parameter coll_han_bcast_dynamic_inter_node_module");
}

std::string leaf(const std::string& name) { return "{\"algorithm=MPIR_Bcast_intra_" + name + "\": {}}"; }

TEST(LookUp, MpichGoesDownItsTree) {
  const std::string text = "{\"collective=bcast\": {\"comm_type=intra\": {\n\"comm_size<8\": " + leaf("binomial") +
                           ",\n\"comm_size=pow2\": {\n\"avg_msg_size<=100\": {\n\"comm_size<16\": " + leaf("smp") +
                           ",\n\"comm_size=any\": " + leaf("binomial") +
                           "},\n\"avg_msg_size=any\": " + leaf("scatter_recursive_doubling_allgather") +
                           "},\n\"comm_size=any\": " + leaf("scatter_ring_allgather") + "}}}";
  const auto of = [&](int ranks, std::int64_t bytes) {
    return decide(text, kMpich40, {.operation = Operation::kBcast, .ranks = ranks, .bytes = bytes, .nodes = ranks});
  };
  EXPECT_EQ(of(7, 1000).line, 2);
  EXPECT_EQ(of(9, 1000).name, "MPIR_Bcast_intra_scatter_ring_allgather");
  EXPECT_EQ(of(8, 101).name, "MPIR_Bcast_intra_scatter_recursive_doubling_allgather");
  EXPECT_EQ(of(8, 100).name, "MPIR_Bcast_intra_smp");
  EXPECT_EQ(of(16, 100).name, "MPIR_Bcast_intra_smp");  // below a test of the message, < is <=
  EXPECT_EQ(of(32, 100).name, "MPIR_Bcast_intra_binomial");
  const Decision none = decide(text, kMpich40, {.operation = Operation::kReduce, .ranks = 8});
  EXPECT_EQ(none.by, By::kNone);
  EXPECT_EQ(none.why, "no branch for reduce: MPICH ends the program");
}

TEST(LookUp, MpichTestsTheCommunicatorAndTheOperation) {
  const auto line = [](const std::string& test, const std::string& collective, Call call,
                       const Library& library = kMpich40) {
    call.operation = find_operation(collective).value();
    const std::string name = collective == "bcast" ? "MPIR_Bcast_intra_" : "MPIR_Allreduce_intra_";
    const std::string text = "{\"collective=" + collective + "\": {\n\"" + test + "\": {\"algorithm=" + name +
                             "smp\": {}},\n\"comm_size=any\": {\"algorithm=" + name + "smp\": {}}}}";
    // The leaf is on the line of its test.
    return look_up(read_text(text, library, Reading::kStrict), library, call).line;
  };
  EXPECT_EQ(line("comm_hierarchy=parent", "bcast", {.ranks = 8, .nodes = 2}), 2);
  EXPECT_EQ(line("comm_hierarchy=parent", "bcast", {.ranks = 8, .nodes = 8}), 3);
  EXPECT_EQ(line("comm_hierarchy=flat", "bcast", {.ranks = 8, .nodes = 8}), 2);
  EXPECT_EQ(line("comm_size=node_comm_size", "bcast", {.ranks = 8, .nodes = 1}), 2);
  EXPECT_EQ(line("comm_size=node_comm_size", "bcast", {.ranks = 8, .nodes = 2}), 3);
  EXPECT_EQ(line("comm_avg_ppn<=4", "bcast", {.ranks = 8, .nodes = 2}), 2);
  EXPECT_EQ(line("comm_avg_ppn<=4", "bcast", {.ranks = 9, .nodes = 2}), 3);
  EXPECT_EQ(line("is_node_consecutive=no", "bcast", {.ranks = 8, .are_consecutive = false}), 2);
  EXPECT_EQ(line("total_msg_size<80", "bcast", {.ranks = 8, .bytes = 9}), 2);
  EXPECT_EQ(line("total_msg_size<80", "bcast", {.ranks = 8, .bytes = 10}), 3);
  EXPECT_EQ(line("count<pow2", "allreduce", {.ranks = 9, .bytes = 28, .type_bytes = 4}), 2);
  EXPECT_EQ(line("count<pow2", "allreduce", {.ranks = 9, .bytes = 32, .type_bytes = 4}), 3);
  EXPECT_EQ(line("is_commutative=no", "allreduce", {.is_commutative = false}), 2);
  EXPECT_EQ(line("is_op_built_in=yes", "allreduce", {.is_built_in = false}), 3);
  EXPECT_EQ(line("is_multi_threaded=no", "bcast", {}), 2);
}

}  // namespace
}  // namespace strata::collectives
