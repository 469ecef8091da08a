// SPDX-License-Identifier: LGPL-2.1-only
// Machines on networks that other programs describe: drawn, split, simulated on, and refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/command/expect_refused.h"
#include "tests/command/strata_process.h"

namespace strata {
namespace {

using testing::HasSubstr;
using Json = nlohmann::ordered_json;

std::string data(const std::string& file) { return built("tests/platforms/data/" + file); }

// Both engines split alike; the levels of rank 0 by name.
std::vector<std::string> levels_of_rank_0(const std::string& machine) {
  const Ran smpi = run_strata({"hsplit", "--machine", machine, "--json"});
  EXPECT_EQ(smpi.code, 0) << smpi.err;
  EXPECT_EQ(smpi.out, run_strata({"hsplit", "--machine", machine, "--engine", "pure", "--json"}).out);
  std::vector<std::string> levels;
  const Json document = Json::parse(smpi.out);
  for (const Json& level : document["ranks"][0]["levels"]) {
    levels.push_back(level["type"].get<std::string>() + " of " + level["num_comms"].dump());
  }
  return levels;
}

TEST(SlurmTopology, IsDrawnSplitAndSimulatedOn) {
  const TemporaryFolder folder;
  const std::string machine = folder.path() / "mine";
  for (const std::string file : {"slurm/topology.conf", "slurm/topology.yaml"}) {
    const Ran made =
        run_strata({"topo", data("8corecache-2p2c2t.xml"), "--slurm-topology", data(file), "--save", machine});
    ASSERT_EQ(made.code, 0) << made.err;
    EXPECT_THAT(made.out, testing::StartsWith("System - Cluster (9 nodes, 36 cores)\n"
                                              "  Switch 2 L#0 (7 nodes, 28 cores)\n"
                                              "    Switch L#0 (4 nodes, 16 cores)\n"
                                              "      4 x Machine, nodes 0-3 "));
    EXPECT_EQ(run_strata({"topo", machine}).out, made.out);
    EXPECT_THAT(run_strata({"topo", machine, "--svg", "-"}).out, HasSubstr("Switch 2"));
    EXPECT_THAT(levels_of_rank_0(machine),
                testing::ElementsAre("Switch 2 of 2", "Switch of 2", "Machine of 4", "NUMANode of 2", "Core of 2"));
  }
  const Ran run = run_strata({"run", "quickstart", "--set", "machine=" + machine, "--set", "elements=1000", "--out",
                              folder.path() / "results"});
  EXPECT_EQ(run.code, 0) << run.err;
}

TEST(SlurmTopology, NodesMayBeThoseOfAMachineOrNotGiven) {
  const Ran like = run_strata({"topo", "ntw10e5", "--slurm-topology", data("slurm/topology.conf"), "--json"});
  ASSERT_EQ(like.code, 0) << like.err;
  const Json machine = Json::parse(like.out);
  EXPECT_EQ(machine["cores"], 9 * 24);
  EXPECT_EQ(machine["costs"]["core"], Json::parse(run_strata({"topo", "ntw10e5", "--json"}).out)["costs"]["core"]);
  EXPECT_THAT(machine["source"], HasSubstr("costs of ntw10e5"));
  const Ran bare = run_strata({"topo", "--slurm-topology", data("slurm/topology.conf"), "--json"});
  EXPECT_EQ(Json::parse(bare.out)["cores"], 9);
  EXPECT_THAT(bare.err,
              HasSubstr("note: nothing says what is inside the nodes: one core each; give --node FILE.xml\n"));
}

TEST(SlurmTopology, BadInput) {
  const TemporaryFolder folder;
  const auto refused = [](const std::vector<std::string>& options, const std::string& where, const std::string& what,
                          const std::string& remedy) {
    std::vector<std::string> arguments = {"topo"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    expect_refused(run_strata(arguments), where, what, remedy);
  };
  const std::string broken = folder.write("topology.conf", "SwitchName=s0 Nodes=n1\nSwitchName=top Switches=s[0-1]\n");
  refused({"--slurm-topology", broken}, broken + ":2: ", "switch 's1' is not described", "add its line");
  refused({"--slurm-topology", data("hwloc1.xml")}, "hwloc1.xml:1: ", "is not KEY=VALUE", "SwitchName=");
  refused({"ntw10e5", "--slurm-topology", broken, "--node", data("hwloc3.xml")}, "--node: ", "those of ntw10e5 already",
          "leave out");
  refused({"ntw10e5", "--slurm-topology", broken, "--nodes", "3"}, "command line", "excludes", "--help");
  refused({}, "command line", "a machine is required", "--slurm-topology");
}

}  // namespace
}  // namespace strata
