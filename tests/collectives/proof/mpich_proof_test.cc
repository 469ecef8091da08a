// SPDX-License-Identifier: LGPL-2.1-only
// The schedules of MPICH's algorithms, message by message, against the real library in virtual time, as proof_test.cc
// does for Open MPI: each algorithm forced by its variable, and the library's own choices on several distributions of
// ranks over nodes.
//
// STRATA_PROOF_RANKS="2,3,4,16,33,64" compares with these numbers of ranks instead.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "collectives/chosen/chosen.h"
#include "collectives/schedules/collective_trace.h"
#include "collectives/schedules/mpich.h"
#include "platforms/machine.h"
#include "platforms/placement.h"
#include "replay/engine.h"
#include "tests/collectives/proof/compared_calls.h"
#include "tests/collectives/proof/recorded_calls.h"
#include "tests/collectives/uneven_blocks.h"
#include "tests/command/strata_process.h"

namespace strata::collectives {
namespace {

constexpr const char* kMachine = "ntw10e5";  // 10 nodes of 24 cores
constexpr int kNodes = 10;

// Where ranks are: options of strata exec, and the node of each rank.
struct Distribution {
  const char* name;
  std::vector<std::string> options;
  int (*node)(int rank);
};

const std::vector<Distribution>& distributions() {
  static const std::vector<Distribution> all = {
      {"one after the other", {"--map-by", "node"}, [](int rank) { return rank % kNodes; }},
      {"3 on a node", {"--map-by", "core:PE=8"}, [](int rank) { return rank / 3; }},
      {"full nodes", {"--map-by", "core"}, [](int rank) { return rank / 24; }},
  };
  return all;
}

std::vector<int> nodes_of(const Distribution& d, int ranks) {
  std::vector<int> nodes;
  for (int r = 0; r < ranks; ++r) nodes.push_back(d.node(r));
  return nodes;
}

struct Case {
  Operation operation;
  const MpichAlgorithm* algorithm;  // null: the library's choice
  const Distribution& distribution;
  int ranks;
  std::vector<std::int64_t> counts;
  std::vector<int> roots;
};

// MPICH 4.0.2 ends in an assertion if it moves the result of a reduce-scatter in place to where it overlaps its block.
// Its composition of reductions ends in a segmentation fault if the root is in place and not the first rank of its
// node.
bool may_be_in_place(const Case& c) {
  if (c.operation == Operation::kReduce && c.algorithm == nullptr) return false;
  const std::string pairwise = "MPIR_Reduce_scatter_intra_pairwise";
  if (c.operation == Operation::kReduceScatter && (c.algorithm == nullptr || c.algorithm->name == pairwise))
    return false;
  return may_be_in_place(c.operation);
}

std::vector<std::string> command_of(const Case& c, const std::string& trace) {
  std::vector<std::string> words = {"exec", "--machine", kMachine, "-n", std::to_string(c.ranks)};
  words.insert(words.end(), c.distribution.options.begin(), c.distribution.options.end());
  words.insert(words.end(), {"--no-summary", "--record", trace});
  if (c.algorithm != nullptr) {
    Decision d;
    d.name = c.algorithm->name;
    std::istringstream variables(Chooser(kMpich40).variables(c.operation, d));
    for (std::string word; variables >> word;) words.insert(words.end(), {"-x", word});
  }
  words.insert(words.end(), {"--", built("tests/collectives/proof/collectives_mpi_program_mpich"), name_of(c.operation),
                             joined(c.counts), joined(c.roots)});
  if (!may_be_in_place(c)) words.push_back("once");
  return words;
}

// If the forced algorithm does not suit the call, the library chooses, without the device.
void append(const Case& c, Collective call, int rank, Steps& steps) {
  const Chooser chooser(kMpich40);
  if (c.algorithm == nullptr) return chooser.append(chooser.choose(call), call, rank, steps);
  for (const Chosen& chosen : chooser.alternatives(call)) {
    if (chosen.decision.name == c.algorithm->name) return chooser.append(chosen, call, rank, steps);
  }
  call.nodes.clear();
  chooser.append(chooser.choose(call), call, rank, steps);
}

void expect_same(const Case& c) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "calls.mpitrace";
  const Ran ran = run_strata(command_of(c, file));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Trace trace = read_trace(file);
  for (int rank = 0; rank < c.ranks; ++rank) {
    std::vector<Transfer> expected;
    for (const auto count : c.counts) {
      for (const int root : c.roots) {
        for (const bool in_place : {false, true}) {
          if (in_place && !may_be_in_place(c)) continue;
          Collective call = {c.operation, c.ranks, root, count, kDouble, true, in_place};
          call.counts = uneven_blocks(c.operation, c.ranks, count);
          call.nodes = nodes_of(c.distribution, c.ranks);
          Steps steps;
          append(c, call, rank, steps);
          append_transfers(steps, kDouble, expected);
        }
      }
    }
    ASSERT_EQ(text(transfers(trace, rank, function_of(c.operation))), text(expected)) << "rank " << rank;
  }
}

class MpichAlgorithms : public testing::TestWithParam<MpichAlgorithm> {};

TEST_P(MpichAlgorithms, SendsWhatTheLibrarySends) {
  const MpichAlgorithm& a = GetParam();
  for (const int ranks : numbers_of_ranks("2,3,8,13")) {
    std::vector<int> roots = {0};
    if (has_root(a.operation)) roots = ranks == 2 ? std::vector<int>{0, 1} : std::vector<int>{0, ranks - 1, ranks / 2};
    for (const Distribution& d : distributions()) {
      SCOPED_TRACE(std::string(a.name) + ", ranks " + std::to_string(ranks) + ", " + d.name);
      expect_same({a.operation, &a, d, ranks, {1, 5, 33, 100, 3000}, roots});
      if (HasFatalFailure()) return;
      Collective call = {a.operation, ranks, 0, ranks, 1};
      if (a.suits(call)) break;  // it does not look at nodes
    }
  }
}

// On both sides of the thresholds for these numbers of ranks.
std::vector<std::int64_t> sizes_of(Operation o) {
  std::vector<std::int64_t> sizes = {1, 2, 32, 33, 256, 257, 1535, 1536, 4096, 4097, 8193};
  if (o == Operation::kBcast) sizes.insert(sizes.end(), {65535, 65536, 65537});
  return sizes;
}

class MpichChoices : public testing::TestWithParam<Operation> {};

TEST_P(MpichChoices, AreThoseOfTheLibrary) {
  const Operation o = GetParam();
  for (const int ranks : {3, 7, 8, 16, 33}) {
    for (const Distribution& d : distributions()) {
      if (d.node(ranks - 1) >= kNodes) continue;
      SCOPED_TRACE(std::string(name_of(o)) + ", ranks " + std::to_string(ranks) + ", " + d.name);
      const std::vector<int> roots = has_root(o) ? std::vector<int>{0, ranks - 2} : std::vector<int>{0};
      expect_same({o, nullptr, d, ranks, sizes_of(o), roots});
      if (HasFatalFailure()) return;
    }
  }
}

std::vector<Operation> operations() {
  std::vector<Operation> all;
  for (const auto& word : kOperations) all.push_back(word.value);
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, MpichChoices, testing::ValuesIn(operations()),
                         [](const testing::TestParamInfo<Operation>& info) {
                           return std::string(name_of(info.param));
                         });

// As proof_test.cc says. MPICH packs the blocks of Bruck's all-to-all without memcpy, so its run does not charge that.
// A gather of blocks from 1 KiB on sends two buffers as one message, which the schedule copies together.
TEST(MpichProof, TakesTheTimeOfTheLibrary) {
  const Machine machine = load_machine(built("platforms/data/ntw10e5/machine.yaml"));
  const int ranks = 32;
  const std::vector<Binding> places = place(*machine.topology, ranks);
  for (const Operation o : {Operation::kBcast, Operation::kReduce, Operation::kAllreduce, Operation::kGather,
                            Operation::kScatter, Operation::kAllgather, Operation::kAlltoall, Operation::kScan}) {
    for (const std::int64_t count : {1, 128, 16384}) {
      SCOPED_TRACE(std::string(name_of(o)) + " of " + std::to_string(count));
      const TemporaryFolder folder;
      const std::string json = folder.path() / "run.json";
      const Ran ran = run_strata({"exec", "--machine", kMachine, "-n", std::to_string(ranks), "--no-summary", "--json",
                                  json, "--", built("tests/collectives/proof/collectives_mpi_program_mpich"),
                                  name_of(o), std::to_string(count), "0", "once"});
      ASSERT_EQ(ran.code, 0) << ran.err;
      const double measured = nlohmann::json::parse(read_text(json))["simulated_time"]["value"];
      Collective call = {o, ranks, 0, count, kDouble};
      for (const Binding& b : places) call.nodes.push_back(b.node);
      const Chooser chooser(kMpich40);
      const Chosen chosen = chooser.choose(call);
      const Trace trace =
          collective_trace(call, [&](int rank, Steps& steps) { chooser.append(chosen, call, rank, steps); });
      const double replayed = replay::replay(trace, machine, core_indexes(*machine.topology, places)).simulated_time;
      double tolerance = 1e-5 * measured;
      if (count == 1) tolerance = 1e-8;
      if (chosen.decision.name == "MPIR_Alltoall_intra_brucks") tolerance = 0.01 * measured;
      if (o == Operation::kGather && count > 1) tolerance = 0.07 * measured;
      EXPECT_NEAR(replayed, measured, tolerance) << chosen.decision.name;
    }
  }
}

std::string name_of_case(const testing::TestParamInfo<MpichAlgorithm>& info) { return info.param.name; }

// Without those that no variable of MPICH 4.0 chooses, and one that needs equal blocks, which the program does not
// have.
std::vector<MpichAlgorithm> forced() {
  std::vector<MpichAlgorithm> result;
  for (const MpichAlgorithm& a : mpich_algorithms()) {
    const std::string name = a.name;
    if (mpich_value(name).empty() || name == "MPIR_Reduce_scatter_intra_noncommutative" ||
        name == "MPIR_Barrier_intra_k_dissemination")
      continue;
    result.push_back(a);
  }
  return result;
}

INSTANTIATE_TEST_SUITE_P(Forced, MpichAlgorithms, testing::ValuesIn(forced()), name_of_case);

}  // namespace
}  // namespace strata::collectives
