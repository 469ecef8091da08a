// SPDX-License-Identifier: LGPL-2.1-only
// strata nodecart: the figures of EuroMPI'18, partners recounted from the printed ranks, the MPI code under SMPI
// compared with its pure core, the drawing cell by cell, and bad input.
#include <gtest/gtest.h>
#include <re2/re2.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "tests/command/expect_refused.h"
#include "tests/command/strata_process.h"
#include "tests/sim/unit_machine.h"

namespace strata {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Arguments = std::vector<std::string>;

const Arguments kEngines = {"smpi", "pure"};
const Arguments kMethods = {"auto", "cart", "nodecart", "multilevel", "blocks", "hyperplane", "kdtree", "strips"};

Ran nodecart(Arguments arguments, const Arguments& more = {}) {
  arguments.insert(arguments.begin(), "nodecart");
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_strata(arguments);
}

// The document of a run, which must succeed.
Json document_of(const Arguments& arguments, const std::string& engine) {
  const Ran ran = nodecart(arguments, {"--engine", engine, "--json"});
  EXPECT_EQ(ran.code, 0) << ::testing::PrintToString(arguments) << ran.err;
  return ran.code == 0 ? Json::parse(ran.out) : Json();
}

// Converts "128x128" to a list.
std::vector<int> list_of(const std::string& text) {
  std::vector<int> list;
  for (size_t at = 0; at < text.size(); ++at) {
    size_t used = 0;
    list.push_back(std::stoi(text.substr(at), &used));
    at += used;
  }
  return list;
}

std::vector<int> coords_of(const std::vector<int>& dims, int position) {
  std::vector<int> coords(dims.size());
  for (size_t i = dims.size(); i-- > 0;) {
    coords[i] = position % dims[i];
    position /= dims[i];
  }
  return coords;
}

int position_of(const std::vector<int>& dims, const std::vector<int>& coords) {
  int position = 0;
  for (size_t i = 0; i < dims.size(); ++i) position = position * dims[i] + coords[i];
  return position;
}

Json count(const std::vector<int>& of_each) {
  const auto [least, most] = std::minmax_element(of_each.begin(), of_each.end());
  const long total = std::accumulate(of_each.begin(), of_each.end(), 0L);
  return {{"min", *least}, {"max", *most}, {"avg", static_cast<double>(total) / static_cast<double>(of_each.size())}};
}

// The document's figures of partners, counted one by one: two per dimension. A missing partner counts as off-node.
Json partners(const std::vector<int>& dims, const std::vector<int>& periods, const std::vector<int>& group_of_rank,
              const std::vector<int>& new_rank, const std::string& on_name, const std::string& off_name) {
  std::vector<int> group_at(new_rank.size());
  for (size_t r = 0; r < new_rank.size(); ++r) group_at[new_rank[r]] = group_of_rank[r];
  std::vector<int> on(new_rank.size(), 0), off(new_rank.size(), 0);
  for (int p = 0; p < static_cast<int>(new_rank.size()); ++p) {
    for (size_t i = 0; i < dims.size(); ++i) {
      for (const int step : {-1, 1}) {
        std::vector<int> there = coords_of(dims, p);
        there[i] += step;
        if (periods[i] == 1) there[i] = (there[i] + dims[i]) % dims[i];
        const bool is_on = there[i] >= 0 && there[i] < dims[i] && group_at[position_of(dims, there)] == group_at[p];
        ++(is_on ? on : off)[p];
      }
    }
  }
  return {{on_name, count(on)}, {off_name, count(off)}};
}

std::vector<int> own_order(size_t size) {
  std::vector<int> ranks(size);
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

std::vector<int> nodes_of_sizes(const std::vector<int>& sizes) {
  std::vector<int> nodes;
  for (size_t n = 0; n < sizes.size(); ++n) nodes.insert(nodes.end(), sizes[n], static_cast<int>(n));
  return nodes;
}

std::vector<int> filled(size_t size, int ppn) {
  std::vector<int> nodes(size);
  for (size_t r = 0; r < size; ++r) nodes[r] = static_cast<int>(r) / ppn;
  return nodes;
}

// Checks that new_rank is a permutation, and that both blocks of figures follow from it.
void expect_consistent(const Json& d, const std::string& method, const std::vector<int>& periods,
                       const std::vector<int>& node_of_rank) {
  const auto dims = d["dims"].get<std::vector<int>>();
  const auto new_rank = d["new_rank"].get<std::vector<int>>();
  std::vector<int> sorted = new_rank;
  std::sort(sorted.begin(), sorted.end());
  ASSERT_EQ(sorted, own_order(node_of_rank.size()));
  EXPECT_EQ(d["cart"], partners(dims, periods, node_of_rank, own_order(new_rank.size()), "on_node", "off_node"));
  EXPECT_EQ(d[method], partners(dims, periods, node_of_rank, new_rank, "on_node", "off_node")) << method;
}

Json block(int on_min, int on_max, double on, int off_min, int off_max, double off) {
  return {{"on_node", {{"min", on_min}, {"max", on_max}, {"avg", on}}},
          {"off_node", {{"min", off_min}, {"max", off_max}, {"avg", off}}}};
}

struct Row {
  std::string dims;
  int ppn;
  Json intradims, interdims, cart, nodecart;
};

void expect_row(const Row& row, const std::string& engine) {
  const Json d = document_of({"--dims", row.dims, "--ppn", std::to_string(row.ppn)}, engine);
  const std::vector<int> dims = list_of(row.dims);
  std::vector<std::string> keys;
  for (const auto& [key, value] : d.items()) keys.push_back(key);
  EXPECT_THAT(keys,
              ElementsAre("schema", "dims", "ppn", "nodes", "intradims", "interdims", "cart", "nodecart", "new_rank"));
  EXPECT_EQ(d["schema"], "strata.nodecart/1");
  EXPECT_EQ(d["dims"], Json(dims));
  EXPECT_EQ(d["ppn"], row.ppn);
  const auto intra = row.intradims.get<std::vector<int>>(), inter = row.interdims.get<std::vector<int>>();
  EXPECT_EQ(d["nodes"], std::accumulate(inter.begin(), inter.end(), 1, std::multiplies<>()));
  EXPECT_EQ(d["intradims"], row.intradims);
  EXPECT_EQ(d["interdims"], row.interdims);
  EXPECT_EQ(d["cart"], row.cart) << engine;
  EXPECT_EQ(d["nodecart"], row.nodecart) << engine;
  // Step 5 of EuroMPI'18, Figure 2, rank by rank.
  const auto new_rank = d["new_rank"].get<std::vector<int>>();
  for (int r = 0; r < static_cast<int>(new_rank.size()); ++r) {
    const std::vector<int> in = coords_of(intra, r % row.ppn), node = coords_of(inter, r / row.ppn);
    std::vector<int> coords(dims.size());
    for (size_t i = 0; i < dims.size(); ++i) coords[i] = in[i] + node[i] * intra[i];
    ASSERT_EQ(new_rank[r], position_of(dims, coords)) << r;
  }
}

// Table 3 of EuroMPI'18, exact where the paper rounds: 1.875 for 1.88, 2.125 for 2.12, 4.125 for 4.12.
const Row k2D = {"128x128", 16, {4, 4}, {32, 32}, block(1, 2, 1.875, 2, 3, 2.125), block(2, 4, 3, 0, 2, 1)};
const Row k3D = {"32x32x16", 16, {4, 2, 2}, {8, 16, 8}, block(1, 2, 1.875, 4, 5, 4.125), block(3, 4, 3.5, 2, 3, 2.5)};

TEST(Nodecart, Table3) {
  expect_row(k2D, "pure");
  expect_row(k3D, "pure");
}

TEST(Nodecart, Table3In2DByMpi) { expect_row(k2D, "smpi"); }

// A quarter of the mesh with the blocks of Table 3, and so the same figures. 16,384 ranks would take 20 s of a core.
TEST(Nodecart, Table3In3DByMpi) {
  Row row = k3D;
  row.dims = "32x8x16";
  row.interdims = {8, 4, 8};
  expect_row(row, "smpi");
}

// EuroMPI'18, Section 2.1: the only block of 36 processes that fits.
TEST(Nodecart, BlockThatFits) {
  for (const std::string& engine : kEngines) {
    const Json d = document_of({"--dims", "9x8x8", "--ppn", "36"}, engine);
    EXPECT_EQ(d["intradims"], Json({9, 2, 2}));
    EXPECT_EQ(d["interdims"], Json({1, 4, 4}));
    EXPECT_EQ(d["nodes"], 16);
    expect_consistent(d, "nodecart", {0, 0, 0}, filled(576, 36));
  }
}

// The paper's rule is not always better: nodes of 8x1 have more off-node partners than MPI's own order, and `auto`
// detects this.
TEST(Nodecart, WorseThanMpisOwnOrder) {
  for (const std::string& engine : kEngines) {
    const Arguments mesh = {"--dims", "64x4", "--ppn", "8", "--periods", "1x1"};
    const Json d = document_of(mesh, engine);
    EXPECT_EQ(d["intradims"], Json({8, 1}));
    EXPECT_EQ(d["cart"], block(3, 3, 3, 1, 1, 1));
    EXPECT_EQ(d["nodecart"]["off_node"]["avg"], 2.25);
    Arguments by_auto = mesh;
    by_auto.insert(by_auto.end(), {"--method", "auto"});
    const Json best = document_of(by_auto, engine);
    EXPECT_EQ(best["chosen"], "cart");
    EXPECT_EQ(best["auto"], best["cart"]);
    EXPECT_EQ(best["new_rank"], Json(own_order(256)));
    EXPECT_EQ(best["intradims"], Json());
  }
}

struct Meshes {
  std::string dims, periods;
  Arguments nodes;
  std::vector<int> sizes;  // of each node
};

std::vector<int> equal_sizes(int nodes, int size) { return std::vector<int>(nodes, size); }

// Every method on open and periodic meshes of 1 to 4 dimensions, with dimensions of 1 and 2 and with equal and unequal
// nodes. Both engines print the same bytes, or refuse the method with the same message.
TEST(Nodecart, EnginesAgree) {
  const std::vector<Meshes> meshes = {
      {"12x6", "0x0", {"--ppn", "6"}, equal_sizes(12, 6)},
      {"4x1x6", "1x1x0", {"--ppn", "4"}, equal_sizes(6, 4)},
      {"24", "1", {"--ppn", "5"}, {5, 5, 5, 5, 4}},
      {"2x3x2x3", "1x0x0x1", {"--node-sizes", "7,9,4,16"}, {7, 9, 4, 16}},
      {"5x4", "0x1", {"--node-sizes", "20"}, {20}},
      {"1x1", "1x0", {"--ppn", "1"}, {1}},
  };
  int refused = 0;
  for (const Meshes& m : meshes) {
    for (const std::string& method : kMethods) {
      Arguments arguments = {"--dims", m.dims, "--periods", m.periods, "--method", method, "--json"};
      arguments.insert(arguments.end(), m.nodes.begin(), m.nodes.end());
      const Ran pure = nodecart(arguments, {"--engine", "pure"}), smpi = nodecart(arguments, {"--engine", "smpi"});
      EXPECT_EQ(pure.out, smpi.out) << ::testing::PrintToString(arguments);
      EXPECT_EQ(pure.err, smpi.err) << ::testing::PrintToString(arguments);
      EXPECT_EQ(pure.code, smpi.code);
      if (pure.code != 0) {
        EXPECT_EQ(pure.code, 2) << pure.err;
        ++refused;
        continue;
      }
      const Json d = Json::parse(pure.out);
      expect_consistent(d, method, list_of(m.periods), nodes_of_sizes(m.sizes));
      EXPECT_EQ(d["nodes"], m.sizes.size());
      if (m.nodes[0] == "--node-sizes") {
        EXPECT_EQ(d["node_sizes"], Json(m.sizes));
        EXPECT_EQ(d["ppn"], Json());
      }
    }
  }
  EXPECT_EQ(refused, 2 * 3) << "nodecart, multilevel and blocks on the two meshes of unequal nodes";
}

// The default engine is smpi. The text shows the same figures.
TEST(Nodecart, Text) {
  const Ran ran = nodecart({"--dims", "8x8", "--ppn", "4"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(ran.out,
            "mesh 8x8, not periodic, on 16 nodes of 4\n"
            "each node a block of 2x2, 4x4 of them\n"
            "\n"
            "partners                      on the node         off the node\n"
            "of a process           min  max       avg   min  max       avg\n"
            "cart                     1    2       1.5     2    3       2.5\n"
            "nodecart                 2    2         2     2    2         2\n"
            "\n"
            "off-node partners: 20 % fewer than in MPI's own order\n");
  EXPECT_EQ(nodecart({"--dims", "8x8", "--ppn", "4", "--engine", "pure"}).out, ran.out);
}

// Two nodes with two L3s of two cores each, ranks dealt over the L3s. Partners are counted on each level by core.
class OnAMachine : public ::testing::Test {
 protected:
  OnAMachine() : machine_(folder_.write("machine.yaml", unit_machine())) {}
  TemporaryFolder folder_;
  const std::string machine_;
};

TEST_F(OnAMachine, CountsOnEveryLevel) {
  // The L3 and the node of each rank, numbered in the order of their first members. Ranks are dealt over the L3s.
  const std::vector<int> l3 = {0, 1, 2, 3, 0, 1, 2, 3}, node = {0, 0, 1, 1, 0, 0, 1, 1};
  for (const std::string& engine : kEngines) {
    for (const std::string& method : kMethods) {
      const Json d = document_of(
          {"--dims", "4x2", "--periods", "1x0", "--machine", machine_, "--map-by", "l3", "--method", method}, engine);
      ASSERT_FALSE(d.is_null()) << method;
      expect_consistent(d, method, {1, 0}, node);
      EXPECT_EQ(d["ppn"], Json());
      EXPECT_EQ(d["np"], 8);
      EXPECT_EQ(d["nodes"], 2);
      EXPECT_EQ(d["node_sizes"], Json({4, 4}));
      ASSERT_EQ(d["levels"].size(), 2u) << d;
      EXPECT_EQ(d["levels"][0]["level"], "Machine");
      EXPECT_EQ(d["levels"][0]["groups"], 2);
      EXPECT_EQ(d["levels"][1]["level"], "L3");
      EXPECT_EQ(d["levels"][1]["groups"], 4);
      const auto new_rank = d["new_rank"].get<std::vector<int>>();
      for (const size_t level : {0, 1}) {
        const std::vector<int>& groups = level == 0 ? node : l3;
        EXPECT_EQ(d["levels"][level]["cart"], partners({4, 2}, {1, 0}, groups, own_order(8), "inside", "outside"));
        EXPECT_EQ(d["levels"][level][method], partners({4, 2}, {1, 0}, groups, new_rank, "inside", "outside"));
      }
    }
    // In the 4x2 mesh a node is a 2x2 block, and an L3 a row or column of it: one of a rank's two partners on the node
    // is also in its L3.
    const Json multilevel =
        document_of({"--dims", "4x2", "--machine", machine_, "--map-by", "l3", "--method", "multilevel"}, engine);
    EXPECT_EQ(multilevel["multilevel"]["on_node"], (Json{{"min", 2}, {"max", 2}, {"avg", 2.0}}));
    EXPECT_EQ(multilevel["levels"][1]["multilevel"]["inside"], (Json{{"min", 1}, {"max", 1}, {"avg", 1.0}}));
  }
}

// MPI's rule: if the mesh is smaller, the processes with the highest ranks are left out.
TEST_F(OnAMachine, ProcessesBeyondTheMesh) {
  for (const std::string& engine : kEngines) {
    const Ran ran = nodecart({"--dims", "3x2", "--machine", machine_, "--np", "7", "--map-by", "node", "--json",
                              "--method", "auto", "--engine", engine});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.err, "of 7 processes the 1 with the highest ranks is beyond the mesh\n");
    const Json d = Json::parse(ran.out);
    EXPECT_EQ(d["np"], 7);
    EXPECT_EQ(d["node_sizes"], Json({4, 3}));
    ASSERT_EQ(d["new_rank"].size(), 7u);
    EXPECT_EQ(d["new_rank"][6], Json());
    Json within = d;
    within["new_rank"].erase(6);
    expect_consistent(within, "auto", {0, 0}, {0, 1, 0, 1, 0, 1});
  }
  EXPECT_THAT(nodecart({"--dims", "3x2", "--node-sizes", "4,3", "--method", "kdtree", "--engine", "pure"}).out,
              HasSubstr("of 7 processes the 1 with the highest ranks is beyond the mesh\n"));
}

TEST_F(OnAMachine, Bindings) {
  const std::string bindings = folder_.write("bindings.txt", "0 1 0\n1 0 2\n2 1 1\n3 0 3\n4 1 2-3\n5 0 0-3\n");
  for (const std::string& engine : kEngines) {
    const Json d =
        document_of({"--dims", "2x3", "--machine", machine_, "--bindings", bindings, "--method", "strips"}, engine);
    ASSERT_FALSE(d.is_null());
    EXPECT_EQ(d["node_sizes"], Json({3, 3}));
    expect_consistent(d, "strips", {0, 0}, {0, 1, 0, 1, 0, 1});
  }
}

// The pure core and its document scale to 1,048,576 processes.
TEST(Nodecart, AMillionProcesses) {
  const Json d = document_of({"--dims", "128x128x64", "--ppn", "64"}, "pure");
  EXPECT_EQ(d["intradims"], Json({4, 4, 4}));
  EXPECT_EQ(d["new_rank"].size(), 1048576u);
  EXPECT_EQ(d["nodecart"], block(3, 6, 4.5, 0, 3, 1.5));  // in a 4x4x4 block: 3 partners for a corner, 6 inside
}

TEST(Nodecart, ExamplesOfItsHelpRun) {
  const TemporaryFolder folder;
  int examples = 0;
  for (const std::string& line : lines_of(run_strata({"nodecart", "--help"}).out)) {
    if (line.rfind("  strata nodecart ", 0) != 0) continue;
    Arguments words;
    for (size_t at = 2 + std::string("strata ").size(); at < line.size();) {
      const size_t end = std::min(line.find(' ', at), line.size());
      words.push_back(line.substr(at, end - at));
      at = end + 1;
    }
    Surroundings in_folder;
    in_folder.folder = folder.path();
    const Ran ran = run_strata(words, in_folder);
    EXPECT_EQ(ran.code, 0) << line << ran.err;
    EXPECT_NE(ran.out, "") << line;
    ++examples;
  }
  EXPECT_EQ(examples, 6);
}

// --- the drawing ---------------------------------------------------------------------------------------------------

// A panel read back from the drawing: the node and colour of each painted cell.
struct Painted {
  std::map<std::pair<double, double>, std::pair<int, std::string>> cells;  // by x and y, counted in cells
  double borders = 0;                                                      // total length, in sides of a cell
};

Painted read_panel(const std::string& svg, const std::string& name) {
  Painted painted;
  const size_t begin = svg.find("<g class=\"" + name + "\"");
  EXPECT_NE(begin, std::string::npos) << name;
  const std::string panel = svg.substr(begin, svg.find("</g>", begin) - begin);
  static const RE2 node(R"re(<path class="node" fill="(#[0-9a-f]{6})" d="([^"]*)"><title>node ([0-9]+)</title>)re");
  static const RE2 rectangle("M([0-9.]+) ([0-9.]+)h([0-9]+)v([0-9]+)h-([0-9]+)z");
  std::string colour, path;
  int number = 0;
  for (re2::StringPiece nodes = panel; RE2::FindAndConsume(&nodes, node, &colour, &path, &number);) {
    re2::StringPiece rest = path;
    double x = 0, y = 0;
    for (int width = 0, height = 0, back = 0; RE2::Consume(&rest, rectangle, &x, &y, &width, &height, &back);) {
      EXPECT_EQ(width, back);
      for (int column = 0; column < width; ++column) {
        for (int row = 0; row < height; ++row) {
          const std::pair cell(x + column, y + row);
          EXPECT_TRUE(painted.cells.emplace(cell, std::pair(number, colour)).second) << "painted twice";
        }
      }
    }
    EXPECT_TRUE(rest.empty()) << path;
  }
  static const RE2 borders(R"re(<path class="borders"[^>]* d="([^"]*)")re"), line("[hv]([0-9]+)");
  std::string lines;
  EXPECT_TRUE(RE2::PartialMatch(panel, borders, &lines));
  re2::StringPiece rest = lines;
  for (double length = 0; RE2::FindAndConsume(&rest, line, &length);) painted.borders += length;
  return painted;
}

struct Drawn {
  Json document;
  std::string svg;
};

Drawn draw(Arguments arguments) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "mesh.svg";
  arguments.insert(arguments.end(), {"--engine", "pure", "--json", "--svg", file});
  const Ran ran = nodecart(arguments);
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "wrote " + file + "\n");
  return {Json::parse(ran.out), read_text(file)};
}

TEST(Drawing, EveryCellHasItsNode) {
  struct Case {
    std::string dims, method;
    Arguments nodes;
    std::vector<int> sizes;
  };
  const std::vector<Case> cases = {
      {"16x12", "nodecart", {"--ppn", "16"}, equal_sizes(12, 16)},
      {"10x13", "kdtree", {"--ppn", "9"}, {9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 4}},
      {"9x7", "hyperplane", {"--node-sizes", "20,3,40"}, {20, 3, 40}},
      {"128x128", "nodecart", {"--ppn", "16"}, equal_sizes(1024, 16)},
      {"40x40", "cart", {"--ppn", "16"}, equal_sizes(100, 16)},
  };
  for (const Case& c : cases) {
    Arguments arguments = {"--dims", c.dims, "--method", c.method};
    arguments.insert(arguments.end(), c.nodes.begin(), c.nodes.end());
    const Drawn drawn = draw(arguments);
    const std::vector<int> dims = list_of(c.dims), nodes = nodes_of_sizes(c.sizes);
    const auto new_rank = drawn.document["new_rank"].get<std::vector<int>>();
    std::map<int, std::string> colour;  // a node has the same colour in both panels
    for (const bool before : {true, false}) {
      const Painted painted = read_panel(drawn.svg, before ? "cart" : c.method);
      ASSERT_EQ(painted.cells.size(), nodes.size()) << c.dims;
      std::map<int, int> cells_of_node;
      for (size_t r = 0; r < nodes.size(); ++r) {
        const std::vector<int> at = coords_of(dims, before ? static_cast<int>(r) : new_rank[r]);
        const auto& [node, fill] = painted.cells.at({at[1], at[0]});
        ASSERT_EQ(node, nodes[r]) << c.dims << " rank " << r;
        EXPECT_EQ(colour.emplace(node, fill).first->second, fill);
        ++cells_of_node[node];
      }
      for (size_t n = 0; n < c.sizes.size(); ++n) EXPECT_EQ(cells_of_node[static_cast<int>(n)], c.sizes[n]);
      // There are borders between nodes and around the mesh, and nowhere else. Adjacent nodes have different colours.
      double borders = 2 * (dims[0] + dims[1]);
      for (const auto& [cell, painted_as] : painted.cells) {
        for (const auto& [dx, dy] : {std::pair(1, 0), std::pair(0, 1)}) {
          const auto next = painted.cells.find({cell.first + dx, cell.second + dy});
          if (next == painted.cells.end() || next->second.first == painted_as.first) continue;
          ++borders;
          EXPECT_NE(next->second.second, painted_as.second) << c.dims << " " << c.method;
        }
      }
      EXPECT_EQ(painted.borders, borders) << c.dims;
      if (c.method == "cart") break;
    }
    EXPECT_LT(drawn.svg.size(), 1'000'000u);
    EXPECT_THAT(drawn.svg, HasSubstr("mesh " + c.dims));
  }
}

TEST(Drawing, OtherThanTwoDimensions) {
  const std::vector<std::pair<std::string, int>> cases = {
      {"60", 60}, {"4x6x8", 192}, {"3x4x4x4", 192}, {"2x2x2x2x2", 32}};
  for (const auto& [dims, size] : cases) {
    const Drawn drawn = draw({"--dims", dims, "--ppn", "4"});
    for (const char* panel : {"cart", "nodecart"}) {
      const Painted painted = read_panel(drawn.svg, panel);
      EXPECT_EQ(painted.cells.size(), static_cast<size_t>(size)) << dims;
      std::map<int, int> cells_of_node;
      for (const auto& [cell, painted_as] : painted.cells) ++cells_of_node[painted_as.first];
      EXPECT_EQ(cells_of_node.size(), static_cast<size_t>(size / 4));
      for (const auto& [node, cells] : cells_of_node) EXPECT_EQ(cells, 4) << dims << " node " << node;
    }
    for (int r = 0; r < size; ++r) {
      EXPECT_THAT(drawn.svg, HasSubstr(">" + std::to_string(r) + "</text>")) << "there is room for ranks";
    }
  }
}

TEST(Drawing, OfALargeMeshItsBeginning) {
  const Drawn drawn = draw({"--dims", "1024x512", "--ppn", "32"});
  EXPECT_THAT(drawn.svg, HasSubstr("too large to be drawn: here are its first 256x256"));
  EXPECT_EQ(read_panel(drawn.svg, "nodecart").cells.size(), 65536u);
  EXPECT_LT(drawn.svg.size(), 2'000'000u);
  EXPECT_THAT(draw({"--dims", "256x256", "--ppn", "32"}).svg, ::testing::Not(HasSubstr("too large")));
}

TEST(Drawing, OnStdout) {
  const Ran ran = nodecart({"--dims", "4x4", "--ppn", "4", "--engine", "pure", "--svg", "-"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  EXPECT_THAT(ran.out, ::testing::StartsWith("<?xml"));
  EXPECT_EQ(read_panel(ran.out, "nodecart").cells.size(), 16u);
}

// --- bad input -----------------------------------------------------------------------------------------------------

TEST(NodecartBadInput, Mesh) {
  const auto of = [](const std::string& dims) { return nodecart({"--dims=" + dims, "--ppn", "4"}); };
  for (const char* dims :
       {"0x4", "4x-2", "x4", "4x", "4xx4", "4x4x", "4,4", "4x4.5", "four", "99999999999x2", "4x4 "}) {
    expect_refused(of(dims), "--dims: ", dims, "--dims 16x8");
  }
  expect_refused(of("65536x65536"), "--dims: ", "65536x65536 is too large", "at most 16777216");
  expect_refused(of("2147483647x2147483647x2147483647"), "--dims: ", "too large", "at most 16777216");
  std::string many = "4";
  for (int i = 0; i < 32; ++i) many += "x1";
  expect_refused(of(many), "--dims: ", "1 to 32 dimensions", "not 33");
  expect_refused(nodecart({"--ppn", "4"}), "command line", "no mesh", "--dims 128x128");

  const auto periodic = [](const std::string& periods) {
    return nodecart({"--dims", "4x4", "--ppn", "4", "--periods", periods});
  };
  expect_refused(periodic("1"), "--periods: ", "1 values for 2 dimensions", "0 or 1 for each");
  expect_refused(periodic("1x0x1"), "--periods: ", "3 values for 2 dimensions", "0 or 1 for each");
  expect_refused(periodic("2x0"), "--periods: ", "2 in '2x0'", "0 (open) or 1 (periodic)");
  expect_refused(periodic("yes"), "--periods: ", "'yes'", "0 (open) and 1 (periodic)");
}

TEST(NodecartBadInput, Nodes) {
  for (const std::string& engine : kEngines) {
    const auto of = [&](Arguments arguments) { return nodecart(std::move(arguments), {"--engine", engine}); };
    for (const char* method : {"nodecart", "multilevel", "blocks"}) {
      expect_refused(of({"--dims", "5x7", "--ppn", "4", "--method", method}),
                     "--ppn: ", "nodes of 4 processes do not divide the 35", "--method auto does not");
      expect_refused(of({"--dims", "2x2", "--ppn", "16", "--method", method}),
                     "--ppn: ", "nodes of 16 processes do not divide the 4", "--method auto does not");
      expect_refused(of({"--dims", "13x3", "--node-sizes", "16,16,7", "--method", method}),
                     "--method " + std::string(method) + ": ", "7 to 16", "auto");
    }
    expect_refused(of({"--dims", "4x5", "--node-sizes", "8,8", "--method", "auto"}),
                   "--dims: ", "20 processes, but there are only 16 ranks", "at most 16");
    expect_refused(of({"--dims", "16x16", "--machine", "ntw10e5", "--np", "240"}),
                   "--dims: ", "256 processes, but there are only 240 ranks", "at most 240");
    expect_refused(of({"--dims", "16x16", "--machine", "ntw10e5"}), "--np: ", "256 ranks on 240 cores", "at most 240");
  }
  expect_refused(nodecart({"--dims", "4x4", "--ppn", "0"}), "--ppn", "0", "1 to ");
  expect_refused(nodecart({"--dims", "4x4", "--ppn", "-4"}), "--ppn", "-4", "1 to ");
  expect_refused(nodecart({"--dims", "4x4", "--ppn", "four"}), "--ppn", "four", "1 to ");
  expect_refused(nodecart({"--dims", "4x4", "--node-sizes", "8,0"}), "--node-sizes", "0", "1 to ");
  expect_refused(nodecart({"--dims", "4x4", "--node-sizes", "16777216,16777216"}), "--node-sizes: ", "too many",
                 "at most 16777216");
  expect_refused(nodecart({"--dims", "4x4"}), "command line", "no nodes", "--ppn N");
  expect_refused(nodecart({"--dims", "4x4", "--ppn", "4", "--node-sizes", "8,8"}), "command line",
                 "cannot be given together", "--help");
  expect_refused(nodecart({"--dims", "4x4", "--ppn", "4", "--machine", "ntw10e5"}), "command line", "more than one way",
                 "--ppn N");
  expect_refused(nodecart({"--dims", "4x4", "--ppn", "4", "--np", "16"}), "command line", "no machine is given",
                 "--machine M");
  expect_refused(nodecart({"--dims", "4x4", "--ppn", "4", "--map-by", "numa"}), "command line", "no machine is given",
                 "--machine M");
}

TEST(NodecartBadInput, Others) {
  const Ran method = nodecart({"--dims", "4x4", "--ppn", "4", "--method", "teleport"});
  for (const std::string& name : kMethods) expect_refused(method, "--method", "teleport", name);
  expect_refused(nodecart({"--dims", "4x4", "--ppn", "4", "--engine", "steam"}), "--engine", "steam", "pure");
  expect_refused(nodecart({"--dims", "256x256", "--ppn", "16"}),
                 "--engine: ", "65536 processes are too many for a simulation", "--engine pure");
  const Arguments sound = {"--dims", "4x4", "--ppn", "4", "--engine", "pure"};
  expect_refused(nodecart(sound, {"--svg", "/proc/none/x.svg"}), "/proc/none/x.svg", "cannot be made", "another place");
  expect_refused(nodecart(sound, {"--svg", "-", "--json"}), "--svg: ", "stdout", "give --svg a file");
}

}  // namespace
}  // namespace strata
