// SPDX-License-Identifier: LGPL-2.1-only
// HAN's collectives compute what their operations say, with the algorithms of Open MPI 5.0 for their parts, and Open
// MPI 5.0 uses them where it does.
#include "collectives/schedules/han.h"

#include <gtest/gtest.h>

#include <string>

#include "collectives/chosen/chosen.h"
#include "tests/collectives/schedules/expected_values.h"

namespace strata::collectives {
namespace {

// Nodes of each rank: consecutive, or one after the other.
std::vector<int> nodes_of(int nodes, int on_node, bool consecutive) {
  std::vector<int> result;
  for (int r = 0; r < nodes * on_node; ++r) result.push_back(consecutive ? r / on_node : r % nodes);
  return result;
}

TEST(HanSchedules, ComputeWhatTheirOperationsSay) {
  const Chooser chooser(kOpenMpi50);
  for (const Operation o : {Operation::kBcast, Operation::kGather, Operation::kScatter, Operation::kAllgather}) {
    for (const auto& [nodes, on_node] : {std::pair(2, 2), std::pair(2, 3), std::pair(3, 2), std::pair(4, 3)}) {
      for (const bool consecutive : {true, false}) {
        const int ranks = nodes * on_node;
        for (int root = 0; root < (has_root(o) ? ranks : 1); ++root) {
          for (const std::int64_t count : {1, 5, 300}) {
            for (const bool in_place : {false, true}) {
              if (in_place && !has_in_place(o)) continue;
              SCOPED_TRACE(std::string(name_of(o)) + ", " + std::to_string(nodes) + " nodes of " +
                           std::to_string(on_node) + ", root " + std::to_string(root) + ", count " +
                           std::to_string(count) + (in_place ? ", in place" : "") +
                           (consecutive ? "" : ", one after the other"));
              Collective call = {o, ranks, root, count, 8, true, in_place};
              call.nodes = nodes_of(nodes, on_node, consecutive);
              const Chosen chosen = chooser.choose(call);
              ASSERT_EQ(chosen.decision.name, "han");
              expect_right(call, [&](int rank, Steps& steps) { chooser.append(chosen, call, rank, steps); });
              if (HasFatalFailure()) return;
            }
          }
        }
      }
    }
  }
}

TEST(HanSchedules, AreUsedOnSeveralNodesWithSeveralRanksEach) {
  Collective call = {Operation::kBcast, 6, 0, 100};
  EXPECT_EQ(han_of(call), Han::kNotUsed);
  call.nodes = {0, 0, 0, 0, 0, 0};
  EXPECT_EQ(han_of(call), Han::kNotUsed);
  call.nodes = {0, 1, 2, 3, 4, 5};
  EXPECT_EQ(han_of(call), Han::kNotUsed);
  call.nodes = {0, 0, 0, 0, 1, 1};
  EXPECT_EQ(han_of(call), Han::kNotUsed);
  call.operation = Operation::kBarrier;
  EXPECT_EQ(han_of(call), Han::kUsed);
  call.nodes = {0, 0, 0, 1, 1, 1};
  for (const Operation o : {Operation::kBcast, Operation::kGather, Operation::kScatter, Operation::kAllgather}) {
    call.operation = o;
    EXPECT_EQ(han_of(call), Han::kUsed) << name_of(o);
  }
  call.operation = Operation::kBcast;
  call.count = 65537;
  EXPECT_EQ(han_of(call), Han::kNoSchedule);
  call.operation = Operation::kAllreduce;
  EXPECT_EQ(han_of(call), Han::kNoSchedule);
  call.operation = Operation::kAlltoall;
  EXPECT_EQ(han_of(call), Han::kNotUsed);
  EXPECT_EQ(Chooser(kOpenMpi41).choose({Operation::kBcast, 4, 0, 1, 1, true, false, {}, {0, 0, 1, 1}}).decision.name,
            Chooser(kOpenMpi41).choose({Operation::kBcast, 4, 0, 1}).decision.name);
}

}  // namespace
}  // namespace strata::collectives
