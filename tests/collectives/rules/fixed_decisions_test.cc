// SPDX-License-Identifier: LGPL-2.1-only
// Open MPI's fixed decisions, at thresholds read by hand in coll_tuned_decision_fixed.c of Open MPI 4.1.4.
// openmpi_test.cc compares all of them with the library.
#include "collectives/rules/fixed_decisions.h"

#include <gtest/gtest.h>

#include <climits>

#include "collectives/rules/openmpi_algorithms.h"

namespace strata::collectives {
namespace {

// -1: no decision.
int algorithm(Operation operation, int ranks, std::int64_t bytes, bool is_commutative = true) {
  const auto choice =
      fixed_decision({.operation = operation, .ranks = ranks, .bytes = bytes, .is_commutative = is_commutative});
  return choice ? choice->algorithm : -1;
}

TEST(FixedDecisions, Bcast) {
  const Operation o = Operation::kBcast;
  EXPECT_EQ(algorithm(o, 2, 31), 3);
  EXPECT_EQ(algorithm(o, 2, 32), 5);
  EXPECT_EQ(algorithm(o, 3, 1023), 7);
  EXPECT_EQ(algorithm(o, 3, 1024), 1);
  EXPECT_EQ(algorithm(o, 3, 1048576), 5);
  EXPECT_EQ(algorithm(o, 4, 63), 5);
  EXPECT_EQ(algorithm(o, 4, 64), 6);
  EXPECT_EQ(algorithm(o, 31, 1048575), 6);
  EXPECT_EQ(algorithm(o, 31, 1048576), 8);
  EXPECT_EQ(algorithm(o, 32, 2047), 6);
  EXPECT_EQ(algorithm(o, 64, 0), 7);
  EXPECT_EQ(algorithm(o, 255, 65536), 7);
  EXPECT_EQ(algorithm(o, 256, 16384), 4);
  EXPECT_EQ(algorithm(o, 4096, 8192), 5);
  EXPECT_EQ(algorithm(o, INT_MAX, INT64_MAX), 8);
}

TEST(FixedDecisions, Reductions) {
  EXPECT_EQ(algorithm(Operation::kAllreduce, 2, 7), 4);
  EXPECT_EQ(algorithm(Operation::kAllreduce, 2, 8), 3);
  EXPECT_EQ(algorithm(Operation::kAllreduce, 4, 8192), 6);
  EXPECT_EQ(algorithm(Operation::kAllreduce, 4095, 2048), 5);
  EXPECT_EQ(algorithm(Operation::kAllreduce, 4096, 16384), 3);
  EXPECT_EQ(algorithm(Operation::kAllreduce, 2, 131072, false), 1);
  EXPECT_EQ(algorithm(Operation::kAllreduce, 255, 524288, false), 2);
  EXPECT_EQ(algorithm(Operation::kAllreduce, 512, 2048, false), 3);
  EXPECT_EQ(algorithm(Operation::kReduce, 2, 7), 7);
  EXPECT_EQ(algorithm(Operation::kReduce, 8, 8192), 5);
  EXPECT_EQ(algorithm(Operation::kReduce, 4096, 16), 6);
  EXPECT_EQ(algorithm(Operation::kReduce, 3, 8, false), 1);
  EXPECT_EQ(algorithm(Operation::kReduce, 255, 512, false), 1);
  EXPECT_EQ(algorithm(Operation::kReduce, 256, 512, false), 6);
}

// The block of a reduce_scatter counts once for each rank, that of a reduce_scatter_block once.
TEST(FixedDecisions, ReduceScatter) {
  EXPECT_EQ(algorithm(Operation::kReduceScatter, 2, 32767), 3);
  EXPECT_EQ(algorithm(Operation::kReduceScatter, 2, 32768), 4);
  EXPECT_EQ(algorithm(Operation::kReduceScatter, 7, 1), 1);
  EXPECT_EQ(algorithm(Operation::kReduceScatter, 100, 1 << 20, false), 1);
  EXPECT_EQ(algorithm(Operation::kReduceScatterBlock, 2, 3), 2);
  EXPECT_EQ(algorithm(Operation::kReduceScatterBlock, 2, 131072), 1);
  EXPECT_EQ(algorithm(Operation::kReduceScatterBlock, 32, 16), 4);
  EXPECT_EQ(algorithm(Operation::kReduceScatterBlock, 32, 16, false), 1);
}

// Two ranks are a case of their own; three are as four to seven.
TEST(FixedDecisions, OfTwoRanks) {
  EXPECT_EQ(algorithm(Operation::kAllgather, 2, 1 << 20), 6);
  EXPECT_EQ(algorithm(Operation::kAllgather, 3, 1 << 20), 3);
  EXPECT_EQ(algorithm(Operation::kAllgatherv, 2, 2048), 5);
  EXPECT_EQ(algorithm(Operation::kAllgatherv, 3, 2048), 4);
  EXPECT_EQ(algorithm(Operation::kAlltoall, 2, 1), 2);
  EXPECT_EQ(algorithm(Operation::kAlltoall, 2, 2), 5);
  EXPECT_EQ(algorithm(Operation::kAlltoall, 3, 2), 4);
}

TEST(FixedDecisions, Others) {
  EXPECT_EQ(algorithm(Operation::kAllgather, 63, 65536), 4);
  EXPECT_EQ(algorithm(Operation::kAllgather, 4096, 16), 2);
  EXPECT_EQ(algorithm(Operation::kAlltoall, 64, 262144), 2);
  EXPECT_EQ(algorithm(Operation::kAlltoallv, 63, 1), 1);
  EXPECT_EQ(algorithm(Operation::kAlltoallv, 64, 1), 2);
  EXPECT_EQ(algorithm(Operation::kBarrier, 7, 0), 1);
  EXPECT_EQ(algorithm(Operation::kBarrier, 8, 0), 3);
  EXPECT_EQ(algorithm(Operation::kBarrier, 4096, 0), 4);
  EXPECT_EQ(algorithm(Operation::kGather, 3, 131072), 3);
  EXPECT_EQ(algorithm(Operation::kGather, 511, 2048), 1);
  EXPECT_EQ(algorithm(Operation::kScatter, 63, 8192), 2);
  EXPECT_EQ(algorithm(Operation::kScatter, 64, 512), 3);
  EXPECT_EQ(algorithm(Operation::kScan, 64, 8), -1);
  EXPECT_EQ(algorithm(Operation::kBcast, 1, 8), -1);
}

TEST(FixedDecisions, AreSortedAndNameAlgorithmsThatExist) {
  for (const bool is_commutative : {false, true}) {
    const std::vector<CollectiveRules> all = fixed_decisions(is_commutative);
    EXPECT_EQ(all.size(), 12U);  // all operations but scans
    for (const CollectiveRules& c : all) {
      const Operation operation = find_operation(openmpi_collective_name(c.id)).value();
      const auto most = static_cast<int>(tuned_algorithms(operation, kOpenMpi41).size()) - 1;
      int ranks = 0;
      for (const CommunicatorRule& row : c.levels.at(0).communicators) {
        EXPECT_GT(row.from_ranks, ranks) << name_of(operation);
        ranks = row.from_ranks;
        std::int64_t bytes = -1;
        for (const MessageRule& r : row.rules) {
          EXPECT_GT(r.from_bytes, bytes) << name_of(operation);
          bytes = r.from_bytes;
          EXPECT_GE(r.choice.algorithm, 1);
          EXPECT_LE(r.choice.algorithm, most) << name_of(operation);
        }
        EXPECT_EQ(row.rules.at(0).from_bytes, 0);
      }
      EXPECT_EQ(c.levels[0].communicators.at(0).from_ranks, 2);
    }
  }
}

}  // namespace
}  // namespace strata::collectives
