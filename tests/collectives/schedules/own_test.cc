// SPDX-License-Identifier: LGPL-2.1-only
// Strata's own algorithms compute what their operations say: on values, for all small numbers of ranks, roots and
// sizes, and for several hierarchies and distributions over nodes.
#include "collectives/schedules/own.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>
#include <string>

#include "tests/collectives/schedules/expected_values.h"

namespace strata::collectives {
namespace {

using Bridges = std::vector<std::vector<int>>;
using Levels = std::vector<std::vector<int>>;  // the group of each rank, level by level from the outermost

// The bridges of nested groups: the first ranks of the groups of a level; the same in each group; the last groups.
void add_bridges(const std::vector<int>& members, const Levels& levels, std::size_t level, Bridges& bridges) {
  if (level == levels.size()) return bridges.push_back(members);
  std::map<int, std::vector<int>> groups;
  std::vector<int> firsts, order;
  for (const int rank : members) {
    std::vector<int>& group = groups[levels[level][rank]];
    if (group.empty()) {
      firsts.push_back(rank);
      order.push_back(levels[level][rank]);
    }
    group.push_back(rank);
  }
  bridges.push_back(firsts);
  for (const int group : order) add_bridges(groups[group], levels, level + 1, bridges);
}

// One level; nodes of three; nodes alternately; three levels with uneven groups; a rank that is in no group below the
// whole.
std::vector<Bridges> hierarchies(int ranks) {
  std::vector<int> all(ranks);
  std::iota(all.begin(), all.end(), 0);
  Levels threes(1), alternately(1), three_levels(2);
  for (int r = 0; r < ranks; ++r) {
    threes[0].push_back(r / 3);
    alternately[0].push_back(r % 3);
    three_levels[0].push_back(r / 5);
    three_levels[1].push_back(r / 2);
  }
  std::vector<Bridges> result(4);
  add_bridges(all, {}, 0, result[0]);
  add_bridges(all, threes, 0, result[1]);
  add_bridges(all, alternately, 0, result[2]);
  add_bridges(all, three_levels, 0, result[3]);
  if (ranks == 6) result.push_back({{0, 1, 2}, {0, 3}, {1, 4, 5}});
  return result;
}

// Nodes of each rank: none known, two ranks each, three nodes alternately, one rank alone before the others.
std::vector<std::vector<int>> distributions(int ranks) {
  std::vector<std::vector<int>> result(4);
  for (int r = 0; r < ranks; ++r) {
    result[1].push_back(r / 2);
    result[2].push_back(7 - r % 3);
    result[3].push_back(r == 0 ? 5 : (r + 2) / 3);
  }
  return result;
}

std::vector<Collective> shapes(const OwnAlgorithm& a, const Collective& call) {
  std::vector<Collective> result;
  if (a.family == OwnFamily::kHierarchical) {
    for (const Bridges& bridges : hierarchies(call.ranks)) {
      result.push_back(call);
      result.back().bridges = bridges;
    }
    return result;
  }
  for (const auto& nodes : distributions(call.ranks)) {
    if (!nodes.empty() && !a.looks_at_nodes) break;
    result.push_back(call);
    result.back().nodes = nodes;
  }
  return result;
}

void expect_all_right(const OwnAlgorithm& a, Collective call) {
  for (const bool commutative : {true, false}) {
    if (!commutative && !reduces(a.operation)) continue;
    for (const bool in_place : {false, true}) {
      if (in_place && !has_in_place(a.operation)) continue;
      for (const Settings& settings : {Settings{}, Settings{.segment_bytes = 2, .fanout = 3}, Settings{.fanout = 2}}) {
        call.commutative = commutative;
        call.in_place = in_place;
        SCOPED_TRACE(std::string(name_of(a.family)) + " " + a.name + ", ranks " + std::to_string(call.ranks) +
                     ", root " + std::to_string(call.root) + ", count " + std::to_string(call.count) + ", m " +
                     std::to_string(settings.fanout) + (commutative ? "" : ", in order") +
                     (in_place ? ", in place" : "") + ", bridges " + std::to_string(call.bridges.size()) +
                     ", last node " + std::to_string(call.nodes.empty() ? -1 : call.nodes.back()));
        expect_right(call, [&](int rank, Steps& steps) { a.generate(call, settings, rank, steps); });
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

class Own : public testing::TestWithParam<OwnAlgorithm> {};

TEST_P(Own, ComputesWhatItsOperationSays) {
  const OwnAlgorithm& a = GetParam();
  for (int ranks = 2; ranks <= 17; ranks += ranks < 9 ? 1 : 4) {
    for (int root = 0; root<(has_root(a.operation) ? ranks : 1); root += ranks> 9 ? 3 : 1) {
      for (const std::int64_t count : {1, 2, 5}) {
        for (const Collective& call : shapes(a, {a.operation, ranks, root, count})) {
          expect_all_right(a, call);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

std::string name_of_case(const testing::TestParamInfo<OwnAlgorithm>& info) {
  const std::string family = info.param.family == OwnFamily::kHierarchical ? "hierarchical_" : "split_";
  return family + name_of(info.param.operation) + "_" + info.param.name;
}

INSTANTIATE_TEST_SUITE_P(All, Own, testing::ValuesIn(own_algorithms().begin(), own_algorithms().end()), name_of_case);

// A broadcast over the hierarchy to k nodes sends k - 1 messages between them.
TEST(Own, SendsOneMessageToEachNode) {
  Collective call = {.ranks = 12, .count = 10};
  Levels nodes(1);
  for (int r = 0; r < 12; ++r) nodes[0].push_back(r / 4);
  add_bridges({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, nodes, 0, call.bridges);
  for (const OwnAlgorithm& a : own_algorithms()) {
    if (a.operation != Operation::kBcast || a.family != OwnFamily::kHierarchical) continue;
    if (std::string(a.name) == "split_binary") continue;  // each half once
    int crossing = 0;
    for (int rank = 0; rank < 12; ++rank) {
      Steps steps;
      a.generate(call, {}, rank, steps);
      for (const Step& s : steps.list()) {
        if (s.kind == Step::Kind::kSend && s.peer / 4 != rank / 4) ++crossing;
      }
    }
    EXPECT_EQ(crossing, 2) << a.name;
  }
}

}  // namespace
}  // namespace strata::collectives
