// SPDX-License-Identifier: LGPL-2.1-only
// The output of ibnetdiscover: a fabric of ibsim, the example of the manual, rails and planes, and damaged fabrics.
#include "platforms/ibnetdiscover.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "platforms/switches.h"
#include "tests/error_of.h"

namespace strata {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

const std::string kSample = "tests/platforms/data/infiniband/ibsim.ib";

std::string text_of(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

class Ibnetdiscover : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder_);
  }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  DiscoveredFabric read(const std::string& text, const std::string& hosts = "") const {
    return read_ibnetdiscover(write("fabric.ib", text), hosts.empty() ? "" : write("hosts", hosts));
  }
  // The error without the folder's name.
  std::string error(const std::string& text, const std::string& hosts = "") const {
    return error_of([&] { read(text, hosts); }, folder_.string() + "/");
  }
  // The sample with the first `from` replaced.
  std::string with(const std::string& from, const std::string& to) const {
    std::string text = text_of(kSample);
    const size_t at = text.find(from);
    if (at == std::string::npos) throw std::logic_error("no '" + from + "' to replace");
    return text.replace(at, from.size(), to);
  }

  std::filesystem::path folder_;
};

std::vector<std::string> names_of(const SwitchGraph& graph) {
  std::vector<std::string> names;
  for (const SwitchGraph::Node& node : graph.nodes) names.push_back(node.name + " on " + graph.switches[node.at]);
  return names;
}

TEST_F(Ibnetdiscover, UnequalFatTree) {
  const DiscoveredFabric fabric = read_ibnetdiscover(kSample, "");
  EXPECT_THAT(fabric.graph.switches, ElementsAre("leaf1", "leaf2", "leaf3", "leaf4", "spine1", "spine2"));
  EXPECT_THAT(fabric.graph.kinds, ElementsAre("4xSDR"));
  EXPECT_EQ(fabric.injection, "4xSDR");
  std::map<std::pair<std::string, std::string>, int> cables;
  for (const SwitchGraph::Link& l : fabric.graph.links)
    cables[{fabric.graph.switches[l.a], fabric.graph.switches[l.b]}] = l.cables;
  std::map<std::pair<std::string, std::string>, int> expected;
  for (const std::string leaf : {"leaf1", "leaf2", "leaf3"})
    expected[{leaf, "spine1"}] = expected[{leaf, "spine2"}] = 2;
  expected[{"leaf4", "spine1"}] = expected[{"leaf4", "spine2"}] = 1;
  EXPECT_EQ(cables, expected);
  EXPECT_THAT(names_of(fabric.graph),
              ElementsAre("node01 on leaf1", "node02 on leaf1", "node03 on leaf1", "node04 on leaf1", "node05 on leaf2",
                          "node06 on leaf2", "node07 on leaf2", "node08 on leaf3", "node09 on leaf3"));
  for (int i = 0; i < 9; ++i) EXPECT_EQ(fabric.graph.nodes[i].target, i);
  EXPECT_THAT(fabric.notes,
              ElementsAre("1 host with several ports: the first port of the first adapter on this fabric is used"));
  const SwitchesShape shape{SwitchNetwork(fabric.graph), {"Switch"}};
  EXPECT_EQ(describe(shape), "fat tree of 3 leaf switches with 2 to 4 nodes and 3 without, 14 cables");
  ASSERT_EQ(shape.network.num_levels(), 1);
  // The file that the machine keeps describes the same network.
  const std::string text = format_switch_graph(fabric.graph);
  EXPECT_EQ(format_switch_graph(read_switch_graph(write("fabric.txt", text))), text);
}

// The list of hosts selects and orders the nodes; routes remain those of the whole fabric.
TEST_F(Ibnetdiscover, Hosts) {
  const DiscoveredFabric fabric =
      read(text_of(kSample), "# a hostfile\nnode[07-08] slots=4\n\nnode02\nnode05 # last\n");
  EXPECT_THAT(names_of(fabric.graph),
              ElementsAre("node07 on leaf2", "node08 on leaf3", "node02 on leaf1", "node05 on leaf2"));
  std::vector<int> targets;
  for (const SwitchGraph::Node& node : fabric.graph.nodes) targets.push_back(node.target);
  EXPECT_THAT(targets, ElementsAre(6, 7, 1, 4));
  const SwitchNetwork network(fabric.graph);
  EXPECT_THAT(names_of(network.graph()),
              ElementsAre("node07 on leaf2", "node05 on leaf2", "node08 on leaf3", "node02 on leaf1"));
  EXPECT_EQ(error(text_of(kSample), "node01\nnode10\n"),
            "hosts:2: host 'node10' is not in fabric.ib; its hosts are node01, node02, node03, node04, node05, ...");
  EXPECT_EQ(error(text_of(kSample), "node01\nnode[01-02]\n"),
            "hosts:2: host 'node01' is named twice; keep one; the other is line 1");
  EXPECT_EQ(error(text_of(kSample), "# none\n"), "hosts:1: no host; give a file with a host's name in each line");
}

// In this example the two ends of some links disagree, one host has two ports on one switch, and another is named after
// its card's vendor.
TEST_F(Ibnetdiscover, ExampleOfTheManual) {
  const DiscoveredFabric fabric = read(R"(#
# Topology file: generated on Tue Jun  5 14:15:10 2007
#
# Max of 3 hops discovered
# Initiated from node 0008f10403960558 port 0008f10403960559

Non-Chassis Nodes

vendid=0x8f1
devid=0x5a06
sysimgguid=0x5442ba00003000
switchguid=0x5442ba00003080(5442ba00003080)
Switch  24 "S-005442ba00003080"         # "ISR9024 Voltaire" base port 0 lid 6 lmc 0
[22]    "H-0008f10403961354"[1](8f10403961355)         # "MT23108 InfiniHost Mellanox Technologies" lid 4 4xSDR
[10]    "S-0008f10400410015"[1]         # "SW-6IB4 Voltaire" lid 3 4xSDR
[8]     "H-0008f10403960558"[2](8f1040396055a)         # "MT23108 InfiniHost Mellanox Technologies" lid 14 4xSDR
[6]     "S-0008f10400410015"[3]         # "SW-6IB4 Voltaire" lid 3 4xSDR
[12]    "H-0008f10403960558"[1](8f10403960559)         # "MT23108 InfiniHost Mellanox Technologies" lid 10 4xSDR

vendid=0x8f1
devid=0x5a05
switchguid=0x8f10400410015(8f10400410015)
Switch  8 "S-0008f10400410015"          # "SW-6IB4 Voltaire" base port 0 lid 3 lmc 0
[6]     "H-0008f10403960984"[1](8f10403960985)         # "MT23108 InfiniHost Mellanox Technologies" lid 16 4xSDR
[4]     "H-005442b100004900"[1](5442b100004901)        # "MT23108 InfiniHost Mellanox Technologies" lid 12 4xSDR
[1]     "S-005442ba00003080"[10]                # "ISR9024 Voltaire" lid 6 1xSDR
[3]     "S-005442ba00003080"[6]         # "ISR9024 Voltaire" lid 6 4xSDR

vendid=0x2c9
devid=0x5a44
caguid=0x8f10403960984
Ca      2 "H-0008f10403960984"          # "MT23108 InfiniHost Mellanox Technologies"
[1](8f10403960985)     "S-0008f10400410015"[6]         # lid 16 lmc 1 "SW-6IB4 Voltaire" lid 3 4xSDR

vendid=0x2c9
devid=0x5a44
caguid=0x5442b100004900
Ca      2 "H-005442b100004900"          # "MT23108 InfiniHost Mellanox Technologies"
[1](5442b100004901)     "S-0008f10400410015"[4]         # lid 12 lmc 1 "SW-6IB4 Voltaire" lid 3 4xSDR

vendid=0x2c9
devid=0x5a44
caguid=0x8f10403961354
Ca      2 "H-0008f10403961354"          # "MT23108 InfiniHost Mellanox Technologies"
[1](8f10403961355)     "S-005442ba00003080"[22]                # lid 4 lmc 1 "ISR9024 Voltaire" lid 6 4xSDR

vendid=0x2c9
devid=0x5a44
caguid=0x8f10403960558
Ca      2 "H-0008f10403960558"          # "MT23108 InfiniHost Mellanox Technologies"
[2](8f1040396055a)     "S-005442ba00003080"[8]         # lid 14 lmc 1 "ISR9024 Voltaire" lid 6 4xSDR
[1](8f10403960559)     "S-005442ba00003080"[12]                # lid 10 lmc 1 "ISR9024 Voltaire" lid 6 1xSDR
)");
  EXPECT_THAT(fabric.graph.switches, ElementsAre("ISR9024 Voltaire", "SW-6IB4 Voltaire"));
  EXPECT_EQ(fabric.graph.nodes.size(), 4u);
  EXPECT_EQ(fabric.graph.nodes[0].name, "H-0008f10403960558");
  EXPECT_THAT(fabric.graph.kinds, ElementsAre("1xSDR", "4xSDR"));
  EXPECT_THAT(
      fabric.notes,
      ElementsAre(EndsWith("fabric.ib:15: the ends of a link say 4xSDR and 1xSDR (line 26): 1xSDR is used"),
                  EndsWith("fabric.ib:18: the ends of a link say 4xSDR and 1xSDR (line 52): 1xSDR is used"),
                  "4 adapters whose description names no host (H-0008f10403960558, H-0008f10403960984, "
                  "H-0008f10403961354, H-005442b100004900): each counts as a host; name them with ibnetdiscover "
                  "--node-name-map",
                  "1 host with several ports: the first port of the first adapter on this fabric is used",
                  "the hosts' links differ (1 of 1xSDR, 3 of 4xSDR): every node has that of the slowest, 1xSDR"));
  EXPECT_EQ(SwitchNetwork(fabric.graph).why_no_fat_tree(),
            "a cable joins switches ISR9024 Voltaire and SW-6IB4 Voltaire of one level");
}

// Two ends, switches or adapters by name and port, that are connected.
struct Cable {
  std::string a;
  int port;
  std::string b;
  int other_port;
  std::string rate = "4xEDR";
};

std::string printed(const std::vector<Cable>& cables) {
  std::map<std::string, std::string> blocks;
  const auto id = [](const std::string& name) { return (name[0] == 's' ? "S-" : "H-") + name; };
  for (const auto& [a, port, b, other_port, rate] : cables) {
    const auto add = [&](const std::string& from, int p, const std::string& to, int q) {
      blocks[from] += "[" + std::to_string(p) + "]\t\"" + id(to) + "\"[" + std::to_string(q) + "]\t\t# \"" + to +
                      "\" lid 0 " + rate + "\n";
    };
    add(a, port, b, other_port);
    add(b, other_port, a, port);
  }
  std::string text = "# made\n";
  for (const auto& [name, lines] : blocks) {
    std::string description = name;
    std::replace(description.begin(), description.end(), '.', ' ');
    text += "\n" + std::string(name[0] == 's' ? "Switch\t36 \"" : "Ca\t1 \"") + id(name) + "\"\t\t# \"" + description +
            "\"\n" + lines;
  }
  return text;
}

TEST_F(Ibnetdiscover, PlanesAndRails) {
  // Two planes; the second one has an additional host. Adapters and nodes are ordered by the numbers in their names.
  const DiscoveredFabric planes = read(printed({{"h2.mlx5_0", 1, "sA", 1},
                                                {"h2.mlx5_1", 1, "sB", 1},
                                                {"h10.mlx5_0", 1, "sA", 2},
                                                {"h10.mlx5_1", 1, "sB", 2},
                                                {"h3.mlx5_10", 1, "sB", 3},
                                                {"h3.mlx5_9", 1, "sB", 4}}),
                                       "h[2-3,10]\n");
  EXPECT_THAT(planes.graph.switches, ElementsAre("sB"));
  EXPECT_THAT(names_of(planes.graph), ElementsAre("h2 on sB", "h3 on sB", "h10 on sB"));
  EXPECT_EQ(planes.graph.nodes[1].target, 3 - 1) << "on port 4, behind those on ports 1 and 2";
  EXPECT_THAT(planes.notes,
              ElementsAre("the switches are 2 fabrics without a cable between them: that of switch 'sB' is used, which "
                          "has 3 of 3 hosts",
                          "3 hosts with several ports: the first port of the first adapter on this fabric is used"));
  const std::vector<Cable> apart = {{"h1", 1, "sA", 1}, {"h2", 1, "sA", 2}, {"h3", 1, "sB", 1}};
  EXPECT_THAT(error(printed(apart)),
              EndsWith("no cables lead from host 'h3' to the other hosts; check the cables, or leave it out "
                       "with --hosts FILE"));
  EXPECT_EQ(read(printed(apart), "h1\nh2\n").graph.nodes.size(), 2u);
}

TEST_F(Ibnetdiscover, WhatIsNoHost) {
  const std::string text = printed({{"h1", 1, "sA", 1}, {"h2", 1, "sA", 2}, {"hx", 1, "sA", 36}, {"hr", 1, "sA", 35}});
  std::string with_others = text;
  const std::string node = "# \"hx\"\n";
  with_others.replace(with_others.rfind(node), node.size(), "# \"Mellanox Technologies Aggregation Node\"\n");
  const std::string router = "Ca\t1 \"H-hr\"";
  with_others.replace(with_others.find(router), router.size(), "Rt\t1 \"H-hr\"");
  const DiscoveredFabric fabric = read(with_others);
  EXPECT_THAT(names_of(fabric.graph), ElementsAre("h1 on sA", "h2 on sA"));
  EXPECT_THAT(fabric.notes,
              ElementsAre("1 aggregation node inside switches left out", "1 router to other subnets left out"));
}

// Adapters without the name of a host do not count as hosts, if others are named: second cards that rdma-ndd has not
// named, cards named after their vendor, and hosts that did not have a name when their adapters were named.
TEST_F(Ibnetdiscover, AdaptersWithoutAHostsNameAreNoHosts) {
  const std::vector<Cable> cables = {{"h1", 1, "sA", 2}, {"h2", 1, "sA", 4}, {"u1", 1, "sA", 1}, {"u2", 1, "sA", 3},
                                     {"u3", 1, "sA", 5}, {"u4", 1, "sA", 6}, {"u5", 1, "sA", 7}, {"u6", 1, "sA", 8}};
  const auto described = [&](std::vector<std::pair<std::string, std::string>> descriptions) {
    std::string text = printed(cables);
    for (const auto& [name, description] : descriptions)
      text.replace(text.rfind("# \"" + name + "\"\n"), 6, "# \"" + description + "\"\n");
    return text;
  };
  const std::vector<std::pair<std::string, std::string>> unnamed = {{"u1", "MT4119 ConnectX5 Mellanox Technologies"},
                                                                    {"u2", ""},
                                                                    {"u3", "mlx5_1"},
                                                                    {"u4", "localhost HCA-1"},
                                                                    {"u5", "localhost HCA-1"},
                                                                    {"u6", "HCA-2"}};
  const DiscoveredFabric fabric = read(described(unnamed));
  EXPECT_THAT(names_of(fabric.graph), ElementsAre("h1 on sA", "h2 on sA"));
  EXPECT_THAT(fabric.notes,
              ElementsAre("6 adapters whose description names no host (H-u1, H-u2, H-u3, H-u4, H-u5, ...) left out; "
                          "name them with ibnetdiscover --node-name-map, or list all with --hosts"));
  // The subnet manager routes to them all the same.
  EXPECT_EQ(fabric.graph.nodes[0].target, 1);
  EXPECT_EQ(fabric.graph.nodes[1].target, 3);
  const DiscoveredFabric listed = read(described(unnamed), "h2\nH-u2\nh1\n");
  EXPECT_THAT(names_of(listed.graph), ElementsAre("h2 on sA", "H-u2 on sA", "h1 on sA"));
  EXPECT_THAT(listed.notes, ElementsAre());
  // If none is named, each is a host.
  std::vector<std::pair<std::string, std::string>> all = unnamed;
  all.emplace_back("h1", "MT4119 ConnectX5 Mellanox Technologies");
  all.emplace_back("h2", "(none) HCA-1");
  const DiscoveredFabric nameless = read(described(all));
  EXPECT_EQ(nameless.graph.nodes.size(), 8u);
  EXPECT_THAT(
      nameless.notes,
      ElementsAre("8 adapters whose description names no host (H-h1, H-h2, H-u1, H-u2, H-u3, ...): each counts as "
                  "a host; name them with ibnetdiscover --node-name-map"));
}

// Files saved with `ibnetdiscover >file 2>&1`.
TEST_F(Ibnetdiscover, MessagesOfTheToolAreLeftOut) {
  const std::vector<std::string> messages = {
      "ibwarn: [565044] sim_connect: attached as client 1 at node \"Switch1\"",
      "src/query_smp.c:227; umad (DR path slid 65535; dlid 65535; 0,1,5 Attr 0x11:0) bad status 110; Connection timed "
      "out",
      "/usr/sbin/ibnetdiscover: iberror: failed: discover failed", "ibpanic: [77] main: no port"};
  const std::string text = text_of(kSample);
  const DiscoveredFabric clean = read(text);
  for (const std::string& message : messages) {
    std::string mixed = message + "\n" + text;
    const size_t port = mixed.find("\n[", mixed.size() / 2) + 1;
    mixed.insert(port, message + "\n");
    const DiscoveredFabric fabric = read(mixed);
    EXPECT_EQ(format_switch_graph(fabric.graph), format_switch_graph(clean.graph));
    ASSERT_EQ(fabric.notes.size(), clean.notes.size() + 1);
    EXPECT_THAT(fabric.notes.front(), testing::MatchesRegex("2 lines that ibnetdiscover printed about its work left "
                                                            "out; the first is .*fabric.ib:1: '.*'"));
  }
  EXPECT_THAT(error("warning: something else\n" + text), HasSubstr("is not a line of ibnetdiscover"));
}

// A cable between two ports of a switch, and a test plug in one port.
TEST_F(Ibnetdiscover, LinksBackToTheirOwnSwitchAreLeftOut) {
  const std::vector<Cable> network = {{"sA", 4, "sB", 1}, {"h1", 1, "sA", 3}, {"h2", 1, "sB", 2}};
  std::vector<Cable> looped = network;
  looped.insert(looped.begin(), {"sA", 1, "sA", 2});
  std::string text = printed(looped);
  const std::string port = "[2]\t\"H-h2\"";
  text.insert(text.find(port), "[9]\t\"S-sB\"[9]\t\t# \"sB\" lid 0 4xEDR\n");
  const DiscoveredFabric fabric = read(text);
  EXPECT_EQ(format_switch_graph(fabric.graph), format_switch_graph(read(printed(network)).graph));
  ASSERT_EQ(fabric.notes.size(), 1u);
  EXPECT_THAT(fabric.notes[0],
              testing::MatchesRegex("2 links from a switch back to itself left out; the first is .*fabric.ib:10"));
}

// Switches with equal descriptions get their identifiers as part of their names.
TEST_F(Ibnetdiscover, UnnamedSwitches) {
  std::string text = printed({{"h1", 1, "sA", 1}, {"h2", 1, "sB", 1}, {"sA", 2, "sC", 1}, {"sB", 2, "sC", 2}});
  for (const std::string name : {"sA", "sB"}) text.replace(text.find("# \"" + name + "\"\n"), 6, "# \"Quantum\"");
  EXPECT_THAT(read(text).graph.switches, ElementsAre("Quantum S-sA", "Quantum S-sB", "sC"));
}

TEST_F(Ibnetdiscover, BrokenFabrics) {
  EXPECT_EQ(
      error(with("[5]\t\"S-0000000000200004\"[5]", "[4]\t\"S-0000000000200004\"[5]")),
      "fabric.ib:21: only this end knows of the link from 'S-0000000000200002' port 4 to 'S-0000000000200004' port 5; "
      "'S-0000000000200004' should have the line [5] \"S-0000000000200002\"[4]");
  EXPECT_THAT(
      error(with("[1]\t\"S-0000000000200004\"[7]\t\t# \"spine1\" lid 0 4xSDR\n", "")),
      HasSubstr("only this end knows of the link from 'S-0000000000200004' port 7 to 'S-0000000000200003' port 1"));
  EXPECT_THAT(error(with("Ca\t2 \"H-0000000000100018\"", "Ca\t2 \"H-000000000010001b\"")),
              HasSubstr("'H-000000000010001b' is described twice"));
  EXPECT_THAT(error(with("[2]\t\"S-0000000000200005\"[7]", "[1]\t\"S-0000000000200005\"[7]")),
              "fabric.ib:12: port 1 is described twice; keep one; the other is line 11");
  EXPECT_THAT(
      error(with("\"S-0000000000200004\"[7]", "\"S-00000000002000ff\"[7]")),
      "fabric.ib:11: a link leads to 'S-00000000002000ff', which the file does not describe; the file is cut or was "
      "edited; run ibnetdiscover again");
  EXPECT_THAT(error(with("lid 0 4xSDR", "lid 0 4x\?\?\?")),
              HasSubstr("fabric.ib:11: '4x\?\?\?' is not a width and speed of InfiniBand; write it as 4xEDR"));
  EXPECT_EQ(error(with("lid 0 4xSDR", "lid 0")),
            "fabric.ib:11: the link has no width and speed, as 4xEDR; give the output of ibnetdiscover");
  // A host without a cable, and one that is connected with another host.
  EXPECT_THAT(error(printed({{"h1", 1, "sA", 1}, {"h2", 1, "sA", 2}}) + "\nCa\t1 \"H-h3\"\t\t# \"h3\"\n"),
              HasSubstr("host 'h3' is on no switch; check its cable, or leave it out with --hosts FILE"));
  EXPECT_THAT(error(printed({{"h1", 1, "h2", 1}})), HasSubstr("host 'h1' is on no switch"));
  EXPECT_THAT(error(printed({{"sA", 1, "sB", 1}})), HasSubstr("no host; give the output of the whole fabric"));
  // Two hosts of one name.
  std::string same = printed({{"h1", 1, "sA", 1}, {"h2", 1, "sA", 2}});
  for (const std::string name : {"h1", "h2"}) same.replace(same.rfind("# \"" + name + "\"\n"), 6, "# \"node HCA-1\"\n");
  EXPECT_THAT(error(same),
              HasSubstr("a second adapter 'node HCA-1'; the other is line 3; restart rdma-ndd on these hosts"));
}

TEST_F(Ibnetdiscover, OtherFiles) {
  const std::string expected = "; give the output of ibnetdiscover";
  EXPECT_EQ(error(""), "fabric.ib: is empty" + expected);
  EXPECT_EQ(error("#\n"), "fabric.ib:1: no switch and no adapter" + expected);
  EXPECT_EQ(error("SwitchName=s0 Nodes=n[1-4]\n"),
            "fabric.ib:1: 'SwitchName=s0 Nodes=n[1-4]' is not a line of ibnetdiscover" + expected);
  EXPECT_EQ(
      error("SW     1  1 0x0000000000200000 4x SDR - CA     2  1 0x0000000000100001 ( 'leaf1' - 'node01' )\n"),
      "fabric.ib:1: 'SW     1  1 0x0000000000200000 4x SDR - CA     2  1 0x000000...' is not a line of ibnetdiscover" +
          expected);
  EXPECT_EQ(error("[1] \"S-1\"[2] # \"s\" lid 1 4xEDR\n"),
            "fabric.ib:1: a port of no switch and no adapter; give the whole output of ibnetdiscover");
  EXPECT_EQ(error("Switch\t8 \"S-1\"\t# \"s\"\n[x]\t\"S-2\"[1]\t# \"t\" lid 1 4xEDR\n"),
            "fabric.ib:2: '[x] \"S-2\"[1] # \"t\" lid 1 4xEDR' is not a port of ibnetdiscover" + expected);
}

// A file that is cut off is refused, unless only comments or blank lines are missing.
TEST_F(Ibnetdiscover, CutFiles) {
  const std::string whole = text_of(kSample);
  const size_t end = whole.find_last_not_of('\n') + 1;
  for (size_t length = 1; length < end; length += 7) {
    EXPECT_NE(error(whole.substr(0, length)), "no error") << length;
  }
  EXPECT_THAT(error(whole.substr(0, end)),
              HasSubstr("the file ends within a line; it is cut; run ibnetdiscover again"));
}

// Data rates of 4 lanes in Gb/s, as in the roadmap of the InfiniBand Trade Association.
TEST(InfiniBandRate, Roadmap) {
  const auto gigabits = [](const std::string& kind) { return infiniband_rate(kind)->gigabits_per_s; };
  EXPECT_DOUBLE_EQ(gigabits("4xSDR"), 8);
  EXPECT_DOUBLE_EQ(gigabits("4xDDR"), 16);
  EXPECT_DOUBLE_EQ(gigabits("4xQDR"), 32);
  EXPECT_NEAR(gigabits("4xFDR10"), 40, 1e-9);
  EXPECT_NEAR(gigabits("4xFDR"), 54.54, 0.01);
  EXPECT_NEAR(gigabits("4xEDR"), 100, 1e-9);
  EXPECT_NEAR(gigabits("4xHDR"), 200, 0.1);
  EXPECT_NEAR(gigabits("2xHDR"), 100, 0.1);
  EXPECT_NEAR(gigabits("4xNDR"), 400, 0.1);
  EXPECT_NEAR(gigabits("4xXDR"), 800, 0.2);
  EXPECT_EQ(infiniband_rate("4xEDR")->derivation, "4 lanes of 25.78125 Gb/s, 64b/66b");
  for (const std::string kind : {"4x\?\?\?", "\?\?EDR", "3xEDR", "4x", "EDR", "", "x", "44xEDR"})
    EXPECT_FALSE(infiniband_rate(kind)) << kind;
}

}  // namespace
}  // namespace strata
