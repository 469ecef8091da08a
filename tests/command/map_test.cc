// SPDX-License-Identifier: LGPL-2.1-only
// strata map: the document of the contract, costs recomputed from new_rank and the tree, the files for mpirun and for
// --bindings, drawings, and bad input.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "platforms/node_tree.h"
#include "tests/command/expect_refused.h"
#include "tests/command/strata_process.h"

namespace strata {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Arguments = std::vector<std::string>;
using Flows = std::map<std::pair<int, int>, double>;

const Arguments kAlgorithms = {"treematch", "scotch", "roundrobin", "random", "identity"};

Ran map(Arguments arguments, const Arguments& more = {}) {
  arguments.insert(arguments.begin(), "map");
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_strata(arguments);
}

Json document_of(const Arguments& arguments, const Arguments& more = {}) {
  Arguments all = more;
  all.emplace_back("--json");
  const Ran ran = map(arguments, all);
  EXPECT_EQ(ran.code, 0) << ::testing::PrintToString(arguments) << ran.err;
  return ran.code == 0 ? Json::parse(ran.out) : Json();
}

std::string matrix_market(int order, const Flows& flows) {
  std::string text = "%%MatrixMarket matrix coordinate integer general\n" + std::to_string(order) + " " +
                     std::to_string(order) + " " + std::to_string(flows.size()) + "\n";
  for (const auto& [pair, bytes] : flows) {
    text += std::to_string(pair.first + 1) + " " + std::to_string(pair.second + 1) + " " +
            std::to_string(static_cast<long>(bytes)) + "\n";
  }
  return text;
}

// A mesh of rows x columns with shuffled rank numbers.
Flows shuffled_stencil(int rows, int columns, unsigned seed) {
  std::vector<int> name(rows * columns);
  std::iota(name.begin(), name.end(), 0);
  std::mt19937_64 engine(seed);
  for (size_t i = name.size(); i-- > 1;) std::swap(name[i], name[engine() % (i + 1)]);
  Flows flows;
  const auto join = [&](int a, int b) { flows[{name[a], name[b]}] = flows[{name[b], name[a]}] = 1000; };
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      if (c + 1 < columns) join(r * columns + c, r * columns + c + 1);
      if (r + 1 < rows) join(r * columns + c, (r + 1) * columns + c);
    }
  }
  return flows;
}

Flows random_flows(int order, unsigned seed) {
  std::mt19937_64 engine(seed);
  Flows flows;
  for (int i = 0; i < 6 * order; ++i) {
    flows[{static_cast<int>(engine() % order), static_cast<int>(engine() % order)}] =
        static_cast<double>(1 + engine() % 100000);
  }
  return flows;
}

// The path from the root to each core: the index of the child at each vertex in the tree of `strata topo --json`.
using Way = std::vector<int>;
void collect_cores(const Json& vertex, Way& way, std::vector<Way>& cores) {
  if (vertex["type"] == "Core") {
    cores.push_back(way);
    return;
  }
  for (size_t i = 0; i < vertex["children"].size(); ++i) {
    way.push_back(static_cast<int>(i));
    collect_cores(vertex["children"][i], way, cores);
    way.pop_back();
  }
}

std::vector<Way> cores_of(const Arguments& machine) {
  Arguments arguments = machine;
  arguments.front() = "topo";  // which takes a machine or a file as its argument
  arguments.emplace_back("--json");
  std::vector<Way> cores;
  Way way;
  collect_cores(Json::parse(run_strata(arguments).out)["tree"], way, cores);
  return cores;
}

int edges_between(const Way& a, const Way& b) {
  size_t common = 0;
  while (common < std::min(a.size(), b.size()) && a[common] == b[common]) ++common;
  return static_cast<int>(a.size() + b.size() - 2 * common);
}

// The sum that the contract defines, over ordered pairs of processes on these cores.
double hop_bytes(const Flows& flows, const std::vector<Way>& cores, const std::vector<int>& core_of_process,
                 const std::vector<int>& new_rank) {
  double sum = 0;
  for (size_t p = 0; p < new_rank.size(); ++p) {
    for (size_t q = 0; q < new_rank.size(); ++q) {
      const auto flow = flows.find({new_rank[p], new_rank[q]});
      if (flow == flows.end()) continue;
      sum += flow->second * edges_between(cores.at(core_of_process[p]), cores.at(core_of_process[q]));
    }
  }
  return sum;
}

std::vector<int> counted_to(int n) {
  std::vector<int> list(n);
  std::iota(list.begin(), list.end(), 0);
  return list;
}

class MapCommand : public ::testing::Test {
 protected:
  std::string matrix(int order, const Flows& flows) const {
    return folder_.write("m.mtx", matrix_market(order, flows));
  }

  // Checks the document of each algorithm, and returns the mapped costs by algorithm.
  std::map<std::string, double> check(int order, const Flows& flows, const Arguments& machine,
                                      const Arguments& placement, const std::vector<int>& core_of_process) {
    const std::string file = matrix(order, flows);
    const std::vector<Way> cores = cores_of(machine);
    const double before = hop_bytes(flows, cores, core_of_process, counted_to(order));
    std::map<std::string, double> mapped;
    for (const std::string& algorithm : kAlgorithms) {
      SCOPED_TRACE(algorithm);
      Arguments arguments = {"--matrix", file, "--algorithm", algorithm};
      arguments.insert(arguments.end(), machine.begin(), machine.end());
      const Json d = document_of(arguments, placement);
      Arguments keys;
      for (const auto& [key, value] : d.items()) keys.push_back(key);
      EXPECT_THAT(keys, ElementsAre("schema", "algorithm", "new_rank", "cost", "seconds"));
      EXPECT_EQ(d["schema"], "strata.map/1");
      EXPECT_EQ(d["algorithm"], algorithm);
      const auto new_rank = d["new_rank"].get<std::vector<int>>();
      std::vector<int> sorted = new_rank;
      std::sort(sorted.begin(), sorted.end());
      EXPECT_EQ(sorted, counted_to(order)) << "not a permutation";
      EXPECT_GE(d["seconds"].get<double>(), 0);
      EXPECT_EQ(d["cost"]["identity"], (Json{{"hop_bytes", before}}));
      mapped[algorithm] = hop_bytes(flows, cores, core_of_process, new_rank);
      EXPECT_EQ(d["cost"]["mapped"], (Json{{"hop_bytes", mapped[algorithm]}}));
      if (algorithm == "identity") {
        EXPECT_EQ(new_rank, counted_to(order));
      }
    }
    EXPECT_LE(mapped["treematch"], before);
    EXPECT_LE(mapped["scotch"], before);
    return mapped;
  }

  TemporaryFolder folder_;
};

TEST_F(MapCommand, CostsCountedAnew) {
  const Arguments machine = {"--machine", "ntw10e5"};
  check(48, random_flows(48, 1), machine, {}, counted_to(48));
  // Ranks dealt to the nodes round-robin: rank r is on node r % 10.
  std::vector<int> round_the_nodes;
  for (int r = 0; r < 48; ++r) round_the_nodes.push_back(r % 10 * 24 + r / 10);
  check(48, random_flows(48, 2), machine, {"--map-by", "node"}, round_the_nodes);
}

TEST_F(MapCommand, AShuffledStencilGains) {
  const std::map<std::string, double> cost =
      check(96, shuffled_stencil(8, 12, 3), {"--machine", "ntw10e5"}, {}, counted_to(96));
  EXPECT_LT(cost.at("treematch"), 0.8 * cost.at("identity"));
  EXPECT_LT(cost.at("scotch"), 0.8 * cost.at("identity"));
}

TEST_F(MapCommand, Oversubscribed) {
  const std::string file = matrix(10, random_flows(10, 4));
  const std::string xml = folder_.path() / "node.xml";
  export_synthetic_as_xml("pack:2 core:2 pu:1", xml);
  const Arguments machine = {"--xml", xml, "--nodes", "2"};
  Arguments arguments = {"--matrix", file};
  arguments.insert(arguments.end(), machine.begin(), machine.end());
  expect_refused(map(arguments), "m.mtx", "10 ranks, but the machine has 8 cores", "--oversubscribe");
  check(10, random_flows(10, 4), machine, {"--oversubscribe"}, {0, 1, 2, 3, 4, 5, 6, 7, 0, 1});
  // Processes of a bindings file can share cores. A process bound to several cores counts as being on the first.
  const std::string bindings = folder_.write("b", "0 1 2\n1 0 0-3\n2 0 1\n3 0 0\n");
  check(4, random_flows(4, 5), machine, {"--bindings", bindings}, {6, 0, 1, 0});
}

TEST_F(MapCommand, IsDeterministicButForSeconds) {
  const std::string file = matrix(60, random_flows(60, 6));
  for (const std::string& algorithm : kAlgorithms) {
    const Arguments arguments = {"--matrix", file, "--machine", "ntw10e5", "--algorithm", algorithm};
    Json a = document_of(arguments), b = document_of(arguments);
    a.erase("seconds");
    b.erase("seconds");
    EXPECT_EQ(a.dump(), b.dump());
  }
  const Arguments random = {"--matrix", file, "--machine", "ntw10e5", "--algorithm", "random"};
  EXPECT_EQ(document_of(random)["new_rank"], document_of(random, {"--seed", "1"})["new_rank"]);
  EXPECT_NE(document_of(random)["new_rank"], document_of(random, {"--seed", "2"})["new_rank"]);
}

// Ranks 0, 1 and 2 exchange messages, and so do 3, 4 and 5, but ranks are dealt to two nodes round-robin. Started as
// --out and the rankfile say, ranks that communicate are near each other, so the identity has the cost that the mapping
// promised. The permutation is not its own inverse.
TEST_F(MapCommand, StartedWhereTheFilesSay) {
  const Flows flows = {{{0, 1}, 100}, {{1, 2}, 90}, {{2, 0}, 80}, {{3, 4}, 100}, {{4, 5}, 90}, {{5, 3}, 80}};
  const std::string file = matrix(6, flows);
  const std::string here = folder_.write("here", "0 0 0\n1 1 0\n2 0 6\n3 1 6\n4 0 12\n5 1 12\n");
  const std::string out = folder_.path() / "out", rankfile = folder_.path() / "rankfile";
  const Arguments arguments = {"--matrix", file, "--machine", "ntw10e5"};
  for (const std::string algorithm : {"random", "treematch", "roundrobin"}) {
    SCOPED_TRACE(algorithm);
    const Json d =
        document_of(arguments, {"--bindings", here, "--algorithm", algorithm, "--out", out, "--rankfile", rankfile});
    const auto new_rank = d["new_rank"].get<std::vector<int>>();
    const Json started = document_of(arguments, {"--bindings", out, "--algorithm", "identity"});
    EXPECT_EQ(started["cost"]["identity"], d["cost"]["mapped"]);
    std::string expected_bindings, expected_rankfile;
    for (int rank = 0; rank < 6; ++rank) {
      const auto process = std::find(new_rank.begin(), new_rank.end(), rank) - new_rank.begin();
      const std::string node = std::to_string(process % 2), core = std::to_string(process / 2 * 6);
      expected_bindings += std::to_string(rank) + " " + node + " " + core + "\n";
      expected_rankfile += "rank " + std::to_string(rank) + "=+n" + node + " slot=" + core + "\n";
    }
    EXPECT_EQ(read_text(out), expected_bindings);
    EXPECT_EQ(read_text(rankfile), expected_rankfile);
  }
  EXPECT_EQ(
      map(arguments, {"--bindings", here, "--algorithm", "identity", "--rankfile", rankfile, "--hosts", "ab,cd"}).code,
      0);
  EXPECT_EQ(lines_of(read_text(rankfile))[3], "rank 3=cd slot=6");
  expect_refused(map(arguments, {"--bindings", here, "--rankfile", rankfile, "--hosts", "ab"}), "--hosts",
                 "1 names are given", "name all nodes");
  // A process bound to several cores: the rankfile has their logical indexes, although the OS numbers the PUs
  // differently.
  const std::string xml = folder_.path() / "node.xml";
  export_synthetic_as_xml("pack:2 core:2 pu:2(indexes=0,4,1,5,2,6,3,7)", xml);
  EXPECT_EQ(map({"--matrix", file, "--xml", xml, "--nodes", "2", "--map-by", "package", "--bind-to", "package",
                 "--algorithm", "identity", "--rankfile", rankfile})
                .code,
            0);
  EXPECT_EQ(read_text(rankfile),
            "rank 0=+n0 slot=0-1\nrank 1=+n0 slot=2-3\nrank 2=+n1 slot=0-1\nrank 3=+n1 slot=2-3\n"
            "rank 4=+n0 slot=0-1\nrank 5=+n0 slot=2-3\n");
}

TEST_F(MapCommand, Text) {
  const std::string file = matrix(4, {{{0, 2}, 3000}, {{1, 3}, 1000}});
  std::string text = map({"--matrix", file, "--machine", "ntw10e5", "--map-by", "node"}, {"--np", "4"}).out;
  EXPECT_THAT(text, HasSubstr(file + ": 4 ranks on ntw10e5 (10 nodes), by treematch in "));
  EXPECT_THAT(text, HasSubstr("bytes between                       as it is              mapped\n"
                              "4 nodes                     4.00 kB    100 %    4.00 kB    100 %\n"));
  const std::string here = folder_.write("here", "0 0 0\n1 0 1\n2 1 0\n3 1 1\n");
  text = map({"--matrix", file, "--machine", "ntw10e5", "--bindings", here}).out;
  EXPECT_THAT(text, HasSubstr("2 nodes                     4.00 kB    100 %        0 B      0 %\n"));
  EXPECT_THAT(text, HasSubstr("new rank of process 0, 1, ...: "));
}

TEST_F(MapCommand, MessagesOfAProfile) {
  const std::string file =
      folder_.write("run.prof", "# 4 processes\nE 0 1 0 bytes 5 msgs sent\nC 2 3 9 bytes 1 msgs sent\n");
  const Arguments arguments = {"--matrix", file, "--machine", "ntw10e5", "--algorithm", "identity"};
  EXPECT_EQ(document_of(arguments)["cost"]["identity"]["hop_bytes"], 0);
  // Two neighbouring cores of a NUMA node: three edges up from each, through the core, its L1d and its L2.
  EXPECT_EQ(document_of(arguments, {"--messages"})["cost"]["identity"]["hop_bytes"], 5 * 6);
  EXPECT_EQ(document_of(arguments, {"--kinds", "C"})["cost"]["identity"]["hop_bytes"], 9 * 6);
}

// Before the mapping, ranks 0 and 3 communicate between nodes. Any mapping puts them as near to each other as possible.
TEST_F(MapCommand, HeatMaps) {
  const std::string file = matrix(4, {{{0, 3}, 10}});
  const std::string here = folder_.write("here", "0 0 0\n1 0 1\n2 1 0\n3 1 1\n");
  const Arguments arguments = {"--matrix", file, "--machine", "ntw10e5", "--bindings", here, "--svg", "-"};
  const std::string svg = map(arguments).out;
  EXPECT_THAT(svg, HasSubstr("<g class=\"identity\""));
  EXPECT_THAT(svg, HasSubstr("<g class=\"treematch\""));
  EXPECT_THAT(svg, HasSubstr("d=\"M3 0h1\""));  // row of the first place, column of the fourth
  EXPECT_THAT(svg, HasSubstr("lines part the nodes"));
  EXPECT_EQ(svg, map(arguments).out);
  const std::string out = folder_.path() / "m.svg";
  EXPECT_EQ(map({"--matrix", file, "--machine", "ntw10e5", "--bindings", here, "--svg", out}).code, 0);
  EXPECT_EQ(read_text(out), svg);
}

TEST_F(MapCommand, BadInput) {
  const std::string good = matrix(4, {{{0, 3}, 10}}), bad = folder_.write("bad.mat", "0 1\n1 x\n");
  const Arguments machine = {"--machine", "ntw10e5"};
  expect_refused(map({"--matrix", bad}, machine), "bad.mat:2", "'x' is not a number", "0 or more");
  expect_refused(map({"--matrix", folder_.path()}, machine), folder_.path(), "directory", "dense text");
  expect_refused(map({"--matrix", good}), "command line", "no machine", "--machine");
  expect_refused(map(machine), "command line", "--matrix", "--help");
  expect_refused(map({"--matrix", good, "--np", "5"}, machine), "m.mtx", "4 ranks, where there are 5", "agree");
  expect_refused(map({"--matrix", good, "--algorithm", "magic"}, machine), "--algorithm", "magic",
                 "treematch, scotch, roundrobin, random, identity");
  expect_refused(map({"--matrix", good, "--bindings", folder_.write("three", "0 0 0\n1 0 1\n2 0 2\n")}, machine),
                 "m.mtx", "4 ranks, where there are 3", "agree");
  expect_refused(map({"--matrix", good, "--map-by", "sockets"}, machine), "--map-by", "sockets", "package");
  expect_refused(map({"--matrix", good, "--svg", "-", "--json"}, machine), "--svg", "JSON", "file");
  for (const std::string option : {"--svg", "--out", "--rankfile"}) {
    expect_refused(map({"--matrix", good, option, folder_.path() / "no/where"}, machine), "no/where", "", "");
  }
  const std::string large =
      folder_.write("large.mtx", "%%MatrixMarket matrix coordinate integer general\n241 241 1\n1 2 3\n");
  expect_refused(map({"--matrix", large}, machine), "large.mtx", "241 ranks, but the machine has 240 cores",
                 "--oversubscribe");
}

}  // namespace
}  // namespace strata
