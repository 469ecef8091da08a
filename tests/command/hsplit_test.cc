// SPDX-License-Identifier: LGPL-2.1-only
// strata hsplit: the worked examples of RR-9077, cases that other implementations get wrong, the placement of ranks,
// and the MPI code under SMPI compared with its pure core on every machine of the catalog.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/command/strata_process.h"

namespace strata {
namespace {

using Json = nlohmann::ordered_json;

// Figure 1 of RR-9077: two packages, each a NUMA node with an L3 and two L2s of two cores; the two cores share an L1.
constexpr const char* kFigure1Node = R"(schema: strata.machine/1
name: figure1
description: the node of RR-9077, Figure 1
source: "published: RR-9077, Figure 1"
node: {synthetic: "pack:2 [numa] l3:1 l2:2 l1d:1 core:2 pu:1"}
network: {nodes: NODES}
costs:
  core:
    speed: {value: 1, unit: Gflop/s, source: "assumed: no cost matters here"}
    copy_bandwidth: {value: 1, unit: GB/s, source: "assumed: no cost matters here"}
  eager_limit: {value: 4, unit: KiB, source: "assumed: no cost matters here"}
  levels:
)";

std::string figure1(const TemporaryFolder& folder, int nodes) {
  std::string text = kFigure1Node;
  text.replace(text.find("NODES"), 5, std::to_string(nodes));
  std::vector<std::string> levels = {"Machine", "L3", "L1d"};
  if (nodes > 1) levels.insert(levels.begin(), "System - Cluster");
  for (const std::string& level : levels) {
    text += "    - level: " + level + "\n";
    for (const char* figure : {"latency", "overhead"}) {
      text += std::string("      ") + figure + ": {value: 1, unit: us, source: \"assumed: no cost matters here\"}\n";
    }
    for (const char* figure : {"bandwidth", "link_bandwidth"}) {
      text += std::string("      ") + figure + ": {value: 1, unit: GB/s, source: \"assumed: no cost matters here\"}\n";
    }
  }
  return folder.write("machine-" + std::to_string(nodes) + ".yaml", text);
}

Json level(const std::string& type, const std::vector<int>& members, int num_comms, int index, const Json& roots) {
  return {{"type", type}, {"members", members}, {"num_comms", num_comms}, {"index", index}, {"roots", roots}};
}

std::vector<int> range(int first, int count, int step = 1) {
  std::vector<int> ranks;
  for (int i = 0; i < count; ++i) ranks.push_back(first + i * step);
  return ranks;
}

const std::vector<std::string> kEngines = {"smpi", "pure"};

Ran hsplit(const std::string& engine, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "hsplit");
  arguments.insert(arguments.end(), {"--engine", engine, "--json"});
  return run_strata(arguments);
}

// The levels of each rank. The run must succeed.
std::vector<Json> levels_of(const std::string& engine, const std::vector<std::string>& arguments) {
  const Ran ran = hsplit(engine, arguments);
  EXPECT_EQ(ran.code, 0) << ran.err;
  std::vector<Json> levels;
  const Json document = Json::parse(ran.out);
  for (const Json& rank : document["ranks"]) levels.push_back(rank["levels"]);
  return levels;
}

// RR-9077, Section 5.1: 4 nodes, 32 ranks; rank 8k + i is on core i of node k. Compares the document byte for byte.
TEST(Hsplit, Section51) {
  const TemporaryFolder folder;
  Json expected = {{"schema", "strata.hsplit/1"}, {"np", 32}, {"ranks", Json::array()}};
  for (int x = 0; x < 32; ++x) {
    const int k = x / 8, i = x % 8;
    const int l3 = i / 4, l1 = i % 4 / 2, core = i % 2;
    const int first_of_l3 = 8 * k + 4 * l3, first_of_l1 = first_of_l3 + 2 * l1;
    const auto roots = [](bool root, const std::vector<int>& ranks) { return root ? Json(ranks) : Json(); };
    const Json levels = {level("Machine", range(8 * k, 8), 4, k, roots(i == 0, {0, 8, 16, 24})),
                         level("L3", range(first_of_l3, 4), 2, l3, roots(i % 4 == 0, {8 * k, 8 * k + 4})),
                         level("L1d", range(first_of_l1, 2), 2, l1, roots(core == 0, {first_of_l3, first_of_l3 + 2})),
                         level("Core", {x}, 2, core, roots(true, {first_of_l1, first_of_l1 + 1}))};
    expected["ranks"].push_back({{"rank", x}, {"node", k}, {"cpuset", std::to_string(i)}, {"levels", levels}});
  }
  const std::string machine = figure1(folder, 4);
  for (const std::string& engine : kEngines) {
    const Ran ran = hsplit(engine, {"--machine", machine, "--np", "32"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.out, expected.dump() + "\n") << engine;
  }
}

// RR-9077, Section 5.2: ranks 0 and 1 on cores, 2 and 3 on an L2, 4 to 7 on NUMA node 1. Compares the document byte for
// byte.
TEST(Hsplit, Section52) {
  const TemporaryFolder folder;
  const std::string bindings = folder.write("bindings.txt",
                                            "# RR-9077, Figure 2\n0 0 0\n1 0 1\n2 0 2-3\n3 0 2,3\n"
                                            "4 0 4-7\n5 0 4-7\n6 0 4-7\n7 0 4-7\n");
  const std::string expected = R"({"schema":"strata.hsplit/1","np":8,"ranks":[)"
                               R"({"rank":0,"node":0,"cpuset":"0","levels":[)"
                               R"({"type":"L3","members":[0,1,2,3],"num_comms":2,"index":0,"roots":[0,4]},)"
                               R"({"type":"L1d","members":[0,1],"num_comms":2,"index":0,"roots":[0,2]},)"
                               R"({"type":"Core","members":[0],"num_comms":2,"index":0,"roots":[0,1]}]},)"
                               R"({"rank":1,"node":0,"cpuset":"1","levels":[)"
                               R"({"type":"L3","members":[0,1,2,3],"num_comms":2,"index":0,"roots":null},)"
                               R"({"type":"L1d","members":[0,1],"num_comms":2,"index":0,"roots":null},)"
                               R"({"type":"Core","members":[1],"num_comms":2,"index":1,"roots":[0,1]}]},)"
                               R"({"rank":2,"node":0,"cpuset":"2-3","levels":[)"
                               R"({"type":"L3","members":[0,1,2,3],"num_comms":2,"index":0,"roots":null},)"
                               R"({"type":"L1d","members":[2,3],"num_comms":2,"index":1,"roots":[0,2]}]},)"
                               R"({"rank":3,"node":0,"cpuset":"2-3","levels":[)"
                               R"({"type":"L3","members":[0,1,2,3],"num_comms":2,"index":0,"roots":null},)"
                               R"({"type":"L1d","members":[2,3],"num_comms":2,"index":1,"roots":null}]},)"
                               R"({"rank":4,"node":0,"cpuset":"4-7","levels":[)"
                               R"({"type":"L3","members":[4,5,6,7],"num_comms":2,"index":1,"roots":[0,4]}]},)"
                               R"({"rank":5,"node":0,"cpuset":"4-7","levels":[)"
                               R"({"type":"L3","members":[4,5,6,7],"num_comms":2,"index":1,"roots":null}]},)"
                               R"({"rank":6,"node":0,"cpuset":"4-7","levels":[)"
                               R"({"type":"L3","members":[4,5,6,7],"num_comms":2,"index":1,"roots":null}]},)"
                               R"({"rank":7,"node":0,"cpuset":"4-7","levels":[)"
                               R"({"type":"L3","members":[4,5,6,7],"num_comms":2,"index":1,"roots":null}]}]})"
                               "\n";
  for (const std::string& engine : kEngines) {
    const Ran ran = hsplit(engine, {"--machine", figure1(folder, 1), "--bindings", bindings});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.out, expected) << engine;
  }
}

// Open MPI issue 12812: 8 ranks of 3 cores each on L3s of 8 cores. There the groups overlap. The correct groups are
// {0,1}, {3,4} and {6,7}; ranks 2 and 5, which span two L3s, have none.
TEST(Hsplit, BindingsThatSpanObjects) {
  const TemporaryFolder folder;
  const std::string xml = built("tests/sim/data/24l3-3l8c.xml");
  std::string bindings;
  for (int r = 0; r < 8; ++r) {
    bindings += std::to_string(r) + " 0 " + std::to_string(3 * r) + "-" + std::to_string(3 * r + 2) + "\n";
  }
  const std::string file = folder.write("bindings.txt", bindings);
  for (const std::string& engine : kEngines) {
    const std::vector<Json> levels = levels_of(engine, {"--xml", xml, "--nodes", "1", "--bindings", file});
    ASSERT_EQ(levels.size(), 8u);
    for (int group = 0; group < 3; ++group) {
      const int first = 3 * group;
      EXPECT_EQ(levels[first], Json::array({level("L3", {first, first + 1}, 3, group, {0, 3, 6})})) << engine;
      EXPECT_EQ(levels[first + 1], Json::array({level("L3", {first, first + 1}, 3, group, Json())})) << engine;
    }
    EXPECT_EQ(levels[2], Json::array()) << engine;
    EXPECT_EQ(levels[5], Json::array()) << engine;
  }
}

// Open MPI issue 10416: there, unbound ranks give groups of one. The correct result has no level within a node; on
// several nodes, the node is the only level.
TEST(Hsplit, UnboundRanks) {
  for (const std::string& engine : kEngines) {
    const std::string xml = built("tests/sim/data/24l3-3l8c.xml");
    for (const Json& levels : levels_of(engine, {"--xml", xml, "--nodes", "1", "--np", "6", "--bind-to", "none"})) {
      EXPECT_EQ(levels, Json::array()) << engine;
    }
    const std::vector<Json> ten =
        levels_of(engine, {"--machine", "ntw10e5", "--np", "30", "--map-by", "node", "--bind-to", "none"});
    ASSERT_EQ(ten.size(), 30u);
    for (int r = 0; r < 30; ++r) {
      const Json roots = r < 10 ? Json(range(0, 10)) : Json();
      EXPECT_EQ(ten[r], Json::array({level("Machine", range(r % 10, 3, 10), 10, r % 10, roots)})) << engine;
    }
  }
}

TEST(Hsplit, OneRankHasNoLevel) {
  for (const std::string& engine : kEngines) {
    for (const char* bind : {"none", "core"}) {
      const Ran ran = hsplit(engine, {"--machine", "ntw10e5", "--np", "1", "--bind-to", bind});
      const std::string cpuset = std::string(bind) == "none" ? "0-23" : "0";
      EXPECT_EQ(ran.code, 0) << ran.err;
      EXPECT_EQ(ran.out, R"({"schema":"strata.hsplit/1","np":1,"ranks":[{"rank":0,"node":0,"cpuset":")" + cpuset +
                             R"(","levels":[]}]})" + "\n");
    }
  }
}

// One rank per node, bound to a core: the communicator is named after the lowest object that covers it.
TEST(Hsplit, OneRankANodeIsCalledCore) {
  for (const std::string& engine : kEngines) {
    const std::vector<Json> levels = levels_of(engine, {"--machine", "ntw10e5", "--np", "10", "--map-by", "node"});
    ASSERT_EQ(levels.size(), 10u);
    for (int r = 0; r < 10; ++r) EXPECT_EQ(levels[r], Json::array({level("Core", {r}, 10, r, range(0, 10))}));
  }
}

// Two nodes of RR-9077, Figure 1, whose ranks alternate between nodes and L3s. The text lists each communicator below
// the one of which it is a part, in the order of the tree, so its ranks are among those of the line above it.
TEST(Hsplit, TextIsATreeIfMappingsAlternate) {
  const TemporaryFolder folder;
  const std::vector<std::string> arguments = {"hsplit", "--machine", figure1(folder, 2), "--np", "16", "--map-by"};
  const auto text_of = [&](const std::string& map_by, const std::string& engine) {
    std::vector<std::string> all = arguments;
    all.insert(all.end(), {map_by, "--engine", engine});
    const Ran ran = run_strata(all);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.out;
  };
  for (const std::string& engine : kEngines) {
    EXPECT_EQ(text_of("node", engine),
              "MPI_COMM_WORLD: ranks 0-15\n"
              "  Machine 0/2: ranks 0,2,4,6,8,10,12,14   roots 0-1\n"
              "    L3 0/2: ranks 0,2,4,6   roots 0,8\n"
              "      L1d 0/2: ranks 0,2   roots 0,4\n"
              "        Core 0/2: ranks 0   roots 0,2\n"
              "        Core 1/2: ranks 2   roots 0,2\n"
              "      L1d 1/2: ranks 4,6   roots 0,4\n"
              "        Core 0/2: ranks 4   roots 4,6\n"
              "        Core 1/2: ranks 6   roots 4,6\n"
              "    L3 1/2: ranks 8,10,12,14   roots 0,8\n"
              "      L1d 0/2: ranks 8,10   roots 8,12\n"
              "        Core 0/2: ranks 8   roots 8,10\n"
              "        Core 1/2: ranks 10   roots 8,10\n"
              "      L1d 1/2: ranks 12,14   roots 8,12\n"
              "        Core 0/2: ranks 12   roots 12,14\n"
              "        Core 1/2: ranks 14   roots 12,14\n"
              "  Machine 1/2: ranks 1,3,5,7,9,11,13,15   roots 0-1\n"
              "    L3 0/2: ranks 1,3,5,7   roots 1,9\n"
              "      L1d 0/2: ranks 1,3   roots 1,5\n"
              "        Core 0/2: ranks 1   roots 1,3\n"
              "        Core 1/2: ranks 3   roots 1,3\n"
              "      L1d 1/2: ranks 5,7   roots 1,5\n"
              "        Core 0/2: ranks 5   roots 5,7\n"
              "        Core 1/2: ranks 7   roots 5,7\n"
              "    L3 1/2: ranks 9,11,13,15   roots 1,9\n"
              "      L1d 0/2: ranks 9,11   roots 9,13\n"
              "        Core 0/2: ranks 9   roots 9,11\n"
              "        Core 1/2: ranks 11   roots 9,11\n"
              "      L1d 1/2: ranks 13,15   roots 9,13\n"
              "        Core 0/2: ranks 13   roots 13,15\n"
              "        Core 1/2: ranks 15   roots 13,15\n")
        << engine;
  }
  // Every line's ranks are among those of the last line that is indented less.
  for (const char* map_by : {"node", "package", "l3", "l2", "core"}) {
    std::istringstream lines(text_of(map_by, "pure"));
    std::vector<std::set<int>> open;  // the communicator of each level that contains the current line
    int communicators = 0;
    for (std::string line; std::getline(lines, line); ++communicators) {
      const size_t depth = line.find_first_not_of(' ') / 2, ranks = line.find("ranks ") + 6;
      std::set<int> members;
      std::istringstream list(line.substr(ranks, line.find("   roots") - ranks));
      for (std::string range; std::getline(list, range, ',');) {
        const size_t dash = range.find('-');
        const int first = std::stoi(range),
                  last = dash == std::string::npos ? first : std::stoi(range.substr(dash + 1));
        for (int r = first; r <= last; ++r) members.insert(r);
      }
      ASSERT_LE(depth, open.size()) << map_by << ": " << line;
      open.resize(depth);
      if (depth > 0) {
        EXPECT_TRUE(std::includes(open.back().begin(), open.back().end(), members.begin(), members.end()))
            << map_by << ": " << line;
      }
      open.push_back(members);
    }
    EXPECT_EQ(communicators, 1 + 2 + 4 + 8 + 16) << map_by;
  }
}

struct Placed {
  std::vector<std::string> arguments;
  std::vector<std::pair<int, std::string>> expected;  // node and cpuset of the first ranks
};

// NTW10E5: 10 nodes, each with 2 packages of 2 NUMA nodes of 6 cores; each core has one PU.
TEST(Hsplit, Placement) {
  const std::vector<Placed> cases = {
      {{"--np", "26"}, {{0, "0"}, {0, "1"}, {0, "2"}, {0, "3"}}},
      {{"--np", "24", "--map-by", "node"},
       {{0, "0"},
        {1, "0"},
        {2, "0"},
        {3, "0"},
        {4, "0"},
        {5, "0"},
        {6, "0"},
        {7, "0"},
        {8, "0"},
        {9, "0"},
        {0, "1"},
        {1, "1"}}},
      {{"--np", "6", "--map-by", "package"}, {{0, "0"}, {0, "12"}, {1, "0"}, {1, "12"}, {2, "0"}, {2, "12"}}},
      {{"--np", "5", "--map-by", "numa"}, {{0, "0"}, {0, "6"}, {0, "12"}, {0, "18"}, {1, "0"}}},
      {{"--np", "3", "--map-by", "l3"}, {{0, "0"}, {0, "6"}, {0, "12"}}},
      {{"--np", "3", "--bind-to", "numa"}, {{0, "0-5"}, {0, "0-5"}, {0, "0-5"}}},
      {{"--np", "3", "--map-by", "package", "--bind-to", "package"}, {{0, "0-11"}, {0, "12-23"}, {1, "0-11"}}},
      {{"--np", "2", "--bind-to", "none"}, {{0, "0-23"}, {0, "0-23"}}},
      {{"--np", "241", "--oversubscribe", "--map-by", "core"}, {{0, "0"}, {0, "1"}}},
  };
  for (const Placed& c : cases) {
    std::vector<std::string> arguments = {"--machine", "ntw10e5"};
    arguments.insert(arguments.end(), c.arguments.begin(), c.arguments.end());
    const Ran ran = hsplit("pure", arguments);
    ASSERT_EQ(ran.code, 0) << ran.err;
    const Json document = Json::parse(ran.out);
    EXPECT_EQ(std::to_string(document["np"].get<int>()), c.arguments[1]);
    ASSERT_EQ(document["ranks"].size(), document["np"].get<size_t>());
    for (size_t r = 0; r < c.expected.size(); ++r) {
      EXPECT_EQ(document["ranks"][r]["rank"], r);
      EXPECT_EQ(document["ranks"][r]["node"], c.expected[r].first) << ::testing::PrintToString(arguments) << r;
      EXPECT_EQ(document["ranks"][r]["cpuset"], c.expected[r].second) << ::testing::PrintToString(arguments) << r;
    }
  }
  const Ran last = hsplit("pure", {"--machine", "ntw10e5", "--np", "240", "--map-by", "numa"});
  const Json ranks = Json::parse(last.out)["ranks"];
  EXPECT_EQ(ranks[239]["node"], 9);
  EXPECT_EQ(ranks[239]["cpuset"], "23");
  EXPECT_EQ(ranks[40]["cpuset"], "1") << "the second round begins with the second core of the first NUMA node";
}

struct Source {
  std::string name;
  std::vector<std::string> arguments;
  int few, all;
};

std::vector<Source> sources() {
  std::vector<Source> result = {{"ntw10e5", {"--machine", "ntw10e5"}, 31, 0}};
  for (const char* name : {"32smt-2p4n16c2t", "32knl-2n8c4t", "8nocore-2p2n", "16groups-2g2g2p2c", "4nested-2p3n",
                           "5asymmetric-2p2n5c", "4memory-2p3n", "4disallowed-2p2n", "4io-2p2n"}) {
    result.push_back(
        {name, {"--xml", built(std::string("tests/platforms/data/") + name + ".xml"), "--nodes", "2"}, 3, 0});
  }
  return result;
}

class Engines : public ::testing::TestWithParam<Source> {};

// All mappings with all bindings. The number of ranks rotates through 1, few and all, so that all combinations occur.
TEST_P(Engines, Agree) {
  const std::vector<std::string> types = {"node", "numa", "package", "l3", "l2", "core"};
  int turn = 0, succeeded = 0;
  for (const std::string& map : types) {
    for (std::string bind : {"node", "numa", "package", "l3", "l2", "core", "none"}) {
      std::vector<std::string> arguments = GetParam().arguments;
      arguments.insert(arguments.end(), {"--map-by", map, "--bind-to", bind});
      const int np = turn % 3 == 0 ? GetParam().few : turn % 3 == 1 ? 0 : 1;
      if (np > 0) arguments.insert(arguments.end(), {"--np", std::to_string(np)});
      ++turn;
      const Ran pure = hsplit("pure", arguments), smpi = hsplit("smpi", arguments);
      EXPECT_EQ(pure.code, smpi.code) << ::testing::PrintToString(arguments) << pure.err << smpi.err;
      EXPECT_EQ(pure.out, smpi.out) << ::testing::PrintToString(arguments);
      EXPECT_EQ(pure.err, smpi.err) << ::testing::PrintToString(arguments);
      EXPECT_TRUE(pure.code == 0 || pure.code == 2) << pure.err;  // 2: there are no objects of that type
      succeeded += pure.code == 0 ? 1 : 0;
    }
  }
  EXPECT_GE(succeeded, 6) << "too few placements are possible for this to say anything";
}

INSTANTIATE_TEST_SUITE_P(Machines, Engines, ::testing::ValuesIn(sources()), [](const auto& info) {
  std::string name = info.param.name;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
});

}  // namespace
}  // namespace strata
