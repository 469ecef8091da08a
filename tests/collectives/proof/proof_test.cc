// SPDX-License-Identifier: LGPL-2.1-only
// The schedules of Open MPI's algorithms, message by message, against the real library in virtual time: each rank sends
// the same number of bytes to the same ranks in the same order, and posts its receives in the same order between them.
//
// STRATA_PROOF_RANKS="2,3,4,16,33,64" compares with these numbers of ranks instead.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "collectives/chosen/chosen.h"
#include "collectives/rules/openmpi_algorithms.h"
#include "collectives/schedules/collective_trace.h"
#include "collectives/schedules/han.h"
#include "collectives/schedules/open_mpi.h"
#include "platforms/machine.h"
#include "platforms/placement.h"
#include "replay/engine.h"
#include "tests/collectives/proof/compared_calls.h"
#include "tests/collectives/proof/recorded_calls.h"
#include "tests/collectives/uneven_blocks.h"
#include "tests/command/strata_process.h"

namespace strata::collectives {
namespace {

std::string algorithm_of(const OpenMpiAlgorithm& a) { return tuned_algorithms(a.operation, kOpenMpi41)[a.number]; }

struct Case {
  OpenMpiAlgorithm algorithm;  // number 0: the library's choice
  int ranks;
  Settings settings;
  std::vector<std::int64_t> counts;
  std::vector<int> roots;
};

std::vector<std::string> list(const Case& c, const std::string& trace) {
  const std::string of = "OMPI_MCA_coll_tuned_" + std::string(name_of(c.algorithm.operation)) + "_algorithm";
  const std::string counts = joined(c.counts), roots = joined(c.roots);
  std::vector<std::string> words = {"exec",     "--machine", "ntw10e5",      "-n",       std::to_string(c.ranks),
                                    "--map-by", "node",      "--no-summary", "--record", trace};
  const auto set = [&](const std::string& variable, long value) {
    words.push_back("-x");
    words.push_back(variable + "=" + std::to_string(value));
  };
  set("OMPI_MCA_coll_han_priority", 0);
  if (c.algorithm.number == 0) {
    words.insert(words.end(), {"--", built("tests/collectives/proof/collectives_mpi_program_openmpi"),
                               name_of(c.algorithm.operation), counts, roots});
    return words;
  }
  set("OMPI_MCA_coll_tuned_use_dynamic_rules", 1);
  set(of, c.algorithm.number);
  set(of + "_segmentsize", c.settings.segment_bytes);
  set(of + "_tree_fanout", c.settings.fanout);
  set(of + "_chain_fanout", c.settings.fanout);
  if (algorithm_of(c.algorithm) == "knomial")
    set("OMPI_MCA_coll_tuned_bcast_algorithm_knomial_radix", c.settings.fanout);
  set(of + "_max_requests", c.settings.requests);
  words.insert(words.end(), {"--", built("tests/collectives/proof/collectives_mpi_program_openmpi"),
                             name_of(c.algorithm.operation), counts, roots});
  return words;
}

// The root of the linear barrier receives from any rank, so receives that follow each other are in any order.
std::vector<Transfer> in_any_order(std::vector<Transfer> transfers) {
  for (auto begin = transfers.begin(); begin != transfers.end();) {
    const auto end = std::find_if(begin, transfers.end(), [](const Transfer& t) { return t.is_send; });
    std::sort(begin, end, [](const Transfer& a, const Transfer& b) { return a.peer < b.peer; });
    begin = std::find_if(end, transfers.end(), [](const Transfer& t) { return !t.is_send; });
  }
  return transfers;
}

void append(const Collective& call, const Case& c, int rank, Steps& steps) {
  if (c.algorithm.number != 0) return c.algorithm.generate(call, c.settings, rank, steps);
  const Chooser chooser(kOpenMpi41);
  const Chosen chosen = chooser.choose(call);
  ASSERT_NE(chosen.algorithm, nullptr) << call.ranks << " ranks, " << call.count << " elements";
  chooser.append(chosen, call, rank, steps);
}

void expect_same(const Case& c) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "calls.mpitrace";
  const Ran ran = run_strata(list(c, file));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Trace trace = read_trace(file);
  const Operation operation = c.algorithm.operation;
  for (int rank = 0; rank < c.ranks; ++rank) {
    std::vector<Transfer> expected;
    for (const auto count : c.counts) {
      for (const int root : c.roots) {
        for (const bool in_place : {false, true}) {
          if (in_place && !may_be_in_place(operation)) continue;
          Steps steps;
          append({operation, c.ranks, root, count, kDouble, true, in_place, uneven_blocks(operation, c.ranks, count)},
                 c, rank, steps);
          append_transfers(steps, kDouble, expected);
        }
      }
    }
    std::vector<Transfer> sent = transfers(trace, rank, function_of(operation));
    if (operation == Operation::kBarrier && c.algorithm.number == 1) sent = in_any_order(sent);
    ASSERT_EQ(text(sent), text(expected)) << "rank " << rank;
  }
}

bool has_segments(const OpenMpiAlgorithm& a) {
  const Operation o = a.operation;
  return o == Operation::kBcast || o == Operation::kReduce || (o == Operation::kAllreduce && a.number == 5) ||
         (o == Operation::kGather && a.number == 3);
}

class Proof : public testing::TestWithParam<OpenMpiAlgorithm> {};

TEST_P(Proof, SendsWhatTheLibrarySends) {
  const OpenMpiAlgorithm& a = GetParam();
  for (const int ranks : numbers_of_ranks("2,3,8,13")) {
    if (a.only_two_ranks && ranks != 2) continue;
    std::vector<int> roots = {0};
    if (has_root(a.operation)) roots = {0, ranks - 1, ranks / 2};
    if (ranks == 2) roots.resize(has_root(a.operation) ? 2 : 1);
    for (const long segment : {0, 256}) {
      if (segment != 0 && !has_segments(a)) continue;
      SCOPED_TRACE(algorithm_of(a) + ", ranks " + std::to_string(ranks) + ", segment " + std::to_string(segment));
      expect_same({a, ranks, {.segment_bytes = segment, .fanout = 3}, {1, 5, 33, 100, 3000}, roots});
      if (HasFatalFailure()) return;
    }
  }
}

// Without a parameter, the library chooses the algorithm that the rules say, also in the collectives of which another
// one consists. The sizes are on both sides of the thresholds for these numbers of ranks.
TEST(Proof, ChoosesWhatTheLibraryChooses) {
  for (const Operation o : {Operation::kBcast, Operation::kReduce, Operation::kAllreduce, Operation::kGather,
                            Operation::kScatter, Operation::kAllgather, Operation::kAllgatherv, Operation::kAlltoall,
                            Operation::kAlltoallv, Operation::kReduceScatter, Operation::kReduceScatterBlock,
                            Operation::kBarrier, Operation::kScan, Operation::kExscan}) {
    for (const int ranks : {2, 3, 6, 9, 16, 33}) {
      SCOPED_TRACE(std::string(name_of(o)) + ", ranks " + std::to_string(ranks));
      expect_same({{o, 0, nullptr}, ranks, {}, {1, 4, 7, 8, 63, 64, 511, 512, 1023, 1024, 8191, 8192, 32768}, {0}});
      if (HasFatalFailure()) return;
    }
  }
}

// Of HAN, which makes its communicators in the first call of an operation: its messages come before those compared.
void expect_same_han(Operation operation, int ranks, const std::string& map_by, const std::vector<int>& nodes) {
  SCOPED_TRACE(std::string(name_of(operation)) + ", " + std::to_string(ranks) + " ranks by " + map_by);
  const std::vector<std::int64_t> counts = {1, 5, 33, 100, 3000};
  std::vector<int> roots = {0};
  if (has_root(operation)) roots = {0, ranks - 1, ranks / 2};
  const TemporaryFolder folder;
  const std::string file = folder.path() / "calls.mpitrace";
  const Ran ran = run_strata({"exec", "--machine", "ntw10e5", "-n", std::to_string(ranks), "--map-by", map_by,
                              "--no-summary", "--record", file, "-x", "OMPI_MCA_coll_han_priority=100", "-x",
                              "OMPI_MCA_coll_han_use_simple_gather=1", "--",
                              built("tests/collectives/proof/collectives_mpi_program_openmpi"), name_of(operation),
                              joined(counts), joined(roots)});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Trace trace = read_trace(file);
  const Chooser chooser(kOpenMpi41);
  const Settings settings = {.part = [&](const Collective& part, int rank, Steps& into) {
    chooser.append(chooser.choose(part), part, rank, into);
  }};
  for (int rank = 0; rank < ranks; ++rank) {
    std::vector<Transfer> expected;
    bool is_first = true;
    for (const auto count : counts) {
      for (const int root : roots) {
        for (const bool in_place : {false, true}) {
          if (in_place && !may_be_in_place(operation)) continue;
          Collective call = {operation, ranks, root, count, kDouble, true, in_place};
          call.nodes = nodes;
          ASSERT_EQ(han_of(call), Han::kUsed);
          Steps steps;
          if (!is_first) find_han(operation)(call, settings, rank, steps);
          is_first = false;
          append_transfers(steps, kDouble, expected);
        }
      }
    }
    std::vector<Transfer> sent = transfers(trace, rank, function_of(operation));
    ASSERT_GE(sent.size(), expected.size());
    sent.erase(sent.begin(), sent.end() - static_cast<std::ptrdiff_t>(expected.size()));
    ASSERT_EQ(text(sent), text(expected)) << "rank " << rank;
  }
}

TEST(Proof, HanSendsWhatTheLibrarySends) {
  std::vector<int> one_after_the_other, full;
  for (int r = 0; r < 30; ++r) one_after_the_other.push_back(r % 10);
  for (int r = 0; r < 48; ++r) full.push_back(r / 24);
  for (const Operation o :
       {Operation::kBcast, Operation::kGather, Operation::kScatter, Operation::kAllgather, Operation::kBarrier}) {
    expect_same_han(o, 30, "node", one_after_the_other);
    if (HasFatalFailure()) return;
    expect_same_han(o, 48, "core", full);
    if (HasFatalFailure()) return;
  }
}

// The replay of a schedule takes the time of the library's run, in which ranks begin together, too. There are two
// differences: the library copies a few bytes without a call of memcpy, so its run does not charge them (1.5 ns each),
// and packs messages with gaps in pieces (Bruck's all-to-all).
TEST(Proof, TakesTheTimeOfTheLibrary) {
  const Machine machine = load_machine(built("platforms/data/ntw10e5/machine.yaml"));
  const int ranks = 32;
  const std::vector<int> cores = core_indexes(*machine.topology, place(*machine.topology, ranks));
  for (const Operation o : {Operation::kBcast, Operation::kReduce, Operation::kAllreduce, Operation::kGather,
                            Operation::kScatter, Operation::kAllgather, Operation::kAlltoall, Operation::kScan}) {
    for (const std::int64_t count : {1, 128, 16384}) {
      SCOPED_TRACE(std::string(name_of(o)) + " of " + std::to_string(count));
      const TemporaryFolder folder;
      const std::string json = folder.path() / "run.json";
      const Ran ran = run_strata({"exec", "--machine", "ntw10e5", "-n", std::to_string(ranks), "--no-summary", "--json",
                                  json, "-x", "OMPI_MCA_coll_han_priority=0", "--",
                                  built("tests/collectives/proof/collectives_mpi_program_openmpi"), name_of(o),
                                  std::to_string(count), "0", "once"});
      ASSERT_EQ(ran.code, 0) << ran.err;
      const double measured = nlohmann::json::parse(read_text(json))["simulated_time"]["value"];
      const Collective call = {o, ranks, 0, count, kDouble, true, false, uneven_blocks(o, ranks, count)};
      const Chooser chooser(kOpenMpi41);
      const Chosen chosen = chooser.choose(call);
      const Trace trace =
          collective_trace(call, [&](int rank, Steps& steps) { chooser.append(chosen, call, rank, steps); });
      const double replayed = replay::replay(trace, machine, cores).simulated_time;
      double tolerance = 1e-5 * measured;
      if (count == 1) tolerance = 1e-8;
      if (chosen.decision.name == "modified_bruck") tolerance = 0.02 * measured;
      EXPECT_NEAR(replayed, measured, tolerance) << chosen.decision.name;
    }
  }
}

std::string name_of_case(const testing::TestParamInfo<OpenMpiAlgorithm>& info) {
  std::string name = std::string(name_of(info.param.operation)) + "_" + algorithm_of(info.param);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// Without those that consist of other collectives, whose algorithms Open MPI chooses.
std::vector<OpenMpiAlgorithm> whole() {
  std::vector<OpenMpiAlgorithm> result;
  for (const OpenMpiAlgorithm& a : open_mpi_algorithms()) {
    if (!a.has_parts) result.push_back(a);
  }
  return result;
}

INSTANTIATE_TEST_SUITE_P(OpenMpi, Proof, testing::ValuesIn(whole()), name_of_case);

}  // namespace
}  // namespace strata::collectives
