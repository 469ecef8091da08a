// SPDX-License-Identifier: LGPL-2.1-only
// A program of `strata mpi` with the collectives of Open MPI and of MPICH: right values, the messages of the schedules,
// and their times.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "collectives/chosen/chosen.h"
#include "collectives/schedules/collective_trace.h"
#include "platforms/machine.h"
#include "platforms/placement.h"
#include "replay/engine.h"
#include "tests/mpi_ext/algorithms/program_runs.h"

namespace strata::collectives {
namespace {

// Counts on both sides of thresholds of Open MPI's choice: of longs of 8 B.
constexpr const char* kCounts = "0,1,2,7,64,300,1500,9000";

void expect_right_values(const char* mpi, int ranks, const RankPlaces& where) {
  const Ran ran = run_with(mpi, ranks, {}, {"tests/mpi_ext/algorithms/values_mpi_program.so", kCounts}, where);
  EXPECT_EQ(ran.out, "right\n") << mpi << " on " << ranks << " ranks, " << where.name << ": " << ran.err;
  EXPECT_EQ(ran.code, 0) << ran.err;
}

TEST(Algorithms, GiveTheRightValues) {
  for (const char* const mpi : {"openmpi-4.1", "openmpi-5.0"}) {
    for (const int ranks : {1, 2, 3, 4, 5, 7, 8, 13, 16}) expect_right_values(mpi, ranks, kAlternating);
  }
  // The program is right about MPI.
  const Ran real = run_with("openmpi", 5, {}, {"tests/mpi_ext/algorithms/values_mpi_program_openmpi", kCounts});
  EXPECT_EQ(real.out, "right\n") << real.err;
}

TEST(Algorithms, GiveTheRightValuesOnSharedNodes) {
  for (int ranks = 1; ranks <= 16; ++ranks) {
    const RankPlaces* const all[] = {&kAlternating, &kThreeOnANode, &kFullNodes};
    expect_right_values("mpich-4.0", ranks, *all[ranks % 3]);
    expect_right_values("mpich-4.2", ranks, *all[(ranks + 1) % 3]);
  }
}

constexpr Operation kAll[] = {
    Operation::kBcast,     Operation::kReduce,        Operation::kAllreduce,          Operation::kGather,
    Operation::kScatter,   Operation::kAllgather,     Operation::kAllgatherv,         Operation::kAlltoall,
    Operation::kAlltoallv, Operation::kReduceScatter, Operation::kReduceScatterBlock, Operation::kBarrier,
    Operation::kScan,      Operation::kExscan};

// A recording holds the messages of the schedule, rank by rank. `node`: of each rank.
template <class Node>
void expect_messages(const std::string& mpi, Operation o, int ranks, const RankPlaces& where, const Node& node) {
  SCOPED_TRACE(mpi + ", " + name_of(o) + ", ranks " + std::to_string(ranks) + ", " + where.name);
  const Chooser chooser(parse_library(mpi, ""));
  const TemporaryFolder folder;
  const std::string file = folder.path() / "calls.mpitrace";
  const Ran ran =
      run_with(mpi, ranks, {"--record", file}, {kCollectives, name_of(o), "1,8,511,8192,32768", "0", "once"}, where);
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Trace trace = read_trace(file);
  std::vector<std::string> expected(ranks);
  for (const std::int64_t count : {1, 8, 511, 8192, 32768}) {
    Collective call = call_of(o, ranks, count);
    for (int rank = 0; rank < ranks; ++rank) call.nodes.push_back(node(rank));
    const Trace one = trace_of(chooser, call);
    for (int rank = 0; rank < ranks; ++rank) expected[rank] += text(transfers(one, rank, ""));
  }
  for (int rank = 0; rank < ranks; ++rank) {
    ASSERT_EQ(text(transfers(trace, rank, "")), expected[rank]) << "rank " << rank;
  }
}

TEST(Algorithms, SendTheMessagesOfTheSchedules) {
  for (const Operation o : kAll) {
    for (const int ranks : {2, 6, 9, 16}) {
      expect_messages("openmpi-4.1", o, ranks, kAlternating, [](int rank) { return rank % 10; });
    }
    expect_messages("mpich-4.0", o, 6, kThreeOnANode, [](int rank) { return rank / 3; });
    expect_messages("mpich-4.0", o, 16, kThreeOnANode, [](int rank) { return rank / 3; });
    expect_messages("mpich-4.2", o, 13, kAlternating, [](int rank) { return rank % 10; });
    expect_messages("mpich-4.2", o, 33, kFullNodes, [](int rank) { return rank / 24; });
  }
}

void expect_times(const std::string& mpi, const std::vector<std::int64_t>& counts) {
  const Machine machine = load_machine(built("platforms/data/ntw10e5/machine.yaml"));
  const Chooser chooser(parse_library(mpi, ""));
  for (const Operation o : kAll) {
    for (const std::int64_t count : counts) {
      SCOPED_TRACE(mpi + ", " + name_of(o) + ", count " + std::to_string(count));
      const int ranks = 32;
      const TemporaryFolder folder;
      const std::string json = folder.path() / "run.json";
      const Ran ran =
          run_strata({"exec", "--machine", "ntw10e5", "-n", std::to_string(ranks), "--no-summary", "--json", json,
                      "--mpi", mpi, "--", built(kCollectives), name_of(o), std::to_string(count), "0", "once"});
      ASSERT_EQ(ran.code, 0) << ran.err;
      const nlohmann::json run = nlohmann::json::parse(read_text(json));
      EXPECT_EQ(run["collectives"], mpi);
      const double simulated = run["simulated_time"]["value"];
      const std::vector<Binding> places = place(*machine.topology, ranks);
      Collective call = call_of(o, ranks, count);
      for (const Binding& b : places) call.nodes.push_back(b.node);
      Trace trace = trace_of(chooser, call);
      trace.native = false;  // long messages wait as in SMPI
      const std::vector<int> cores = core_indexes(*machine.topology, places);
      EXPECT_NEAR(replay::replay(trace, machine, cores).simulated_time, simulated, 1e-6 * simulated)
          << chooser.choose(call).decision.name;
    }
  }
}

TEST(Algorithms, TakeTheTimesOfTheSchedules) {
  expect_times("openmpi-4.1", {1, 511, 32768});
  expect_times("mpich-4.0", {1, 32768});
}

TEST(Algorithms, AreAnAxisOfScenarios) {
  const Machine machine = load_machine(built("platforms/data/ntw10e5/machine.yaml"));
  const TemporaryFolder folder;
  const auto run = [&](const std::string& engine) {
    const std::filesystem::path file = folder.path() / (engine + ".yaml"), out = folder.path() / engine;
    std::ofstream(file) << "schema: strata.scenario/1\nname: mpis\ntitle: MPIs\nmachine: ntw10e5\nprogram: " +
                               built(kCollectives) + "\narguments: [bcast, '32768', '0', once]\nengine: " + engine +
                               "\nranks: 32\nsweep: {mpi: [smpi, openmpi-4.1, openmpi-5.0]}\n";
    const Ran ran = run_strata({"run", file, "--out", out});
    EXPECT_EQ(ran.code, 0) << ran.err;
    return times_in(out, "mpi");
  };
  const std::map<std::string, double> simulated = run("simulation");
  const Collective call = call_of(Operation::kBcast, 32, 32768);
  const Chooser chooser(kOpenMpi41);
  Trace trace = trace_of(chooser, call);
  trace.native = false;
  const std::vector<int> cores = core_indexes(*machine.topology, place(*machine.topology, 32));
  const double expected = replay::replay(trace, machine, cores).simulated_time;
  EXPECT_NEAR(simulated.at("openmpi-4.1"), expected, 1e-5 * expected);
  EXPECT_EQ(simulated.at("openmpi-5.0"), simulated.at("openmpi-4.1"));
  EXPECT_GT(std::abs(simulated.at("smpi") / expected - 1), 0.1);  // SMPI's k-nomial tree is MVAPICH's
  const std::map<std::string, double> replayed = run("replay");
  for (const auto& [mpi, time] : simulated) EXPECT_NEAR(replayed.at(mpi), time, 1e-9 * time) << mpi;
}

TEST(Algorithms, AreRefusedForProgramsWithALibraryOfTheirOwn) {
  const Ran ran = run_with("openmpi-4.1", 2, {}, {"tests/mpi_ext/algorithms/values_mpi_program_openmpi", "1"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.err,
            "strata: --mpi openmpi-4.1: is for programs of `strata mpi`, and this one has an MPI library of its own, "
            "whose collectives it has; leave it out\n");
}

}  // namespace
}  // namespace strata::collectives
