// SPDX-License-Identifier: LGPL-2.1-only
// Slurm's lists of names and topology files: worked examples, the same network written in several ways, and errors.
#include "platforms/slurm_topology.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "base/error.h"
#include "platforms/draw_json.h"
#include "platforms/draw_svg.h"
#include "platforms/draw_text.h"
#include "platforms/hostlist.h"
#include "platforms/machine.h"
#include "platforms/node_names.h"

namespace strata {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Names = std::vector<std::string>;

const std::string kData = "tests/platforms/data/slurm/";

template <class Action>
std::string error_of(const Action& action) {
  try {
    action();
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

TEST(Hostlist, Examples) {
  const auto expand = [](const std::string& list) { return expand_hostlist(list, "here"); };
  EXPECT_THAT(expand("a"), ElementsAre("a"));
  EXPECT_THAT(expand("tux[0-3,12,18-20]"),
              ElementsAre("tux0", "tux1", "tux2", "tux3", "tux12", "tux18", "tux19", "tux20"));
  EXPECT_THAT(expand("node[01-03,10],login"), ElementsAre("node01", "node02", "node03", "node10", "login"));
  EXPECT_THAT(expand("node[08-11]"), ElementsAre("node08", "node09", "node10", "node11"));
  EXPECT_THAT(expand("n[8-11]"), ElementsAre("n8", "n9", "n10", "n11"));
  EXPECT_THAT(expand("r[0-1]n[1-2]-ib"), ElementsAre("r0n1-ib", "r0n2-ib", "r1n1-ib", "r1n2-ib"));
  EXPECT_THAT(expand("[1-2]"), ElementsAre("1", "2"));
}

TEST(Hostlist, IsWrittenShort) {
  EXPECT_EQ(hostlist_of({}), "");
  EXPECT_EQ(
      hostlist_of({"node08", "node09", "node10", "login", "n9", "n10", "n12", "7", "8", "x0999", "x1000", "x100"}),
      "node[08-10],login,n[9-10],n12,[7-8],x[0999-1000],x100");
  for (const std::string list : {"a", "node[098-101],b,c7", "n[1-3],n[5-6]", "x99999999999[1-3]"}) {
    const Names names = expand_hostlist(list, "here");
    EXPECT_EQ(expand_hostlist(hostlist_of(names), "here"), names) << list;
  }
}

TEST(Hostlist, Faults) {
  const auto fault = [](const std::string& list) { return error_of([&] { expand_hostlist(list, "here"); }); };
  const std::string remedy = "; write for example node[01-16,20]";
  EXPECT_EQ(fault(""), "here: the list of names '' has an empty name" + remedy);
  EXPECT_EQ(fault("a,"), "here: the list of names 'a,' has an empty name" + remedy);
  EXPECT_EQ(fault("a[1-2"), "here: the list of names 'a[1-2' has a bracket that is not closed" + remedy);
  EXPECT_EQ(fault("a]"), "here: the list of names 'a]' has a bracket that closes none" + remedy);
  EXPECT_EQ(fault("a[1-[2]]"), "here: the list of names 'a[1-[2]]' has a bracket within brackets" + remedy);
  EXPECT_EQ(fault("a[]"), "here: the list of names 'a[]' has '' where a number should be" + remedy);
  EXPECT_EQ(fault("a[1-x]"), "here: the list of names 'a[1-x]' has 'x' where a number should be" + remedy);
  EXPECT_EQ(fault("a[-1]"), "here: the list of names 'a[-1]' has '' where a number should be" + remedy);
  EXPECT_EQ(fault("a[3-2]"), "here: the list of names 'a[3-2]' has a range that ends before it begins, '3-2'" + remedy);
  EXPECT_THAT(fault("a[1-2000000]"), HasSubstr("has more than 1000000 names"));
  EXPECT_THAT(fault("a[0-999][0-999][0-999]"), HasSubstr("has more than 1000000 names"));
  EXPECT_THAT(fault("a[1-99999999999999999999]"), HasSubstr("where a number should be"));
}

class Slurm : public testing::Test {
 protected:
  std::string write(const std::string& text) const {
    const std::string file = std::filesystem::path(testing::TempDir()) / "topology";
    std::ofstream(file) << text;
    return file;
  }
  SlurmTopology read(const std::string& text) const { return read_slurm_topology(write(text)); }
  // The error without the file name.
  std::string error(const std::string& text) const {
    const std::string file = write(text), what = error_of([&] { read_slurm_topology(file); });
    return what.starts_with(file) ? what.substr(file.size()) : what;
  }
};

// "(Switch 2: (Switch: 4) (Switch: 3)) 1": groups with their levels, then the number of nodes attached directly.
std::string shape(const NetworkGroup& group) {
  std::string text;
  for (const NetworkGroup& g : group.groups) text += (text.empty() ? "(" : " (") + g.level + ": " + shape(g) + ")";
  if (group.nodes > 0) text += (text.empty() ? "" : " ") + std::to_string(group.nodes);
  return text;
}

TEST_F(Slurm, UnequalSwitches) {
  const SlurmTopology conf = read_slurm_topology(kData + "topology.conf");
  EXPECT_EQ(shape(conf.network), "(Switch 2: (Switch: 4) (Switch: 3)) (Switch: 2)");
  EXPECT_THAT(conf.nodes,
              ElementsAre("node01", "node02", "node03", "node04", "node05", "node06", "gpu1", "big1", "big2"));
  EXPECT_THAT(conf.notes,
              ElementsAre(kData + "topology.conf:8: switch 'core2' connects what 'core1' does; both are one group"));
  const SlurmTopology yaml = read_slurm_topology(kData + "topology.yaml");
  EXPECT_EQ(shape(yaml.network), shape(conf.network));
  EXPECT_EQ(yaml.nodes, conf.nodes);
  EXPECT_THAT(yaml.notes,
              ElementsAre(kData + "topology.yaml:15: [1]: the cluster's default topology is used, 'switches'"));
}

TEST_F(Slurm, ManualsExamples) {
  EXPECT_EQ(shape(read("SwitchName=s0 Nodes=dev[0-5]\nSwitchName=s1 Nodes=dev[6-11]\n"
                       "SwitchName=s2 Nodes=dev[12-17]\nSwitchName=s3 Switches=s[0-2]\n")
                      .network),
            "(Switch: 6) (Switch: 6) (Switch: 6)");
  // Jobs are planned with 30 of the 32 nodes of a block. 120 are four blocks, which is the whole cluster, so there is
  // no level above blocks.
  EXPECT_EQ(shape(read("BlockName=block1 Nodes=node[1-32]\nBlockName=block2 Nodes=node[33-64]\n"
                       "BlockName=block3 Nodes=node[65-96]\nBlockName=block4 Nodes=node[97-128]\nBlockSizes=30,120\n")
                      .network),
            "(Block: 32) (Block: 32) (Block: 32) (Block: 32)");
  EXPECT_EQ(shape(read("- topology: topo1\n  cluster_default: True\n  tree:\n    switches:\n    - switch: sw_root\n"
                       "      nodes: node[01-04]\n")
                      .network),
            "4");
}

TEST_F(Slurm, BlocksOfBlocks) {
  const SlurmTopology topology = read(
      "- topology: t\n  block:\n    block_sizes: [2, 4]\n    blocks:\n      - {block: a, nodes: \"n[1-2]\"}\n"
      "      - {block: b, nodes: \"n[3-5]\"}\n      - {block: c, nodes: n6}\n");
  EXPECT_EQ(topology.type, "block");
  EXPECT_EQ(shape(topology.network), "(Block 2: (Block: 2) (Block: 3)) (Block 2: (Block: 1))");
  EXPECT_THAT(topology.nodes, ElementsAre("n1", "n2", "n3", "n4", "n5", "n6"));
  EXPECT_EQ(shape(read("BlockName=only Nodes=n[1-3]\n").network), "3");
}

TEST_F(Slurm, SwitchesWithOneBelowAreNoLevel) {
  EXPECT_EQ(shape(read("SwitchName=a Nodes=n[1-2]\nSwitchName=b Switches=a\nSwitchName=c Nodes=n3\n"
                       "SwitchName=d Switches=b,c\nSwitchName=top Switches=d\n")
                      .network),
            "(Switch: 2) (Switch: 1)");
  EXPECT_EQ(shape(read("SwitchName=a Nodes=n[1-2]\nSwitchName=top Switches=a Nodes=n3\n").network), "(Switch: 2) 1");
}

// Spines that are connected with all leaf switches, and core switches above two such pods.
TEST_F(Slurm, ParallelSwitchesAreOneGroup) {
  const SlurmTopology topology = read(
      "SwitchName=core1 Switches=a[1-2],b1\nSwitchName=core2 Switches=b1,a2\n"
      "SwitchName=a1 Switches=leaf[1-2]\nSwitchName=a2 Switches=leaf[2,1]\nSwitchName=b1 Switches=leaf[3-4]\n"
      "SwitchName=leaf1 Nodes=n1\nSwitchName=leaf2 Nodes=n2\nSwitchName=leaf3 Nodes=n3\nSwitchName=leaf4 Nodes=n4\n");
  EXPECT_EQ(shape(topology.network), "(Switch 2: (Switch: 1) (Switch: 1)) (Switch 2: (Switch: 1) (Switch: 1))");
  EXPECT_EQ(topology.notes.size(), 2u);
}

TEST_F(Slurm, RandomTreesInRandomOrder) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int round = 0; round < 200; ++round) {
    Names lines, nodes;
    int switches = 0;
    // Appends the nodes in the order of the tree, and returns the name of the switch.
    const std::function<std::string(int, NetworkGroup&)> grow = [&](int levels, NetworkGroup& group) {
      const std::string name = "s" + std::to_string(switches++);
      std::string line = "SwitchName=" + name;
      if (levels > 0) {
        Names children;
        for (int i = 2 + below(3); i > 0; --i)
          children.push_back(grow(levels - 1 - below(levels), group.groups.emplace_back()));
        for (size_t i = 0; i < children.size(); ++i) line += (i == 0 ? " Switches=" : ",") + children[i];
      } else {
        group.nodes = 1 + below(3);
        for (int i = 0; i < group.nodes; ++i) {
          nodes.push_back("n" + std::to_string(nodes.size()));
          line += (i == 0 ? " Nodes=" : ",") + nodes.back();
        }
      }
      int height = 1;
      for (const NetworkGroup& g : group.groups) {
        height = std::max(height, g.level == "Switch" ? 2 : std::stoi(g.level.substr(7)) + 1);
      }
      group.level = height == 1 ? "Switch" : "Switch " + std::to_string(height);
      lines.push_back(line + "\n");
      return name;
    };
    NetworkGroup expected;
    grow(3, expected);
    std::shuffle(lines.begin(), lines.end(), random);
    std::string text;
    for (const std::string& line : lines) text += line;
    SCOPED_TRACE(text);
    const SlurmTopology topology = read(text);
    ASSERT_EQ(shape(topology.network), shape(expected));
    ASSERT_EQ(topology.nodes, nodes);
  }
}

// Sites list partitions of a cluster as trees of their own. The machine is the largest one.
TEST_F(Slurm, TheLargestOfSeveralTrees) {
  const SlurmTopology topology = read(
      "SwitchName=eth Nodes=login[1-2]\nSwitchName=a Nodes=n[1-2]\nSwitchName=b Nodes=n[3-5]\n"
      "SwitchName=ib Switches=a,b\nSwitchName=opa1 Nodes=o[1-4]\nSwitchName=opa2 Nodes=o5\n"
      "SwitchName=opa Switches=opa[1-2]\nSwitchName=last Nodes=x\n");
  EXPECT_EQ(shape(topology.network), "(Switch: 2) (Switch: 3)") << "the first of two trees with five nodes";
  EXPECT_THAT(topology.nodes, ElementsAre("n1", "n2", "n3", "n4", "n5"));
  const std::string reason = "nothing connects them with switch 'ib', which has 5 nodes", file = write("");
  EXPECT_THAT(topology.notes, ElementsAre(file + ":1: switch 'eth' and its 2 nodes left out: " + reason,
                                          file + ":7: switch 'opa' and its 5 nodes left out: " + reason,
                                          file + ":8: switch 'last' and its 1 node left out: " + reason));
}

TEST_F(Slurm, FaultsOfTrees) {
  EXPECT_EQ(error("SwitchName=a Nodes=n[1-2]\nSwitchName=b Nodes=n[2-3]\nSwitchName=c Switches=a,b\n"),
            ":2: node 'n2' is also below 'a'; keep one; the other is " + write("") + ":1");
  EXPECT_EQ(error("SwitchName=a Nodes=n1,n1\n"), ":1: node 'n1' is named twice; name it once");
  EXPECT_EQ(error("SwitchName=a Nodes=n1\nSwitchName=a Nodes=n2\n"),
            ":2: switch 'a' is described twice; keep one; the other is " + write("") + ":1");
  EXPECT_EQ(error("SwitchName=a Nodes=n1\nSwitchName=b Switches=a,x\n"),
            ":2: switch 'x' is not described; add its line");
  EXPECT_EQ(error("SwitchName=a Switches=b\nSwitchName=b Switches=a\n"),
            ":1: switch 'a' is below itself; list what hangs below it");
  EXPECT_EQ(error("SwitchName=a Nodes=n1\nSwitchName=b Nodes=n2\nSwitchName=c Nodes=n3\nSwitchName=x Switches=a,b\n"
                  "SwitchName=y Switches=b,c\n"),
            ":5: switch 'b' is also below 'x', which has other switches below it; describe a tree; for the cables of a "
            "network that is none, see --ibnetdiscover");
  EXPECT_EQ(error("SwitchName=a\n"), ":1: switch 'a' has nothing below it; give its nodes, or its switches");
  std::string chain = "SwitchName=s0 Nodes=n\n";
  for (int i = 1; i < 100; ++i)
    chain += "SwitchName=s" + std::to_string(i) + " Switches=s" + std::to_string(i - 1) + "\n";
  EXPECT_THAT(error(chain), HasSubstr("more than 64 levels"));
}

TEST_F(Slurm, FaultsOfFiles) {
  const std::string expected = "; give Slurm's topology.conf or topology.yaml";
  EXPECT_EQ(error(""), ": is empty" + expected);
  EXPECT_EQ(error("# nothing\n"), ":1: no SwitchName= and no BlockName=" + expected);
  EXPECT_EQ(
      error("NodeName=n[1-4] CPUs=4\n"),
      ":1: unknown key 'NodeName'; the keys are SwitchName, Switches, Nodes, LinkSpeed, BlockName and BlockSizes");
  EXPECT_EQ(error("SwitchName=a Nodes=\n"),
            ":1: 'Nodes=' is not KEY=VALUE; write for example SwitchName=s1 Nodes=node[01-16]");
  EXPECT_EQ(error("SwitchName=a Nodes=n[1\n"),
            ":1: the list of names 'n[1' has a bracket that is not closed; write for example node[01-16,20]");
  EXPECT_EQ(error("Nodes=n1\n"), ":1: has no name; begin with SwitchName= or BlockName=");
  EXPECT_EQ(error("SwitchName=a Nodes=n1\nBlockName=b Nodes=n2\n"),
            ":2: mixes switches and blocks; describe a tree or blocks");
  EXPECT_EQ(error("BlockName=a Nodes=n1\nBlockName=b Nodes=n2\nBlockName=c Nodes=n3\nBlockSizes=2,6\n"),
            ":4: a block size of 6 above one of 2; each is a power of two times the one before: 30,120");
  EXPECT_EQ(error("BlockSizes=2,x\n"), ":1: 'x' is not a number of nodes; write for example BlockSizes=30,120");
  EXPECT_EQ(error("BlockName=a Switches=b\n"), ":1: a block has no switches below it; give its Nodes=");
  EXPECT_EQ(error(std::string("SwitchName=a\0\n", 14)), ":1: has a byte that is not text in UTF-8" + expected);
  EXPECT_EQ(error("- topology: a\n  flat: true\n"),
            ":1: [0]: is neither a tree nor of blocks; give a topology with `tree:` or with `block:`");
  EXPECT_EQ(error("- topology: a\n  tree: {}\n- topology: b\n  tree: {}\n"),
            ":1: has 2 topologies and no default; write `cluster_default: true` in the one to use");
  EXPECT_EQ(
      error("- topology: a\n  tree:\n    switches:\n      - {switch: s, nodes: \"n[1-\"}\n"),
      ":4: [0].tree.switches[0].nodes: the list of names 'n[1-' has a bracket that is not closed; write for example "
      "node[01-16,20]");
  EXPECT_THAT(error("- topology: [\n"), HasSubstr("malformed YAML"));
  EXPECT_THAT(error_of([] { read_slurm_topology("/nowhere/topology.conf"); }),
              testing::StartsWith("/nowhere/topology.conf: No such file or directory; give Slurm's"));
}

// Nodes of several kinds, some of which lack a level that others have; the machine reads back as it was saved.
TEST_F(Slurm, MachineWhoseNodesDiffer) {
  const SlurmTopology slurm = read_slurm_topology(kData + "topology.conf");
  const std::string data = "tests/platforms/data/";
  const NodeSource cpu{.xml = data + "8corecache-2p2c2t.xml", .synthetic = ""},
      gpu{.xml = data + "32smt-2p4n16c2t.xml", .synthetic = ""};
  NodeSource big;
  big.synthetic = "core:3 pu:1";
  Machine m = machine_on_network({{cpu, 6, "node[01-06]"}, {gpu, 1, "gpu1"}, {cpu, 1, "big1"}, {big, 1, "big2"}},
                                 slurm.network, std::nullopt, nullptr);
  m.name = m.description = m.source = "a test";
  EXPECT_EQ(m.topology->cores().size(), 7u * 4 + 16 + 3);
  m.topology->check_invariants();
  std::vector<std::string> levels;
  for (const LevelCosts& c : m.levels) levels.push_back(c.level);
  for (const std::string level : {"System - Cluster", "Switch 2", "Switch", "Machine", "NUMANode", "Package"}) {
    EXPECT_THAT(levels, testing::Contains(level));
  }
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "differ";
  std::filesystem::create_directories(folder);
  save_machine(m, folder);
  EXPECT_TRUE(std::filesystem::exists(folder / "node-2.xml"));
  EXPECT_FALSE(std::filesystem::exists(folder / "node-3.xml"));
  const Machine back = load_machine(folder / "machine.yaml");
  EXPECT_EQ(machine_hash(back), machine_hash(m));
  ASSERT_EQ(back.kinds.size(), 4u);
  EXPECT_EQ(back.kinds[1].names, "gpu1");
  EXPECT_THAT(node_names(back),
              ElementsAre("node01", "node02", "node03", "node04", "node05", "node06", "gpu1", "big1", "big2"));
  EXPECT_THAT(draw_text(*back.topology, {.names = node_names(back)}),
              testing::AllOf(HasSubstr("4 x Machine, nodes 0-3 (node[01-04])"), HasSubstr("Machine, node 6 (gpu1)")));
  const std::string svg = draw_svg(*back.topology, "", "", node_names(back));
  for (const std::string node : {"Machine, node 0 (node01)", ">node 1 (node02)<", "Machine, node 6 (gpu1)"}) {
    EXPECT_THAT(svg, HasSubstr(node));
  }
  const auto json = draw_json(back)["tree"];
  EXPECT_EQ(json["children"][0]["children"][0]["children"][3]["host"], "node04");
  EXPECT_EQ(back.topology->num_vertices(), m.topology->num_vertices());
  for (int v = 0; v < m.topology->num_vertices(); ++v) EXPECT_EQ(back.topology->name(v), m.topology->name(v));
  save_machine(back, folder);  // over the files from which it was loaded
  EXPECT_EQ(machine_hash(load_machine(folder / "machine.yaml")), machine_hash(m));
  // With uniform nodes on the same network the hash is different.
  EXPECT_NE(machine_hash(machine_on_network({{cpu, 9, ""}}, slurm.network, std::nullopt, nullptr)), machine_hash(m));
  const auto error = [&](const std::string& from, const std::string& to) {
    std::ifstream in(folder / "machine.yaml");
    std::string text(std::istreambuf_iterator<char>(in), {});
    text.replace(text.find(from), from.size(), to);
    std::ofstream(folder / "broken.yaml") << text;
    const std::string what = error_of([&] { load_machine(folder / "broken.yaml"); });
    return what.substr(what.find("broken.yaml") + 11);
  };
  EXPECT_THAT(error("count: 6\n    names: \"node[01-06]\"", "count: 5\n    names: \"node[01-05]\""),
              HasSubstr("network: has 9 nodes, and `nodes` describes 8; describe each of them"));
  EXPECT_THAT(error("nodes:\n", "node: {xml: node-1.xml}\nnodes:\n"),
              HasSubstr("nodes: goes without `node`; keep one of the two"));
  EXPECT_THAT(error("synthetic: \"core:3 pu:1\"", "synthetic: \"core:3 pu:1\"\n    xml: node-1.xml"),
              HasSubstr("does not have exactly one of xml and synthetic; give one"));
  EXPECT_THAT(error("gpu1", "gpu[1-2]"),
              HasSubstr("nodes[1].names: has 2 names, and `count` is 1; name each node once"));
  EXPECT_THAT(error("gpu1", "node03"), HasSubstr("nodes[1].names: 'node03' is the name of two nodes"));
  EXPECT_THAT(error("    names: \"gpu1\"\n", ""), HasSubstr("nodes[1]: some nodes have names, and others have none"));
  EXPECT_THAT(error("node[01-06]", "node[01-06"), HasSubstr("has a bracket that is not closed"));
  EXPECT_THAT(error("count: 1\n", "count: 0\n"), HasSubstr("nodes[1].count"));
  EXPECT_THAT(error("xml: node-2.xml", "xml: node-7.xml"), HasSubstr("node-7.xml: No such file or directory"));
}

// A machine on this network: with default costs, which are consistent, and with the costs of a known machine.
TEST_F(Slurm, MachineOnIt) {
  const SlurmTopology slurm = read_slurm_topology(kData + "topology.conf");
  NodeSource node;
  node.synthetic = "pack:2 core:2 pu:1";
  const auto named = [](Machine m) {
    m.name = m.description = m.source = "a test";
    return m;
  };
  const Machine plain = named(machine_on_network({{node, 9, ""}}, slurm.network, std::nullopt, nullptr));
  ASSERT_EQ(plain.levels.size(), 5u);
  const LevelCosts& top = plain.levels[0];
  EXPECT_EQ(top.level, "System - Cluster");
  EXPECT_DOUBLE_EQ(top.link_bandwidth.si, 7 * 12.5e9) << "seven nodes are below a link";
  EXPECT_THAT(top.link_bandwidth.source, testing::StartsWith("assumed: 7 nodes below a link, 12.5 GB/s each"));
  EXPECT_DOUBLE_EQ(plain.levels[1].link_bandwidth.si, 4 * 12.5e9);
  EXPECT_EQ(plain.levels[1].level, "Switch 2");
  EXPECT_DOUBLE_EQ(plain.levels[2].link_bandwidth.si, 12.5e9);
  EXPECT_EQ(plain.levels[2].level, "Switch");
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "on_slurm";
  std::filesystem::create_directories(folder);
  save_machine(plain, folder);
  EXPECT_EQ(machine_hash(load_machine(folder / "machine.yaml")), machine_hash(plain));

  const Machine known = find_machine("ntw10e5", "platforms/data");
  const Machine like = named(machine_on_network({{known.node, 9, ""}}, slurm.network, std::nullopt, &known));
  EXPECT_EQ(like.topology->num_nodes(), 9);
  for (const LevelCosts& level : like.levels) {
    const bool network = level.level.starts_with("Switch") || level.level == kClusterName;
    for (const LevelCosts& c : known.levels) {
      if (c.level != (network ? std::string(kClusterName) : level.level)) continue;
      EXPECT_EQ(level.latency.si, c.latency.si) << level.level;
      EXPECT_EQ(level.latency.source, c.latency.source) << level.level;
    }
  }
  EXPECT_EQ(like.core_speed.si, known.core_speed.si);
  save_machine(like, folder);
  EXPECT_EQ(machine_hash(load_machine(folder / "machine.yaml")), machine_hash(like));
}

}  // namespace
}  // namespace strata
