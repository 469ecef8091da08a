// SPDX-License-Identifier: LGPL-2.1-only
// What MPICH chooses without a file of rules.
#include "collectives/rules/mpich_decisions.h"

#include <gtest/gtest.h>

namespace strata::collectives {
namespace {

constexpr Library kMpich42{Library::Family::kMpich, 4, 2, 2};

std::string chosen(const Call& call, const Library& library = kMpich40) {
  return look_up_mpich(library, call, nullptr).name;
}

// Each rank on a node of its own: no composition.
TEST(MpichDecisions, ThresholdsOfABroadcast) {
  const auto of = [](int ranks, std::int64_t bytes) {
    return chosen({.operation = Operation::kBcast, .ranks = ranks, .bytes = bytes, .nodes = ranks});
  };
  EXPECT_EQ(of(7, 1 << 20), "MPIR_Bcast_intra_binomial");
  EXPECT_EQ(of(8, 12288), "MPIR_Bcast_intra_binomial");
  EXPECT_EQ(of(8, 12289), "MPIR_Bcast_intra_scatter_recursive_doubling_allgather");
  EXPECT_EQ(of(8, 524289), "MPIR_Bcast_intra_scatter_ring_allgather");
  EXPECT_EQ(of(9, 12289), "MPIR_Bcast_intra_scatter_ring_allgather");
}

TEST(MpichDecisions, CompositionsOfNodes) {
  Call call = {.operation = Operation::kBcast, .ranks = 64, .bytes = 12287, .nodes = 4};
  EXPECT_EQ(chosen(call), "MPIDI_Bcast_intra_composition_alpha");
  call.bytes = 12288;
  EXPECT_EQ(chosen(call), "MPIDI_Bcast_intra_composition_beta");
  EXPECT_EQ(look_up_mpich(kMpich40, call, nullptr).why, "comm_hierarchy=parent, comm_size=pow2, avg_msg_size<524288");
  call.bytes = 524288;  // passes through, and the second tree includes this size
  EXPECT_EQ(chosen(call), "MPIR_Bcast_intra_scatter_recursive_doubling_allgather");
  call.operation = Operation::kAllreduce;
  EXPECT_EQ(chosen(call), "MPIDI_Allreduce_intra_composition_alpha");
  call.nodes = 1;
  EXPECT_EQ(chosen(call), "MPIR_Allreduce_intra_reduce_scatter_allgather");
}

// Below a test of the message, `comm_size<8` means at most 8 (csel_look_up.h).
TEST(MpichDecisions, EightRanksOfAnAlltoallAreFew) {
  EXPECT_EQ(chosen({.operation = Operation::kAlltoall, .ranks = 8, .bytes = 8, .nodes = 8}),
            "MPIR_Alltoall_intra_scattered");
  EXPECT_EQ(chosen({.operation = Operation::kAlltoall, .ranks = 9, .bytes = 8, .nodes = 9}),
            "MPIR_Alltoall_intra_brucks");
}

TEST(MpichDecisions, TheBarrierDependsOnTheVersion) {
  const Call call = {.operation = Operation::kBarrier, .ranks = 4, .nodes = 4};
  EXPECT_EQ(chosen(call), "MPIR_Barrier_intra_dissemination");
  EXPECT_EQ(chosen(call, kMpich42), "MPIR_Barrier_intra_k_dissemination");
}

TEST(MpichDecisions, EveryCallHasOne) {
  for (const auto& word : kOperations) {
    for (const int ranks : {2, 7, 8, 100}) {
      for (const int nodes : {1, 2, ranks}) {
        for (const bool yes : {false, true}) {
          const Call call = {.operation = word.value,
                             .ranks = ranks,
                             .bytes = 100000,
                             .nodes = nodes,
                             .are_consecutive = yes && nodes < ranks,
                             .is_commutative = yes,
                             .is_built_in = yes,
                             .is_in_place = yes,
                             .are_blocks_equal = yes};
          EXPECT_FALSE(chosen(call).empty()) << name_of(word.value) << ", " << ranks;
        }
      }
    }
  }
}

}  // namespace
}  // namespace strata::collectives
