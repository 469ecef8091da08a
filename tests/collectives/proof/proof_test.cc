// SPDX-License-Identifier: LGPL-2.1-only
// The schedules of Open MPI's algorithms, message by message, against the real library in virtual time: each rank sends
// the same number of bytes to the same ranks in the same order, and posts its receives in the same order between them.
//
// STRATA_PROOF_RANKS="2,3,4,16,33,64" compares with these numbers of ranks instead.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "collectives/chosen/chosen.h"
#include "collectives/rules/openmpi_algorithms.h"
#include "collectives/schedules/collective_trace.h"
#include "collectives/schedules/han.h"
#include "collectives/schedules/han_tasks.h"
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

// Calls of HAN. It makes its communicators in the first one: the messages of that call are not compared.
struct HanCase {
  Operation operation;
  std::vector<int> nodes;  // by rank
  std::vector<std::string> placed;
  std::int64_t segment_bytes = kHanSegmentBytes;
  std::vector<std::int64_t> counts = {1, 5, 33, 100, 3000};
  bool may_be_in_place = true;

  int ranks() const { return static_cast<int>(nodes.size()); }
  std::vector<int> roots() const {
    return has_root(operation) ? std::vector{0, ranks() - 1, ranks() / 2} : std::vector{0};
  }
  std::vector<Collective> calls() const {
    std::vector<Collective> calls;
    for (const auto count : counts) {
      for (const int root : roots()) {
        for (const bool in_place : {false, true}) {
          if (in_place && !(may_be_in_place && collectives::may_be_in_place(operation))) continue;
          calls.push_back({operation, ranks(), root, count, kDouble, true, in_place});
          calls.back().nodes = nodes;
        }
      }
    }
    return calls;
  }
};

// Ranks one after the other on nodes with these numbers of ranks.
HanCase on_nodes(Operation operation, const std::vector<int>& sizes, const TemporaryFolder& folder) {
  HanCase c = {operation, {}, {}};
  std::string hosts;
  for (std::size_t node = 0; node < sizes.size(); ++node) {
    hosts += "node" + std::to_string(node) + " slots=" + std::to_string(sizes[node]) + "\n";
    c.nodes.insert(c.nodes.end(), sizes[node], static_cast<int>(node));
  }
  c.placed = {"--hostfile", folder.write("hosts", hosts)};
  return c;
}

Trace recorded(const HanCase& c, const TemporaryFolder& folder) {
  const std::string file = folder.path() / "calls.mpitrace";
  std::vector<std::string> words = {"exec",         "--machine", "ntw10e5", "-n", std::to_string(c.ranks()),
                                    "--no-summary", "--record",  file};
  words.insert(words.end(), c.placed.begin(), c.placed.end());
  for (const char* const variable : {"priority=100", "use_simple_gather=1"}) {
    words.insert(words.end(), {"-x", std::string("OMPI_MCA_coll_han_") + variable});
  }
  if (han_has_segments(c.operation)) {
    words.insert(words.end(), {"-x", "OMPI_MCA_coll_han_" + std::string(name_of(c.operation)) +
                                         "_segsize=" + std::to_string(c.segment_bytes)});
  }
  words.insert(words.end(), {"--", built("tests/collectives/proof/collectives_mpi_program_openmpi"),
                             name_of(c.operation), joined(c.counts), joined(c.roots())});
  if (!c.may_be_in_place) words.emplace_back("once");
  const Ran ran = run_strata(words);
  EXPECT_EQ(ran.code, 0) << ran.err;
  return ran.code == 0 ? read_trace(file) : Trace{};
}

std::vector<Transfer> transfers_of(const Steps& steps) {
  std::vector<Transfer> result;
  append_transfers(steps, kDouble, result);
  return result;
}

std::vector<std::string> sorted(const std::vector<Transfer>& transfers) {
  std::vector<std::string> texts;
  for (const Transfer& t : transfers) texts.push_back(text({t}));
  std::sort(texts.begin(), texts.end());
  return texts;
}

// A task of HAN: the messages of the first rounds, which are the first that it starts; those on the node; and those of
// each nonblocking collective, which go on whenever the rank waits. Each is in order.
std::string text_of(const HanTask& task) {
  std::string first, up;
  for (const Rounds& rounds : task.up) {
    up += "; up";
    for (const Steps& round : rounds.list()) up += text(transfers_of(round));
    first += text(transfers_of(rounds.list().front()));
  }
  return "first" + first + "; low" + text(transfers_of(task.low)) + up;
}

// MCA_COLL_BASE_TAG_NONBLOCKING_BASE, coll_tags.h. Each nonblocking collective has the tag below that of the one
// before.
constexpr int kFirstNonblocking = -27;

std::string text_of(const std::vector<Transfer>& recorded, std::size_t in_first_rounds) {
  std::vector<Transfer> low;
  std::map<int, std::vector<Transfer>, std::greater<>> up;
  for (const Transfer& t : recorded) (t.tag > kFirstNonblocking ? low : up[t.tag]).push_back(t);
  std::string result = "first" + text({recorded.begin(), recorded.begin() + in_first_rounds}) + "; low" + text(low);
  for (const auto& [tag, transfers] : up) result += "; up" + text(transfers);
  return result;
}

// `sent` are the rank's messages, the last of them those of `tasks`.
void expect_same_tasks(const std::vector<HanTask>& tasks, const std::vector<Transfer>& sent) {
  std::size_t number = 0;
  for (const HanTask& task : tasks) {
    Steps steps;
    append_tasks({task}, steps);
    number += transfers_of(steps).size();
  }
  ASSERT_GE(sent.size(), number);
  auto begin = sent.end() - static_cast<std::ptrdiff_t>(number);
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    Steps steps;
    append_tasks({tasks[t]}, steps);
    std::size_t in_first_rounds = 0;
    for (const Rounds& rounds : tasks[t].up) in_first_rounds += transfers_of(rounds.list().front()).size();
    const std::vector<Transfer> expected = transfers_of(steps);
    const std::vector<Transfer> these(begin, begin + static_cast<std::ptrdiff_t>(expected.size()));
    ASSERT_EQ(text_of(these, in_first_rounds), text_of(tasks[t])) << "task " << t;
    ASSERT_EQ(sorted(these), sorted(expected)) << "task " << t;
    begin += static_cast<std::ptrdiff_t>(expected.size());
  }
}

void expect_same_han(const HanCase& c, const TemporaryFolder& folder) {
  SCOPED_TRACE(std::string(name_of(c.operation)) + ", " + std::to_string(c.ranks()) + " ranks " + c.placed.back() +
               ", segments of " + std::to_string(c.segment_bytes));
  const Trace trace = recorded(c, folder);
  if (testing::Test::HasFailure()) return;
  const Chooser chooser(kOpenMpi41);
  const Settings settings = {.segment_bytes = c.segment_bytes,
                             .part = [&](const Collective& part, int rank, Steps& into) {
                               chooser.append(chooser.choose(part), part, rank, into);
                             }};
  std::vector<Collective> calls = c.calls();
  calls.erase(calls.begin());
  for (int rank = 0; rank < c.ranks(); ++rank) {
    SCOPED_TRACE("rank " + std::to_string(rank));
    std::vector<Transfer> sent = transfers(trace, rank, function_of(c.operation));
    if (han_has_segments(c.operation)) {
      std::vector<HanTask> tasks;
      for (const Collective& call : calls) {
        ASSERT_TRUE(han_does(call));
        std::vector<HanTask> of_call = han_tasks(call, settings, rank);
        tasks.insert(tasks.end(), of_call.begin(), of_call.end());
      }
      expect_same_tasks(tasks, sent);
      if (testing::Test::HasFatalFailure()) return;
      continue;
    }
    std::vector<Transfer> expected;
    for (const Collective& call : calls) {
      ASSERT_TRUE(han_does(call));
      Steps steps;
      find_han(c.operation)(call, settings, rank, steps);
      append_transfers(steps, kDouble, expected);
    }
    ASSERT_GE(sent.size(), expected.size());
    sent.erase(sent.begin(), sent.end() - static_cast<std::ptrdiff_t>(expected.size()));
    ASSERT_EQ(text(sent), text(expected));
  }
}

TEST(Proof, HanSendsWhatTheLibrarySends) {
  std::vector<int> one_after_the_other, full;
  for (int r = 0; r < 30; ++r) one_after_the_other.push_back(r % 10);
  for (int r = 0; r < 48; ++r) full.push_back(r / 24);
  for (const Operation o : {Operation::kBcast, Operation::kReduce, Operation::kAllreduce, Operation::kGather,
                            Operation::kScatter, Operation::kAllgather, Operation::kBarrier}) {
    const TemporaryFolder folder;
    expect_same_han({o, one_after_the_other, {"--map-by", "node"}}, folder);
    expect_same_han({o, full, {"--map-by", "core"}}, folder);
    if (testing::Test::HasFailure()) return;
  }
}

// In place, HAN of 4.1.4 itself ends in a fault from the second segment on. In an allreduce it broadcasts the last
// segment as long as the others, so that the number of elements must be a multiple here. 5.0.7 does neither.
std::vector<std::int64_t> counts_in_segments(Operation o, std::int64_t elements) {
  std::vector<std::int64_t> counts = {1, elements, 2 * elements, 3 * elements, 7 * elements};
  if (o != Operation::kAllreduce) counts.insert(counts.end(), {elements + 1, 4 * elements - 1});
  return counts;
}

TEST(Proof, HanSendsSegmentsAsTheLibraryDoes) {
  for (const Operation o : {Operation::kBcast, Operation::kReduce, Operation::kAllreduce}) {
    const TemporaryFolder folder;
    for (const std::vector<int>& sizes : {std::vector{2, 2},
                                          {3, 3, 3},
                                          {2, 2, 2, 2},
                                          {5, 5, 5, 5, 5},
                                          {2, 2, 2, 2, 2, 2},
                                          {3, 3, 3, 3, 3, 3, 3},
                                          {4, 4, 4, 4, 4, 4, 4, 4},
                                          {2, 2, 2, 2, 2, 2, 2, 2, 2, 2}}) {
      HanCase c = on_nodes(o, sizes, folder);
      c.may_be_in_place = false;
      for (const std::int64_t segment : {64, 4096}) {
        c.segment_bytes = segment;
        c.counts = counts_in_segments(o, segment / kDouble);
        expect_same_han(c, folder);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

// With its own segments of 64 KiB; two nodes reduce these along a chain.
TEST(Proof, HanSendsLongMessagesAsTheLibraryDoes) {
  for (const Operation o : {Operation::kBcast, Operation::kReduce, Operation::kAllreduce}) {
    const TemporaryFolder folder;
    for (const std::vector<int>& sizes : {std::vector{6, 6}, {3, 3, 3}, {2, 2, 2, 2, 2, 2, 2}}) {
      HanCase c = on_nodes(o, sizes, folder);
      c.may_be_in_place = false;
      c.counts = counts_in_segments(o, kHanSegmentBytes / kDouble);
      expect_same_han(c, folder);
      if (testing::Test::HasFailure()) return;
    }
  }
}

// An allreduce does not look at whether nodes have as many ranks.
TEST(Proof, HanReducesOnUnevenNodesAsTheLibraryDoes) {
  const TemporaryFolder folder;
  for (const std::vector<int>& sizes : {std::vector{3, 1}, {1, 4, 2}, {5, 3, 1, 2, 2, 6}}) {
    HanCase c = on_nodes(Operation::kAllreduce, sizes, folder);
    expect_same_han(c, folder);
    c.may_be_in_place = false;
    c.segment_bytes = 4096;
    c.counts = counts_in_segments(c.operation, c.segment_bytes / kDouble);
    expect_same_han(c, folder);
    if (testing::Test::HasFailure()) return;
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

// The third call, less a run without it: in the first, HAN makes its communicators. With several segments, the order
// of messages within a task is not that of the library, which depends on time.
double allreduce_of_library(HanCase c, std::int64_t count, const TemporaryFolder& folder) {
  double longer = 0, shorter = 0;
  for (double* const time : {&longer, &shorter}) {
    const std::string json = folder.path() / "run.json";
    std::vector<std::string> words = {"exec",         "--machine", "ntw10e5", "-n", std::to_string(c.ranks()),
                                      "--no-summary", "--json",    json,      "-x", "OMPI_MCA_coll_han_priority=100"};
    words.insert(words.end(), c.placed.begin(), c.placed.end());
    words.insert(words.end(), {"--", built("tests/collectives/proof/collectives_mpi_program_openmpi"), "allreduce",
                               time == &longer ? "1,1," + std::to_string(count) : "1,1", "0", "once"});
    const Ran ran = run_strata(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    if (ran.code != 0) return 0;
    *time = nlohmann::json::parse(read_text(json))["simulated_time"]["value"];
  }
  return longer - shorter;
}

TEST(Proof, HanTakesAboutTheTimeOfTheLibrary) {
  const Machine machine = load_machine(built("platforms/data/ntw10e5/machine.yaml"));
  const int cores_of_node = 24;
  const Chooser chooser(kOpenMpi41);
  const Settings settings = {.segment_bytes = kHanSegmentBytes,
                             .part = [&](const Collective& part, int rank, Steps& into) {
                               chooser.append(chooser.choose(part), part, rank, into);
                             }};
  for (const std::vector<int>& sizes : {std::vector{2, 2}, {6, 6, 6}, {2, 2, 2, 2, 2, 2}}) {
    const TemporaryFolder folder;
    const HanCase c = on_nodes(Operation::kAllreduce, sizes, folder);
    std::vector<int> cores;
    for (std::size_t node = 0; node < sizes.size(); ++node) {
      for (int r = 0; r < sizes[node]; ++r) cores.push_back(static_cast<int>(node) * cores_of_node + r);
    }
    for (const std::int64_t count : {8192, 100000}) {
      SCOPED_TRACE(std::to_string(c.ranks()) + " ranks, " + std::to_string(count) + " elements");
      const double measured = allreduce_of_library(c, count, folder);
      Collective call = {Operation::kAllreduce, c.ranks(), 0, count, kDouble};
      call.nodes = c.nodes;
      const Trace trace = collective_trace(
          call, [&](int rank, Steps& steps) { find_han(call.operation)(call, settings, rank, steps); });
      const double replayed = replay::replay(trace, machine, cores).simulated_time;
      EXPECT_NEAR(replayed / measured, 1, count == 8192 ? 0.01 : 0.05);
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
