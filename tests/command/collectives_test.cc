// SPDX-License-Identifier: LGPL-2.1-only
// strata collectives explain.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "platforms/machine.h"
#include "platforms/segments.h"
#include "tests/command/expect_refused.h"
#include "tests/command/strata_process.h"

namespace strata {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

Ran explain(const Words& further) {
  Words words = {"collectives", "explain", "--machine", "ntw10e5"};
  words.insert(words.end(), further.begin(), further.end());
  return run_strata(words);
}

Json document(Words further) {
  further.emplace_back("--json");
  const Ran ran = explain(further);
  EXPECT_EQ(ran.code, 0) << ran.err;
  return ran.code == 0 ? Json::parse(ran.out) : Json();
}

TEST(Collectives, NamesTheAlgorithmAndTheFasterOne) {
  const Ran ran = explain({"-n", "64", "--op", "bcast", "--bytes", "256K"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("algorithm  7 knomial"));
  EXPECT_THAT(ran.out, HasSubstr("scatter_allgather_ring would take"));
  EXPECT_THAT(ran.out, HasSubstr("OMPI_MCA_coll_tuned_bcast_algorithm=9"));
}

// Two ranks on different nodes: one message, by the machine's figures.
TEST(Collectives, TakesTheTimeOfItsMessages) {
  const Machine machine = load_machine(built("platforms/data/ntw10e5/machine.yaml"));
  const MessageFigures figures = figures_of(machine.levels.front(), 1 << 20);
  const Json d = document({"-n", "2", "--map-by", "node", "--op", "bcast", "--bytes", "1M"});
  const double expected = figures.latency_s + ((1 << 20) + 16) / figures.bandwidth;
  EXPECT_NEAR(d["time"]["value"].get<double>(), expected, 0.02 * expected);
  EXPECT_EQ(d["levels"][0]["messages"], 1);
  EXPECT_EQ(d["levels"][0]["bytes"], 1 << 20);
}

// A binomial broadcast to 48 ranks on two nodes of 24: ranks 24 to 47 are in the second node, and each has its parent,
// which is its number without the highest bit, in the first one.
TEST(Collectives, DrawsTheTree) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "tree.svg";
  EXPECT_EQ(explain({"-n", "48", "--op", "bcast", "--bytes", "1K", "--svg", file}).code, 0);
  const std::string svg = read_text(file);
  const auto count = [&](const std::string& part) {
    int n = 0;
    for (std::size_t at = svg.find(part); at != std::string::npos; at = svg.find(part, at + 1)) ++n;
    return n;
  };
  EXPECT_EQ(count("class=\"rank\""), 48);
  EXPECT_EQ(count("class=\"message\""), 47);
  EXPECT_EQ(count("class=\"node\""), 1);  // every second one is shaded
  EXPECT_THAT(svg, HasSubstr("<title>15 - 47: System - Cluster</title>"));
  EXPECT_THAT(svg, HasSubstr(">System - Cluster: 24</text>"));
  // A reduction is drawn with the rank below that sends last, to the one above.
  EXPECT_EQ(explain({"-n", "48", "--op", "reduce", "--bytes", "1K", "--root", "5", "--svg", file}).code, 0);
  EXPECT_THAT(read_text(file), HasSubstr("class=\"message\""));
  expect_refused(explain({"-n", "64", "--op", "allgather", "--svg", file}), "--svg",
                 "the messages of allgather 3 recursive_doubling make no tree",
                 "--record FILE keeps them, and strata replay FILE --timeline shows them");
}

TEST(Collectives, AFileOfRulesDecides) {
  const TemporaryFolder folder;
  const std::string rules = folder.write("rules.conf", "1\n7\n1\n4\n2\n0 6 0 0\n8192 9 0 0\n");
  const Json small = document({"-n", "8", "--op", "bcast", "--bytes", "8191", "--rules", rules});
  EXPECT_EQ(small["algorithm"], "binomial");
  EXPECT_EQ(small["rule"], rules + ":6");
  const Json large = document({"-n", "8", "--op", "bcast", "--bytes", "8K", "--rules", rules});
  EXPECT_EQ(large["algorithm"], "scatter_allgather_ring");
  EXPECT_EQ(large["rule"], rules + ":7");
}

// A replay of the recorded collective takes the time that the command names.
TEST(Collectives, ARecordingCanBeReplayed) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "bcast.mpitrace";
  const Json explained =
      document({"-n", "30", "--map-by", "node", "--op", "allreduce", "--bytes", "64K", "--record", file});
  const Ran ran = run_strata({"replay", file, "--machine", "ntw10e5", "--map-by", "node", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(Json::parse(ran.out)["simulated_time"]["value"], explained["time"]["value"]);
}

// MPICH looks at the nodes, and an algorithm without them is chosen by a variable.
TEST(Collectives, ExplainsMpich) {
  const Ran ran = explain({"-n", "48", "--op", "bcast", "--bytes", "8K", "--mpi", "mpich-4.0"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("algorithm  MPIDI_Bcast_intra_composition_alpha\n"));
  EXPECT_THAT(ran.out, HasSubstr("comm_hierarchy=parent, avg_msg_size<12288"));
  EXPECT_THAT(ran.out, HasSubstr("MPIR_Bcast_intra_scatter_ring_allgather"));
  const Json flat = document({"-n", "8", "--map-by", "node", "--op", "alltoall", "--bytes", "8", "--mpi", "mpich-4.2"});
  EXPECT_EQ(flat["algorithm"], "MPIR_Alltoall_intra_scattered");
  EXPECT_EQ(flat["number"], 0);
  EXPECT_EQ(flat["algorithms"].size(), 3);
}

// On two nodes with 24 ranks each, Open MPI 5.0 prefers HAN, which sends one message of a broadcast between them, or
// one for each segment of 64 KiB. On uneven nodes the library uses HAN for an allreduce, but not for a broadcast.
TEST(Collectives, ExplainsHan) {
  const Json d = document({"-n", "48", "--op", "bcast", "--bytes", "8K", "--mpi", "openmpi-5.0"});
  EXPECT_EQ(d["algorithm"], "han");
  EXPECT_EQ(d["number"], 0);
  EXPECT_EQ(d["levels"][0]["messages"], 1);
  const Ran ran = explain({"-n", "48", "--op", "gather", "--bytes", "8", "--mpi", "openmpi-5.0"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("algorithm  han\n"));
  EXPECT_THAT(ran.out, HasSubstr("HAN has a higher priority than tuned"));
  EXPECT_THAT(ran.out, HasSubstr("OMPI_MCA_coll=^han OMPI_MCA_coll_tuned_use_dynamic_rules=1"));
  const Json segments = document({"-n", "48", "--op", "bcast", "--bytes", "200K", "--mpi", "openmpi-5.0"});
  EXPECT_EQ(segments["algorithm"], "han");
  EXPECT_EQ(segments["segment"], 65536);
  EXPECT_EQ(segments["levels"][0]["messages"], 4);
  // The reduction and the broadcast between the nodes.
  const Json reduction = document({"-n", "48", "--op", "allreduce", "--bytes", "8", "--mpi", "openmpi-5.0"});
  EXPECT_EQ(reduction["algorithm"], "han");
  EXPECT_EQ(reduction["levels"][0]["messages"], 2);
  EXPECT_EQ(document({"-n", "40", "--op", "allreduce", "--bytes", "8", "--mpi", "openmpi-5.0"})["algorithm"], "han");
  EXPECT_NE(document({"-n", "40", "--op", "bcast", "--bytes", "8K", "--mpi", "openmpi-5.0"})["algorithm"], "han");
  EXPECT_NE(document({"-n", "48", "--op", "bcast", "--bytes", "8K"})["algorithm"], "han");
}

TEST(Collectives, AFileOfMpichDecides) {
  const TemporaryFolder folder;
  const std::string rules = folder.write("rules.json",
                                         "{\"collective=bcast\": {\"comm_type=intra\":\n"
                                         "{\"algorithm=MPIR_Bcast_intra_scatter_ring_allgather\": {}}}}");
  const Json d = document(
      {"-n", "8", "--map-by", "node", "--op", "bcast", "--bytes", "8", "--mpi", "mpich-4.0", "--rules", rules});
  EXPECT_EQ(d["algorithm"], "MPIR_Bcast_intra_scatter_ring_allgather");
  EXPECT_EQ(d["rule"], rules + ":2");
}

TEST(Collectives, BadInput) {
  expect_refused(explain({"-n", "8", "--op", "bcast", "--bytes", "8x"}), "--bytes", "'8x' is not a size", "16K");
  expect_refused(explain({"-n", "8", "--op", "allreduce", "--bytes", "7"}), "--bytes", "MPI_FLOAT", "4 B");
  expect_refused(explain({"-n", "1", "--op", "bcast"}), "-n", "one rank", "at least 2");
  expect_refused(explain({"-n", "8", "--op", "bcast", "--root", "8"}), "--root", "no rank 8", "0 to 7");
  expect_refused(explain({"-n", "8", "--op", "bcast", "--mpi", "openmpi-9.9"}), "--mpi", "openmpi-9.9", "");
  expect_refused(explain({"-n", "8", "--op", "bcast", "--mpi", "mpich-5.0"}), "--mpi", "not known", "mpich-4.0");
  expect_refused(explain({"-n", "8", "--op", "bcast", "--rules", "/nonexistent"}), "/nonexistent", "", "");
  const TemporaryFolder folder;
  const std::string cut = folder.write("cut.conf", "1\n7\n1\n");
  expect_refused(explain({"-n", "8", "--op", "bcast", "--rules", cut}), cut, "", "Open MPI");
}

}  // namespace
}  // namespace strata
