// SPDX-License-Identifier: LGPL-2.1-only
// Each algorithm of MPICH computes what its operation says: on values, for all small numbers of ranks, roots and sizes,
// and for algorithms that look at nodes, also for several distributions of ranks over nodes.
#include "collectives/schedules/mpich.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/collectives/schedules/expected_values.h"
#include "tests/collectives/uneven_blocks.h"

namespace strata::collectives {
namespace {

// An algorithm for a collective of which another one consists: the first one that suits, as for a communicator without
// nodes.
void part(const Collective& call, int rank, Steps& steps) {
  Settings settings;
  settings.part = part;
  for (const MpichAlgorithm& a : mpich_algorithms()) {
    if (a.operation != call.operation || !a.suits(call)) continue;
    return a.generate(call, settings, rank, steps);
  }
}

// Nodes of each rank: its own, two ranks each, three nodes alternately, one for all, one rank alone before the others.
std::vector<std::vector<int>> distributions(int ranks) {
  std::vector<std::vector<int>> result(5);
  for (int r = 0; r < ranks; ++r) {
    result[1].push_back(r / 2);
    result[2].push_back(7 - r % 3);
    result[3].push_back(0);
    result[4].push_back(r == 0 ? 5 : (r + 2) / 3);
  }
  return result;
}

Collective flat_of(Collective call) {
  call.nodes.clear();
  return call;
}

void expect_all_right(const MpichAlgorithm& a, Collective call) {
  for (const bool commutative : {true, false}) {
    if (!commutative && !(reduces(a.operation) && a.keeps_order)) continue;
    for (const bool in_place : {false, true}) {
      if (in_place && !has_in_place(a.operation)) continue;
      for (const bool equal : {false, true}) {
        call.commutative = commutative;
        call.in_place = in_place;
        call.counts = uneven_blocks(a.operation, call.ranks, call.count);
        if (in_place) make_symmetric(call);
        if (equal) call.counts.assign(call.counts.size(), call.count);
        if (!a.suits(call) || (equal && call.counts.empty())) continue;
        for (const int requests : {0, 3}) {
          if (requests != 0 && a.operation != Operation::kAlltoall && a.operation != Operation::kAlltoallv) continue;
          SCOPED_TRACE(std::string(a.name) + ", ranks " + std::to_string(call.ranks) + ", root " +
                       std::to_string(call.root) + ", count " + std::to_string(call.count) +
                       (commutative ? "" : ", in order") + (in_place ? ", in place" : "") + ", last node " +
                       std::to_string(call.nodes.empty() ? -1 : call.nodes.back()));
          const Settings settings = {.requests = requests, .part = part};
          expect_right(call, [&](int rank, Steps& steps) { a.generate(call, settings, rank, steps); });
          if (testing::Test::HasFatalFailure()) return;
        }
      }
    }
  }
}

class Mpich : public testing::TestWithParam<MpichAlgorithm> {};

TEST_P(Mpich, ComputesWhatItsOperationSays) {
  const MpichAlgorithm& a = GetParam();
  int checked = 0;
  for (int ranks = 2; ranks <= 17; ranks += ranks < 9 ? 1 : 4) {
    for (int root = 0; root<(has_root(a.operation) ? ranks : 1); root += ranks> 9 ? 3 : 1) {
      std::set<std::int64_t> counts = {1, 2, 3, ranks - 1, ranks, ranks + 1, 2L * ranks + 3};
      if (a.operation == Operation::kGather) counts.insert(1024);  // from this size on it does something else
      for (const std::int64_t count : counts) {
        for (const auto& nodes : distributions(ranks)) {
          Collective call = {a.operation, ranks, root, count};
          call.nodes = nodes;
          if (!nodes.empty() && a.suits(flat_of(call))) break;  // it does not look at nodes
          expect_all_right(a, call);
          ++checked;
          if (HasFatalFailure()) return;
        }
      }
    }
  }
  EXPECT_GT(checked, 0);
}

std::string name_of_case(const testing::TestParamInfo<MpichAlgorithm>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(All, Mpich, testing::ValuesIn(mpich_algorithms().begin(), mpich_algorithms().end()),
                         name_of_case);

// A broadcast divides bytes: of 5 elements of 8 B and 3 ranks, each gets 14, 14 and 12 B.
TEST(MpichSchedules, DivideBroadcastsByBytes) {
  const Collective call = {.ranks = 3, .count = 5, .element_bytes = 8};
  Steps steps;
  find_mpich(Operation::kBcast, "MPIR_Bcast_intra_scatter_ring_allgather")->generate(call, {}, 0, steps);
  std::vector<std::int64_t> sent;
  for (const Step& s : steps.list()) {
    if (s.kind == Step::Kind::kSend) sent.push_back(s.from.bytes(call.element_bytes));
  }
  EXPECT_EQ(sent, (std::vector<std::int64_t>{12, 14, 14, 12}));
}

TEST(MpichSchedules, NamesAreThoseOfItsVariables) {
  EXPECT_EQ(mpich_value("MPIR_Bcast_intra_scatter_ring_allgather"), "scatter_ring_allgather");
  EXPECT_EQ(mpich_value("MPIDI_Bcast_intra_composition_alpha"), "");
  EXPECT_EQ(find_mpich(Operation::kReduce, "MPIR_Bcast_intra_binomial"), nullptr);
}

TEST(MpichSchedules, KnowWhetherNodesAreConsecutive) {
  const auto of = [](std::vector<int> nodes) {
    Collective call = {.ranks = 4};
    call.nodes = std::move(nodes);
    return has_consecutive_nodes(call);
  };
  EXPECT_TRUE(of({0, 0, 1, 1}));
  EXPECT_TRUE(of({4, 2, 2, 3}));
  EXPECT_FALSE(of({0, 1, 0, 1}));
  EXPECT_FALSE(of({}));
  EXPECT_FALSE(of({0, 1, 2, 3}));
}

}  // namespace
}  // namespace strata::collectives
