// SPDX-License-Identifier: LGPL-2.1-only
// The schedules of Strata's own collectives, message by message, against the MPI code under SMPI: each rank sends the
// same number of bytes to the same ranks in the same order, and posts its receives in the same order between them.
//
// Messages are shorter than the eager limit: for longer ones within a node, the nonblocking collectives send messages
// of their own that model the library's protocol (mpi_ext/adapter/transport.h), as the replay does itself.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "collectives/schedules/own.h"
#include "models/hierarchy.h"
#include "platforms/machine.h"
#include "platforms/placement.h"
#include "tests/collectives/proof/compared_calls.h"
#include "tests/command/strata_process.h"

namespace strata::collectives {
namespace {

struct Shape {
  std::string machine;
  int ranks;
  std::string map_by;
};

// Two nodes with uneven numbers of ranks; ranks on nodes alternately; three levels within a node; fewer ranks than
// levels.
const Shape kShapes[] = {
    {"ntw10e5", 30, "core"}, {"ntw10e5", 13, "node"}, {"smp20e7", 21, "core"}, {"ntw10e5", 2, "core"}};

// The messages of a rank between those to itself, which come in pairs.
std::vector<Transfer> of_calls(const Trace& trace, int rank) {
  std::vector<Transfer> result;
  int marks = 0;
  for (const Transfer& t : transfers(trace, rank, "")) {
    if (t.peer == rank) {
      marks += t.is_send ? 1 : 0;
    } else if (marks % 2 == 1) {
      result.push_back(t);
    }
  }
  EXPECT_GE(marks, 2) << "rank " << rank;
  EXPECT_EQ(marks % 2, 0) << "rank " << rank;
  return result;
}

struct Variant {
  OwnAlgorithm algorithm;
  std::string word;  // algorithm and segment, or tree and m
  Settings settings;
  bool over_nodes = false;
};

std::vector<Variant> variants(Operation operation, OwnFamily family) {
  std::vector<Variant> all;
  for (const OwnAlgorithm& a : own_algorithms()) {
    if (a.operation != operation || a.family != family) continue;
    if (family == OwnFamily::kSplitTree) {
      all.push_back({a, "flat:2", {.fanout = 2}});
      all.push_back({a, "flat:3", {.fanout = 3}});
      if (a.looks_at_nodes) all.push_back({a, "nodes:2", {.fanout = 2}, true});
      continue;
    }
    all.push_back({a, a.name + std::string(":0"), {}});
    if (a.has_segments) all.push_back({a, a.name + std::string(":100"), {.segment_bytes = 100}});
  }
  return all;
}

void expect_same(Operation operation, OwnFamily family, const Shape& shape) {
  SCOPED_TRACE(shape.machine + " by " + shape.map_by + ", " + std::to_string(shape.ranks) + " ranks");
  const std::vector<std::int64_t> counts = {1, 5, 33};
  std::vector<int> roots = {0};
  if (has_root(operation)) roots = {0, shape.ranks - 1};
  if (has_root(operation) && shape.ranks > 2) roots.push_back(shape.ranks / 2);
  const std::vector<Variant> all = variants(operation, family);
  std::string words;
  for (const Variant& v : all) words += (words.empty() ? "" : ",") + v.word;
  const TemporaryFolder folder;
  const std::string file = folder.path() / "calls.mpitrace";
  const Ran ran =
      run_strata({"exec", "--machine", shape.machine, "-n", std::to_string(shape.ranks), "--map-by", shape.map_by,
                  "--no-summary", "--record", file, "--", built("tests/collectives/proof/own_mpi_program.so"),
                  family == OwnFamily::kHierarchical ? "hierarchical" : "split", name_of(operation), words,
                  joined(counts), joined(roots)});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Machine machine = load_machine(built("platforms/data/" + shape.machine + "/machine.yaml"));
  PlacementOptions placement;
  read_map_by(shape.map_by, placement);
  const std::vector<Binding> bindings = place(*machine.topology, shape.ranks, placement);
  const auto bridges = models::topological_hierarchy(*machine.topology, bindings).bridges;
  const Trace trace = read_trace(file);
  for (int rank = 0; rank < shape.ranks; ++rank) {
    std::vector<Transfer> expected;
    for (const Variant& v : all) {
      for (const auto count : counts) {
        for (const int root : roots) {
          for (const bool in_place : {false, true}) {
            if (in_place && !may_be_in_place(operation)) continue;
            Collective call = {operation, shape.ranks, root, count, kDouble, true, in_place};
            call.bridges = bridges;
            for (const Binding& b : bindings) {
              if (v.over_nodes) call.nodes.push_back(b.node);
            }
            Steps steps;
            v.algorithm.generate(call, v.settings, rank, steps);
            append_transfers(steps, kDouble, expected);
          }
        }
      }
    }
    ASSERT_EQ(text(of_calls(trace, rank)), text(expected)) << "rank " << rank;
  }
}

using Case = std::pair<Operation, OwnFamily>;

class OwnProof : public testing::TestWithParam<Case> {};

TEST_P(OwnProof, SendsWhatTheMpiCodeSends) {
  for (const Shape& shape : kShapes) {
    expect_same(GetParam().first, GetParam().second, shape);
    if (HasFatalFailure()) return;
  }
}

std::vector<Case> cases() {
  std::set<Case> all;
  for (const OwnAlgorithm& a : own_algorithms()) all.insert({a.operation, a.family});
  return {all.begin(), all.end()};
}

std::string name_of_case(const testing::TestParamInfo<Case>& info) {
  return (info.param.second == OwnFamily::kHierarchical ? "hierarchical_" : "split_") +
         std::string(name_of(info.param.first));
}

INSTANTIATE_TEST_SUITE_P(Own, OwnProof, testing::ValuesIn(cases()), name_of_case);

}  // namespace
}  // namespace strata::collectives
