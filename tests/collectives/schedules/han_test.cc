// SPDX-License-Identifier: LGPL-2.1-only
// HAN's collectives compute what their operations say, with the algorithms of Open MPI 5.0 for their parts, and Open
// MPI 5.0 uses them where it does. libnbc's, of which they consist, do so too.
#include "collectives/schedules/han.h"

#include <gtest/gtest.h>

#include <string>

#include "collectives/chosen/chosen.h"
#include "collectives/schedules/han_tasks.h"
#include "collectives/schedules/libnbc.h"
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
  for (const Operation o : {Operation::kBcast, Operation::kReduce, Operation::kAllreduce, Operation::kGather,
                            Operation::kScatter, Operation::kAllgather}) {
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

Chooser open_mpi() { return Chooser(kOpenMpi50); }

// In segments of `segment` elements.
void expect_right_in_segments(const Collective& call, std::int64_t segment) {
  const Chooser chooser = open_mpi();
  const Settings settings = {.segment_bytes = segment * call.element_bytes,
                             .part = [&](const Collective& part, int rank, Steps& steps) {
                               chooser.append(chooser.choose(part), part, rank, steps);
                             }};
  ASSERT_TRUE(han_does(call));
  expect_right(call, [&](int rank, Steps& steps) { find_han(call.operation)(call, settings, rank, steps); });
}

// From one segment to six, the last one shorter than the others or not.
TEST(HanSchedules, ComputeInSegments) {
  for (const Operation o : {Operation::kBcast, Operation::kReduce, Operation::kAllreduce}) {
    for (int nodes = 2; nodes <= 9; ++nodes) {
      for (int on_node = 2; on_node <= 4; ++on_node) {
        for (const bool consecutive : {true, false}) {
          if (!consecutive && nodes > 5) continue;
          const int ranks = nodes * on_node;
          for (int root = 0; root < (has_root(o) ? ranks : 1); ++root) {
            for (const auto& [count, segment] : {std::pair(3, 4), std::pair(8, 4), std::pair(11, 4), std::pair(24, 8),
                                                 std::pair(35, 8), std::pair(6, 1), std::pair(9, 2)}) {
              for (const bool in_place : {false, true}) {
                if (in_place && !has_in_place(o)) continue;
                SCOPED_TRACE(std::string(name_of(o)) + ", " + std::to_string(nodes) + " nodes of " +
                             std::to_string(on_node) + ", root " + std::to_string(root) + ", count " +
                             std::to_string(count) + " by " + std::to_string(segment) + (in_place ? ", in place" : "") +
                             (consecutive ? "" : ", one after the other"));
                Collective call = {o, ranks, root, count, 8, true, in_place};
                call.nodes = nodes_of(nodes, on_node, consecutive);
                expect_right_in_segments(call, segment);
                if (HasFatalFailure()) return;
              }
            }
          }
        }
      }
    }
  }
}

// More nodes, where the trees between them are deeper, and numbers around powers of two.
TEST(HanSchedules, ComputeOnManyNodes) {
  for (const Operation o : {Operation::kBcast, Operation::kReduce, Operation::kAllreduce}) {
    for (const int nodes : {15, 16, 17, 24, 31, 33}) {
      for (const int root : {0, 1, 2 * nodes - 1, nodes, nodes + 1}) {
        if (root != 0 && !has_root(o)) continue;
        for (const std::int64_t segment : {3, 40}) {
          SCOPED_TRACE(std::string(name_of(o)) + ", " + std::to_string(nodes) + " nodes, root " + std::to_string(root) +
                       ", segments of " + std::to_string(segment));
          Collective call = {o, 2 * nodes, root, 4 * segment - 1, 8};
          call.nodes = nodes_of(nodes, 2, true);
          expect_right_in_segments(call, segment);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

// Two nodes reduce segments of 64 KiB along a chain, in fragments.
TEST(HanSchedules, ComputeInFragments) {
  for (const Operation o : {Operation::kReduce, Operation::kAllreduce}) {
    for (int root = 0; root < (has_root(o) ? 6 : 1); ++root) {
      for (const bool in_place : {false, true}) {
        SCOPED_TRACE(std::string(name_of(o)) + ", root " + std::to_string(root) + (in_place ? ", in place" : ""));
        Collective call = {o, 6, root, 150, 1024, true, in_place};
        call.nodes = nodes_of(2, 3, true);
        expect_right_in_segments(call, 64);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// Only an allreduce does not look at whether nodes have as many ranks.
TEST(HanSchedules, ComputeOnUnevenNodes) {
  for (const std::vector<int>& nodes :
       {std::vector{0, 0, 1}, {0, 1, 1, 1}, {0, 0, 0, 0, 1, 2, 2}, {2, 0, 1, 1, 0, 1, 1}}) {
    for (const bool in_place : {false, true}) {
      for (const std::int64_t segment : {3, 20}) {
        Collective call = {Operation::kAllreduce, static_cast<int>(nodes.size()), 0, 20, 8, true, in_place};
        call.nodes = nodes;
        expect_right_in_segments(call, segment);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(HanSchedules, SendNothingWithoutElements) {
  for (const Operation o : {Operation::kBcast, Operation::kReduce, Operation::kAllreduce}) {
    Collective call = {o, 6, 0, 0, 8};
    call.nodes = nodes_of(2, 3, true);
    const Chosen chosen = open_mpi().choose(call);
    Steps steps;
    open_mpi().append(chosen, call, 0, steps);
    EXPECT_TRUE(steps.list().empty()) << name_of(o);
  }
}

TEST(HanTasks, AreThoseOfTheTable) {
  Collective call = {Operation::kAllreduce, 4, 0, 24, 8};
  call.nodes = {0, 0, 1, 1};
  const Settings settings = {.segment_bytes = 64, .part = [](const Collective& part, int rank, Steps& steps) {
                               const Chooser chooser = open_mpi();
                               chooser.append(chooser.choose(part), part, rank, steps);
                             }};
  const auto shape = [&](int rank) {
    std::string text;
    for (const HanTask& task : han_tasks(call, settings, rank)) {
      int messages = 0;
      for (const Step& step : task.low.list()) messages += step.kind == Step::Kind::kWait ? 1 : 0;
      text += " " + std::to_string(task.up.size()) + "+" + std::to_string(messages);
    }
    return text;
  };
  EXPECT_EQ(shape(0), " 0+1 1+1 2+1 2+1 1+1 0+1");
  EXPECT_EQ(shape(1), " 0+1 0+1 0+1 0+1 0+1 0+1");
}

// Rounds go on while the rank waits for other messages: the second round is after half of them.
TEST(HanTasks, DistributeRoundsOverWaits) {
  HanTask task;
  Rounds& rounds = task.up.emplace_back();
  rounds.receive(9, {Buffer::kOutput, 0, 1});
  rounds.end_round();
  rounds.send(8, {Buffer::kOutput, 0, 1});
  for (const int from : {1, 2}) task.low.receive(from, {Buffer::kFirst, 0, 1});
  Steps steps;
  append_tasks({task}, steps);
  std::string text;
  for (const Step& step : steps.list()) {
    if (step.kind == Step::Kind::kSend) text += " >";
    if (step.kind == Step::Kind::kReceive) text += " <";
    text += step.kind == Step::Kind::kWait ? " wait " + std::to_string(step.request) : std::to_string(step.peer);
  }
  EXPECT_EQ(text, " <9 <1 wait 1 <2 wait 0 >8 wait 2 wait 3");
}

using Nonblocking = Rounds (*)(const Collective&, int);

void expect_right_alone(const Collective& call, Nonblocking algorithm) {
  expect_right(call, [&](int rank, Steps& steps) { append_tasks({{{algorithm(call, rank)}, {}}}, steps); });
}

TEST(Libnbc, ComputesWhatItsOperationsSay) {
  for (int ranks = 2; ranks <= 17; ++ranks) {
    for (int root = 0; root < ranks; ++root) {
      for (const std::int64_t count : {1, 5, 37}) {
        SCOPED_TRACE(std::to_string(ranks) + " ranks, root " + std::to_string(root) + ", count " +
                     std::to_string(count));
        const Collective broadcast = {Operation::kBcast, ranks, root, count, 2048};
        for (const Nonblocking algorithm : {libnbc_broadcast, libnbc_linear_broadcast, libnbc_binomial_broadcast}) {
          expect_right_alone(broadcast, algorithm);
          if (HasFatalFailure()) return;
        }
        for (const bool in_place : {false, true}) {
          const Collective reduction = {Operation::kReduce, ranks, root, count, 2048, true, in_place};
          for (const Nonblocking algorithm : {libnbc_reduce, libnbc_binomial_reduce, libnbc_chain_reduce}) {
            expect_right_alone(reduction, algorithm);
            if (HasFatalFailure()) return;
          }
          if (count >= 16) expect_right_alone(reduction, libnbc_halving_reduce);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST(HanSchedules, AreUsedOnSeveralNodesWithSeveralRanksEach) {
  Collective call = {Operation::kBcast, 6, 0, 100};
  EXPECT_FALSE(han_does(call));
  call.nodes = {0, 0, 0, 0, 0, 0};
  EXPECT_FALSE(han_does(call));
  call.nodes = {0, 1, 2, 3, 4, 5};
  EXPECT_FALSE(han_does(call));
  call.nodes = {0, 0, 0, 0, 1, 1};
  for (const Operation o : {Operation::kBcast, Operation::kReduce, Operation::kGather, Operation::kScatter,
                            Operation::kAllgather, Operation::kAlltoall}) {
    call.operation = o;
    EXPECT_FALSE(han_does(call)) << name_of(o);
  }
  for (const Operation o : {Operation::kBarrier, Operation::kAllreduce}) {
    call.operation = o;
    EXPECT_TRUE(han_does(call)) << name_of(o);
  }
  call.nodes = {0, 0, 0, 1, 1, 1};
  for (const Operation o : {Operation::kBcast, Operation::kReduce, Operation::kAllreduce, Operation::kGather,
                            Operation::kScatter, Operation::kAllgather}) {
    call.operation = o;
    EXPECT_TRUE(han_does(call)) << name_of(o);
  }
  call.operation = Operation::kAlltoall;
  EXPECT_FALSE(han_does(call));
  call.commutative = false;
  for (const Operation o : {Operation::kReduce, Operation::kAllreduce}) {
    call.operation = o;
    EXPECT_FALSE(han_does(call)) << name_of(o);
  }
  EXPECT_EQ(Chooser(kOpenMpi41).choose({Operation::kBcast, 4, 0, 1, 1, true, false, {}, {0, 0, 1, 1}}).decision.name,
            Chooser(kOpenMpi41).choose({Operation::kBcast, 4, 0, 1}).decision.name);
}

}  // namespace
}  // namespace strata::collectives
