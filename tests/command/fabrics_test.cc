// SPDX-License-Identifier: LGPL-2.1-only
// Machines with networks in other programs' formats: drawn, split, simulated on, and refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
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

// The names of rank 0's levels. Also checks that both engines split alike.
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
        run_strata({"topo", data("8corecache-2p2c2t.xml"), "--slurm-topology", data(file), "--out", machine});
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

TEST(Ibnetdiscover, IsDrawnSplitAndSimulatedOn) {
  const TemporaryFolder folder;
  const std::string machine = folder.path() / "mine";
  const Ran made = run_strata({"topo", "--ibnetdiscover", data("infiniband/ibsim.ib"), "--node",
                               data("8corecache-2p2c2t.xml"), "--out", machine});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.out,
              testing::StartsWith("System - Cluster (9 nodes, 36 cores): fat tree of 3 leaf switches with 2 to 4 "
                                  "nodes and 3 without, 14 cables\n"
                                  "  Switch L#0 (4 nodes, 16 cores)\n"));
  EXPECT_THAT(
      made.err,
      HasSubstr("note: 1 host with several ports: the first port of the first adapter on this fabric is used\n"));
  EXPECT_THAT(
      read_text(machine + "/machine.yaml"),
      HasSubstr(
          "4xSDR: {value: 8, unit: Gb/s, source: \"published: ibnetdiscover: 4xSDR; nominal, 4 lanes of 2.5 Gb/s, "
          "8b/10b (InfiniBand Architecture Specification)\"}"));
  EXPECT_THAT(read_text(machine + "/fabric.txt"), HasSubstr("link leaf1 spine1 4xSDR 2\n"));
  EXPECT_EQ(run_strata({"topo", machine}).out, made.out);
  EXPECT_THAT(run_strata({"topo", machine, "--svg", "-"}).out, HasSubstr("3 leaf switches with 2 to 4 nodes"));
  EXPECT_THAT(levels_of_rank_0(machine),
              testing::ElementsAre("Switch of 3", "Machine of 4", "NUMANode of 2", "Core of 2"));
  const Ran run = run_strata({"run", "quickstart", "--set", "machine=" + machine, "--set", "elements=1000", "--out",
                              folder.path() / "results"});
  EXPECT_EQ(run.code, 0) << run.err;
  // The results folder contains the machine's switches.
  EXPECT_EQ(read_text(folder.path() / "results/fabric.txt"), read_text(machine + "/fabric.txt"));
}

// Two kinds of nodes, selected by name: the first matching pattern counts.
TEST(SlurmTopology, NodesMayDiffer) {
  const TemporaryFolder folder;
  const std::string machine = folder.path() / "mine";
  const Ran made =
      run_strata({"topo", "--slurm-topology", data("slurm/topology.conf"), "--node",
                  "gpu*=" + data("32smt-2p4n16c2t.xml"), "--node", data("8corecache-2p2c2t.xml"), "--out", machine});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.out, testing::StartsWith("System - Cluster (9 nodes, 48 cores)\n"));
  EXPECT_THAT(read_text(machine + "/machine.yaml"), HasSubstr("nodes:\n"
                                                              "  - count: 6\n"
                                                              "    names: \"node[01-06]\"\n"
                                                              "    xml: node-1.xml\n"
                                                              "  - count: 1\n"
                                                              "    names: \"gpu1\"\n"
                                                              "    xml: node-2.xml\n"
                                                              "  - count: 2\n"
                                                              "    names: \"big[1-2]\"\n"
                                                              "    xml: node-1.xml\n"));
  EXPECT_EQ(run_strata({"topo", machine}).out, made.out);
  EXPECT_THAT(made.out, HasSubstr("      4 x Machine, nodes 0-3 (node[01-04]) "));
  EXPECT_THAT(made.out, HasSubstr("      Machine, node 6 (gpu1) "));
  EXPECT_THAT(run_strata({"topo", machine, "--svg", "-"}).out, HasSubstr("node 7 (big1)"));
  EXPECT_THAT(levels_of_rank_0(machine),
              testing::ElementsAre("Switch 2 of 2", "Switch of 2", "Machine of 4", "NUMANode of 2", "Core of 2"));
  for (const std::string map_by : {"package", "numa", "node", "spread"}) {
    EXPECT_EQ(run_strata({"hsplit", "--machine", machine, "--map-by", map_by, "--np", "48", "--engine", "pure"}).code,
              0)
        << map_by;
  }
  const Ran run = run_strata({"run", "quickstart", "--set", "machine=" + machine, "--set", "elements=1000", "--out",
                              folder.path() / "results"});
  EXPECT_EQ(run.code, 0) << run.err;
  const auto refused = [](std::vector<std::string> options, const std::string& what, const std::string& remedy) {
    options.insert(options.begin(), "topo");
    expect_refused(run_strata(options), "--node: ", what, remedy);
  };
  refused({"--slurm-topology", data("slurm/topology.conf"), "--node", "gpu*=" + data("hwloc3.xml")},
          "no pattern matches node 'node01'", "--node '*=FILE.xml'");
  refused({"--slurm-topology", data("slurm/topology.conf"), "--node", "gpu*="}, "'gpu*=' is not GLOB=FILE",
          "write for example");
  refused({"--slurm-topology", data("slurm/topology.conf"), "--node", "gpuu*=" + data("hwloc1.xml"), "--node",
           data("8corecache-2p2c2t.xml")},
          "no node is called 'gpuu*'", "the network has node[01-06],gpu1,big[1-2]");
  refused({"--node", "gpu*=" + data("hwloc3.xml")}, "patterns need names of nodes", "--slurm-topology");
  expect_refused(run_strata({"topo", machine, "--slurm-topology", data("slurm/topology.conf")}), machine,
                 "has nodes of several kinds", "--node 'GLOB=FILE.xml'");
  const std::string text = data("slurm/topology.conf");
  expect_refused(
      run_strata({"topo", "--slurm-topology", text, "--node", "gpu*=" + text, "--node", data("8corecache-2p2c2t.xml")}),
      text, "is not hwloc XML", "lstopo");
  expect_refused(run_strata({"topo", "--slurm-topology", text, "--node", "gpu*=none.xml", "--node",
                             data("8corecache-2p2c2t.xml")}),
                 "none.xml", "No such file or directory", "lstopo");
}

// Nodes selected by name, with the costs of a machine.
TEST(SlurmTopology, NodesThatDifferMayHaveTheCostsOfAMachine) {
  const Ran ran =
      run_strata({"topo", "ntw10e5", "--slurm-topology", data("slurm/topology.conf"), "--node",
                  "gpu*=" + data("32smt-2p4n16c2t.xml"), "--node", data("8corecache-2p2c2t.xml"), "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Json machine = Json::parse(ran.out);
  EXPECT_EQ(machine["cores"], 48);
  EXPECT_EQ(machine["costs"]["core"], Json::parse(run_strata({"topo", "ntw10e5", "--json"}).out)["costs"]["core"]);
  expect_refused(run_strata({"topo", data("hwloc1.xml"), "--slurm-topology", data("slurm/topology.conf"), "--node",
                             data("8corecache-2p2c2t.xml")}),
                 "--node: ", "the nodes are those of ", "leave out one of the two");
}

// Two kinds of nodes on switches and cables, with the names of the fabric.
TEST(Ibnetdiscover, NodesMayDiffer) {
  const TemporaryFolder folder;
  const std::string machine = folder.path() / "mine";
  const Ran made = run_strata({"topo", "--ibnetdiscover", data("infiniband/ibsim.ib"), "--node",
                               "node0[1-2]=" + data("32smt-2p4n16c2t.xml"), "--node", data("8corecache-2p2c2t.xml"),
                               "--out", machine});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("2 x Machine, nodes 0-1 (node[01-02])"));
  EXPECT_EQ(run_strata({"topo", machine}).out, made.out);
  const Ran run = run_strata({"run", "quickstart", "--set", "machine=" + machine, "--set", "elements=1000", "--out",
                              folder.path() / "results"});
  EXPECT_EQ(run.code, 0) << run.err;
  std::string yaml = read_text(machine + "/machine.yaml");
  const std::string names = "node[01-02]";
  ASSERT_NE(yaml.find(names), std::string::npos) << yaml;
  yaml.replace(yaml.find(names), names.size(), "other[1-2]");
  const std::string broken = machine + "/broken.yaml";
  std::ofstream(broken) << yaml;
  expect_refused(run_strata({"topo", broken}), broken + ":",
                 "'other1' of `nodes` is 'node01' in the file of the switches", "strata topo");
}

TEST(Ibnetdiscover, HostsAndCostsMayBeGiven) {
  const TemporaryFolder folder;
  const std::string hosts = folder.write("hosts", "node[06-09]\nnode01\n");
  const Ran made =
      run_strata({"topo", "ntw10e5", "--ibnetdiscover", data("infiniband/ibsim.ib"), "--hosts", hosts, "--json"});
  ASSERT_EQ(made.code, 0) << made.err;
  const Json machine = Json::parse(made.out), known = Json::parse(run_strata({"topo", "ntw10e5", "--json"}).out);
  EXPECT_EQ(machine["nodes"], 5);
  EXPECT_EQ(machine["network"]["switches"]["switches"], 6);
  EXPECT_EQ(machine["costs"]["switches"]["injection"], known["costs"]["levels"][0]["link_bandwidth"]);
  EXPECT_EQ(machine["costs"]["levels"][1]["level"], "Switch");
  EXPECT_EQ(machine["costs"]["levels"][1]["latency"], known["costs"]["levels"][0]["latency"]);
}

// Notes on stderr say, a line each, what was left out of a file as sites have it.
TEST(Ibnetdiscover, SaysWhatIsLeftOut) {
  const Ran ran = run_strata({"topo", "--ibnetdiscover", built("tests/fuzz/corpus/ibnetdiscover/left-out.ib")});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("Machine"));
  for (const char* note :
       {"2 lines that ibnetdiscover printed about its work left out", "1 adapter whose description names no host (H-2)",
        "2 links from a switch back to itself left out"}) {
    EXPECT_THAT(ran.err, HasSubstr(note));
  }
}

TEST(SlurmTopology, SaysWhatIsLeftOut) {
  const Ran ran = run_strata({"topo", "--slurm-topology", built("tests/fuzz/corpus/slurm_topology/trees.conf")});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("trees.conf:4: switch 'c' and its 3 nodes left out: nothing connects them with switch "
                                 "'ab', which has 3 nodes"));
}

TEST(Ibnetdiscover, BadInput) {
  const TemporaryFolder folder;
  const auto refused = [](const std::vector<std::string>& options, const std::string& where, const std::string& what,
                          const std::string& remedy) {
    std::vector<std::string> arguments = {"topo", "--ibnetdiscover"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    expect_refused(run_strata(arguments), where, what, remedy);
  };
  const std::string whole = read_text(data("infiniband/ibsim.ib"));
  const std::string cut = folder.write("cut.ib", whole.substr(0, 3000));
  refused({cut}, cut + ":", "", "run ibnetdiscover again");
  refused({data("slurm/topology.conf")}, "topology.conf:2: ", "is not a line of ibnetdiscover",
          "give the output of ibnetdiscover");
  const std::string hosts = folder.write("hosts", "node01\nlogin1\n");
  refused({data("infiniband/ibsim.ib"), "--hosts", hosts}, hosts + ":2: ", "host 'login1' is not in",
          "its hosts are node01, node02");
  expect_refused(run_strata({"topo", "ntw10e5", "--hosts", hosts}), "command line", "--hosts", "--help");
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
  refused({"ntw10e5", "--node", data("hwloc3.xml")}, "--node: ", "those of ntw10e5 already", "leave out");
  refused({"ntw10e5", "--slurm-topology", broken, "--nodes", "3"}, "command line", "cannot be given together",
          "--help");
  refused({}, "command line", "a machine is required", "--slurm-topology");
}

}  // namespace
}  // namespace strata
