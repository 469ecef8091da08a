// SPDX-License-Identifier: LGPL-2.1-only
// The placement file: files written and read back, and an error line for every fault.
#include "records/exchange/placement_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>

#include "base/error.h"
#include "platforms/placement.h"
#include "tests/error_of.h"

namespace strata {
namespace {

namespace fs = std::filesystem;

class PlacementFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::create_directories(folder_);
  }
  fs::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  // The error for a placement file with this text, without the folder's path.
  std::string refused(const std::string& text) const {
    const fs::path file = write("placement", text);
    return error_of([&] { read_placement_file(file); }, folder_.string() + "/");
  }
  std::string network_refused(const std::string& network) const {
    return refused("node-synthetic core:2\nnetwork " + network + "\nbindings " + bindings() + "\n");
  }
  std::string bindings() const { return write("bindings.txt", "0 0 0\n1 0 1\n").string(); }

  fs::path folder_;
};

// Every vertex of the network as "name[nodes below]", nested: the network as a tree.
std::string shape_of(const Topology& t, int v = 0) {
  if (t.type(v) == ObjectType::kMachine) return "m";
  std::string text = t.name(v) + "[";
  for (int c : t.children(v)) text += shape_of(t, c);
  return text + "]";
}

TEST_F(PlacementFileTest, ReadsWhatItsCommentShows) {
  write("bindings.txt", "0 0 0-1\n2 23 0\n1 12 1  # a comment\n");
  const PlacementFile p =
      read_placement_file(write("placement",
                                "# a machine\nnode-synthetic pack:1 core:2 pu:1   # its node\n\n"
                                "network (Switch 12) (Switch 6) (Pod (Switch 4) (Switch 2))\nbindings " +
                                    (folder_ / "bindings.txt").string() + "  # trailing\n"));
  EXPECT_EQ(shape_of(*p.topology), "System - Cluster[Switch[mmmmmmmmmmmm]Switch[mmmmmm]Pod[Switch[mmmm]Switch[mm]]]");
  ASSERT_EQ(p.vertex.size(), 3u);
  EXPECT_EQ(p.topology->node(p.vertex[0]), 0);
  EXPECT_EQ(p.topology->name(p.vertex[0]), "NUMANode");  // hwloc's default NUMA node, in the package
  EXPECT_EQ(p.topology->node(p.vertex[1]), 12);
  EXPECT_EQ(p.topology->name(p.vertex[1]), "Core");
  EXPECT_EQ(p.topology->object(p.vertex[1])->cpuset.list(), "1");
  EXPECT_EQ(p.topology->node(p.vertex[2]), 23);
}

TEST_F(PlacementFileTest, WritesWhatItsCommentShows) {
  const NetworkGroup pod{
      .level = "Pod",
      .groups = {{.level = "Switch", .groups = {}, .nodes = 4}, {.level = "Switch", .groups = {}, .nodes = 2}},
      .nodes = 0};
  const NetworkGroup network{.level = "", .groups = {{.level = "Switch", .groups = {}, .nodes = 12}, pod}, .nodes = 3};
  EXPECT_EQ(format_placement_file("/a/node.xml", "", network, "/a/b.txt"),
            "node-xml /a/node.xml\nnetwork (Switch 12) (Pod (Switch 4) (Switch 2)) 3\nbindings /a/b.txt\n");
  EXPECT_EQ(format_placement_file("", "pack:2 core:6", {.level = "", .groups = {}, .nodes = 10}, "/a/b.txt"),
            "node-synthetic pack:2 core:6\nnetwork 10\nbindings /a/b.txt\n");
}

// A level can have any name: fat trees have a "Switch 2".
TEST_F(PlacementFileTest, NamesOfLevelsAreReadBack) {
  for (const std::string name : {"Switch 2", "2", "(", "a (b) #1", "100%", "Bühne\n\t7", "%20"}) {
    const NetworkGroup network{
        .level = "",
        .groups = {{.level = name, .groups = {{"Switch", {}, 2}, {"Switch", {}, 1}}, .nodes = 0}},
        .nodes = 1};
    const std::string text = format_placement_file("", "core:2 pu:1", network, bindings());
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3) << text;
    EXPECT_EQ(shape_of(*read_placement_file(write("placement", text)).topology),
              "System - Cluster[" + name + "[Switch[mm]Switch[m]]m]");
  }
}

TEST_F(PlacementFileTest, XmlIsReadBack) {
  const std::string xml = folder_ / "node.xml";
  export_synthetic_as_xml("pack:2 l3:1 core:3 pu:2", xml);
  const auto t = flat_cluster(import_node_xml(xml), 2);
  const auto ranks = place(*t, 12, {.map_by = "package", .bind_to = "core"});
  const fs::path b = write("bindings.txt", format_bindings(ranks));
  const PlacementFile p = read_placement_file(
      write("placement", format_placement_file(xml, "", {.level = "", .groups = {}, .nodes = 2}, b)));
  ASSERT_EQ(p.vertex.size(), 12u);
  EXPECT_EQ(p.topology->num_vertices(), t->num_vertices());
  for (int r = 0; r < 12; ++r) EXPECT_EQ(p.vertex[r], ranks[r].core) << "rank " << r;
}

// Random networks: groups nested to any depth, with nodes at any depth.
TEST_F(PlacementFileTest, RandomNetworksAreReadBack) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const std::function<NetworkGroup(int)> any = [&](int levels) {
    NetworkGroup g{.level = std::string("Level") + std::to_string(below(3)), .groups = {}, .nodes = below(3)};
    for (int i = levels > 0 ? below(4) : 0; i > 0; --i) g.groups.push_back(any(levels - 1));
    if (g.groups.empty()) g.nodes += 1;
    return g;
  };
  const auto node = import_node_synthetic("core:2 pu:1");
  const std::string b = bindings();
  for (int round = 0; round < 300; ++round) {
    const NetworkGroup network = any(3);
    const Topology t(network, std::vector(network.count_nodes(), node));
    const PlacementFile p =
        read_placement_file(write("placement", format_placement_file("", "core:2 pu:1", network, b)));
    ASSERT_EQ(shape_of(*p.topology), shape_of(t));
  }
}

TEST_F(PlacementFileTest, TheSecondHalfMayBeProgressThreads) {
  const std::string b = write("b.txt", "0 0 0\n1 0 1\n2 0 2\n3 0 2\n").string();
  const auto written = [&](int application) {
    return format_placement_file("", "core:3 pu:1", {"", {}, 1}, b, application);
  };
  EXPECT_EQ(written(2), "node-synthetic core:3 pu:1\nnetwork 1\nbindings " + b + "\napplication 2\n");
  EXPECT_EQ(read_placement_file(write("placement", written(2))).application, 2);
  EXPECT_EQ(read_placement_file(write("placement", written(0))).application, 0);
  const std::string half =
      " is not half of the 4 ranks that are bound; bind each rank of the application, then each "
      "one's progress thread";
  EXPECT_EQ(refused(written(1)), "placement:4: application: '1'" + half);
  EXPECT_EQ(refused(written(0) + "application two\n"), "placement:4: application: 'two'" + half);
  EXPECT_EQ(refused(written(2) + "application 2\n"),
            "placement:5: 'application' is duplicate; give each word one line");
}

// Three nodes of two types.
TEST_F(PlacementFileTest, NodesMayDiffer) {
  const std::string xml = folder_ / "node one.xml";
  export_synthetic_as_xml("pack:2 core:3 pu:1", xml);
  const NetworkGroup network{.level = "", .groups = {{"Switch", {}, 2}}, .nodes = 1};
  const std::string b = write("b.txt", "0 0 5\n1 1 0\n2 2 1\n").string();
  const std::string text = format_placement_file({{2, xml, ""}, {1, "", "core:2 pu:1"}}, network, b);
  EXPECT_EQ(text, "node-kind 2 xml " + xml + "\nnode-kind 1 synthetic core:2 pu:1\nnetwork (Switch 2) 1\nbindings " +
                      b + "\n");
  const PlacementFile p = read_placement_file(write("placement", text));
  EXPECT_EQ(p.topology->cores().size(), 6u + 6 + 2);
  EXPECT_EQ(p.topology->node(p.vertex[2]), 2);
  const std::string network_line = "network 2\nbindings x\n", remedy = "; write `4 xml PATH` or `4 synthetic TEXT`";
  EXPECT_EQ(refused("node-kind 3 synthetic core:2\n" + network_line),
            "placement: has 3 nodes by node-kind, and 2 in its network; describe each node");
  for (const std::string bad : {"", "0 xml a", "x xml a", "2", "2 xml", "2 file a", "-1 synthetic core:2"}) {
    EXPECT_EQ(refused("node-kind " + bad + "\n" + network_line),
              "placement:1: node-kind: '" + bad + "' is not nodes of a kind" + remedy);
  }
  EXPECT_EQ(refused("node-synthetic core:2\nnode-kind 1 synthetic core:2\n"),
            "placement:2: a second node; give node-xml or node-synthetic, once");
}

TEST_F(PlacementFileTest, PathsMayHoldNumberSigns) {
  const std::string b = write("run#3 b.txt", "0 0 1\n").string();
  const PlacementFile p =
      read_placement_file(write("placement", format_placement_file("", "core:2 pu:1", {"", {}, 1}, b)));
  EXPECT_EQ(p.vertex.size(), 1u);
}

TEST_F(PlacementFileTest, FaultsOfTheFile) {
  EXPECT_THAT(error_of([&] { read_placement_file(folder_ / "nowhere"); }),
              testing::EndsWith("nowhere: No such file or directory; STRATA_PLACEMENT names a placement file"));
  try {
    read_placement_file(folder_);
    ADD_FAILURE() << "a folder was read";
  } catch (const InputError& e) {
    EXPECT_EQ(std::string(e.what()), folder_.string() + ": is a directory; STRATA_PLACEMENT names a placement file");
  }
  const std::string lacks = "; give node-xml or node-synthetic, network, and bindings";
  EXPECT_EQ(refused(""), "placement: lacks a line" + lacks);
  EXPECT_EQ(refused("network 1\nbindings " + bindings() + "\n"), "placement: lacks a line" + lacks);
  EXPECT_EQ(refused("node-synthetic core:2\nbindings " + bindings() + "\n"), "placement: lacks a line" + lacks);
  EXPECT_EQ(refused("node-synthetic core:2\nnetwork 1\n"), "placement: lacks a line" + lacks);
  EXPECT_EQ(refused("node-synthetic core:2\nnetwork 1\nbindings\n"), "placement: lacks a line" + lacks);
  EXPECT_EQ(refused("node-synthetic core:2\nnodes 1\n"),
            "placement:2: unknown word 'nodes'; known are node-xml, node-synthetic, node-kind, network, bindings, "
            "application");
  EXPECT_EQ(refused("\n# x\nnode core:2\n"),
            "placement:3: unknown word 'node'; known are node-xml, node-synthetic, node-kind, network, bindings, "
            "application");
  EXPECT_EQ(refused("network 1\nnetwork 2\n"), "placement:2: 'network' is duplicate; give each word one line");
  EXPECT_EQ(refused("node-xml x.xml\nnode-synthetic core:2\n").substr(0, 5), "x.xml");
  EXPECT_EQ(refused("node-synthetic core:2\nnode-synthetic core:2\n"),
            "placement:2: a second node; give node-xml or node-synthetic, once");
}

TEST_F(PlacementFileTest, FaultsOfTheNetwork) {
  const std::string where = "placement:2: network: ", remedy = "; write `10` or `(Switch 12) (Switch 6)`";
  EXPECT_EQ(network_refused(""), where + "a group without nodes" + remedy);
  EXPECT_EQ(network_refused("0"), where + "a group without nodes" + remedy);
  EXPECT_EQ(network_refused("(Switch)"), where + "a group without nodes" + remedy);
  EXPECT_EQ(network_refused("(Switch 1) (Switch 0)"), where + "a group without nodes" + remedy);
  EXPECT_EQ(network_refused("( 3)"), where + "a group without a name" + remedy);
  EXPECT_EQ(network_refused("()"), where + "a group without a name" + remedy);
  EXPECT_EQ(network_refused("(Switch 3"), where + "'(' without ')'" + remedy);
  EXPECT_EQ(network_refused("(Pod (Switch 3)"), where + "'(' without ')'" + remedy);
  EXPECT_EQ(network_refused("3)"), where + "')' without '('" + remedy);
  EXPECT_EQ(network_refused("(Switch 3))"), where + "')' without '('" + remedy);
  EXPECT_EQ(network_refused("ten"), where + "'ten' is not a number of nodes" + remedy);
  EXPECT_EQ(network_refused("-1"), where + "'-1' is not a number of nodes" + remedy);
  EXPECT_EQ(network_refused("12345678"), where + "'12345678' is not a number of nodes" + remedy);
  EXPECT_EQ(network_refused("(Pod%2 3)"), where + "'Pod%2' has a % without two digits" + remedy);
  EXPECT_EQ(network_refused("(Pod%2g 3)"), where + "'Pod%2g' has a % without two digits" + remedy);
  EXPECT_EQ(network_refused("3x"), where + "'3x' is not a number of nodes" + remedy);
  EXPECT_EQ(network_refused("9999999"), where + "more than 1000000 nodes" + remedy);
  EXPECT_EQ(network_refused("(A 900000) (B 900000)"), where + "more than 1000000 nodes" + remedy);
}

TEST_F(PlacementFileTest, FaultsOfNodeAndBindings) {
  EXPECT_THAT(refused("node-xml " + (folder_ / "none.xml").string() + "\nnetwork 1\nbindings x\n"),
              testing::StartsWith("none.xml: "));
  EXPECT_THAT(refused("node-synthetic core:\nnetwork 1\nbindings x\n"), testing::HasSubstr("core:"));
  EXPECT_THAT(refused("node-synthetic core:2\nnetwork 1\nbindings " + (folder_ / "none.txt").string() + "\n"),
              testing::StartsWith("none.txt: No such file or directory"));
  const std::string bad = write("bad.txt", "0 1 0\n").string();
  EXPECT_EQ(refused("node-synthetic core:2\nnetwork 1\nbindings " + bad + "\n"),
            "bad.txt:1: node 1 is not there; the machine has nodes 0 to 0");
}

}  // namespace
}  // namespace strata
