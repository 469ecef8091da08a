// SPDX-License-Identifier: LGPL-2.1-only
// strata matrix: recomputed figures, conversions between formats, sums by level, the heat map cell by cell, and bad
// input.
#include <gtest/gtest.h>
#include <re2/re2.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/command/expect_refused.h"
#include "tests/command/strata_process.h"

namespace strata {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;
using Arguments = std::vector<std::string>;
using Matrix = std::vector<std::vector<double>>;

Ran matrix(Arguments arguments) {
  arguments.insert(arguments.begin(), "matrix");
  return run_strata(arguments);
}

Json document_of(Arguments arguments) {
  arguments.emplace_back("--json");
  const Ran ran = matrix(arguments);
  EXPECT_EQ(ran.code, 0) << ran.err;
  return ran.code == 0 ? Json::parse(ran.out) : Json();
}

std::string dense(const Matrix& m) {
  std::string text;
  for (const std::vector<double>& row : m) {
    for (const double value : row) text += Json(static_cast<long>(value)).dump() + " ";
    text += "\n";
  }
  return text;
}

Matrix random_matrix(int order, unsigned seed) {
  std::mt19937_64 engine(seed);
  Matrix m(order, std::vector<double>(order, 0));
  for (std::vector<double>& row : m) {
    for (double& value : row) {
      if (engine() % 3 == 0) value = static_cast<double>(engine() % 1000) * std::pow(10, engine() % 4);
    }
  }
  return m;
}

// Two nodes, each with two packages of two cores.
class MatrixCommand : public ::testing::Test {
 protected:
  MatrixCommand() {
    folder_.write("machine.yaml",
                  "schema: strata.machine/1\nname: small\ndescription: eight cores\nsource: none\n"
                  "node: {synthetic: \"pack:2 core:2 pu:1\"}\nnetwork: {nodes: 2}\ncosts:\n"
                  "  core: {speed: " +
                      figure("Gflop/s") + ", copy_bandwidth: " + figure("GB/s") + "}\n  eager_limit: " + figure("KiB") +
                      "\n  levels:\n" + level("System - Cluster") + level("NUMANode") + level("Package"));
  }
  std::string machine() const { return folder_.path() / "machine.yaml"; }
  std::string profile() const {
    return folder_.write(
        "run.prof",
        "# 5 processes\n# POINT TO POINT\nE\t0\t1\t100 bytes\t2 msgs sent\n"
        "I\t1\t0\t50 bytes\t1 msgs sent\nE\t2\t2\t7 bytes\t1 msgs sent\nE\t3\t0\t0 bytes\t4 msgs sent\n"
        "C\t0\t4\t1000 bytes\t1 msgs sent\n");
  }

  TemporaryFolder folder_;

 private:
  static std::string figure(const std::string& unit) { return "{value: 1, unit: " + unit + ", source: measured}"; }
  static std::string level(const std::string& name) {
    return "    - {level: " + name + ", latency: " + figure("us") + ", overhead: " + figure("us") +
           ", bandwidth: " + figure("GB/s") + ", link_bandwidth: " + figure("GB/s") + "}\n";
  }
};

TEST_F(MatrixCommand, Text) {
  const std::string file = profile();
  EXPECT_EQ(matrix({file}).out, file +
                                    ": 5 ranks (prof)\n"
                                    "messages        8\n"
                                    "bytes           157 B\n"
                                    "pairs           2 of 20\n"
                                    "partners        0.4 (0 to 1)\n"
                                    "symmetric       66.7 %\n"
                                    "to itself       7.00 B\n"
                                    "heaviest pairs  0 -> 1: 100 B\n"
                                    "                1 -> 0: 50.0 B\n");
  EXPECT_EQ(matrix({file, "--messages", "--machine", machine(), "--by", "package"}).out,
            file +
                ": 5 ranks (prof)\n"
                "messages        8\n"
                "bytes           157 B\n"
                "pairs           3 of 20\n"
                "partners        0.8 (0 to 2)\n"
                "symmetric       28.6 %\n"
                "to itself       1 message\n"
                "heaviest pairs  3 -> 0: 4 messages\n"
                "                0 -> 1: 2 messages\n"
                "                1 -> 0: 1 message\n"
                "\n3 Packages\n"
                "inside          4 messages, 50 %\n"
                "across          4 messages, 50 %\n"
                "\nfrom \\ to         0         1         2\n"
                "        0      3.00         .         .\n"
                "        1      4.00      1.00         .\n"
                "        2         .         .         .\n");
  EXPECT_THAT(matrix({folder_.write("barrier.prof", "E 0 1 0 bytes 3 msgs sent\n")}).out,
              HasSubstr("all messages are empty"));
}

TEST_F(MatrixCommand, Json) {
  EXPECT_EQ(document_of({profile(), "--kinds", "E,I,C"}).dump(),
            R"({"schema":"strata.matrix/1","format":"prof","ranks":5,"bytes":1157.0,"messages":9.0,"counted":"bytes",)"
            R"("pairs":3,"to_itself":7.0,"symmetric_share":0.08695652173913043,)"
            R"("partners":{"min":0,"max":2,"avg":0.8},"heaviest":[{"from":0,"to":4,"amount":1000.0},)"
            R"({"from":0,"to":1,"amount":100.0},{"from":1,"to":0,"amount":50.0}],"by":null})");
  const Json nothing = document_of({folder_.write("nothing.mat", "0 0\n0 0\n")});
  EXPECT_EQ(nothing["symmetric_share"], nullptr);
  EXPECT_EQ(nothing["messages"], nullptr);
  EXPECT_EQ(nothing["pairs"], 0);
}

// Every figure of the document, recomputed from its definition.
TEST_F(MatrixCommand, FiguresCountedAnew) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(seed);
    const int order = 8;
    const Matrix m = random_matrix(order, seed);
    const std::string file = folder_.write("m.mat", dense(m));
    for (const std::string map_by : {"core", "node"}) {
      const Json d = document_of({file, "--machine", machine(), "--by", "package", "--map-by", map_by});
      double total = 0, to_itself = 0, matched = 0, heaviest = 0, inside = 0;
      long pairs = 0;
      std::vector<std::set<int>> partners(order);
      std::map<std::pair<int, int>, double> flows;
      for (int i = 0; i < order; ++i) {
        for (int j = 0; j < order; ++j) {
          total += m[i][j];
          // The package of a rank: two ranks each, with cores filled in order or dealt to the nodes round-robin.
          const auto package = [&](int r) { return map_by == "core" ? r / 2 : r % 2 * 2 + r / 4; };
          if (m[i][j] > 0) flows[{package(i), package(j)}] += m[i][j];
          inside += package(i) == package(j) ? m[i][j] : 0;
          if (i == j) {
            to_itself += m[i][j];
            continue;
          }
          matched += std::min(m[i][j], m[j][i]);
          heaviest = std::max(heaviest, m[i][j]);
          if (m[i][j] == 0) continue;
          ++pairs;
          partners[i].insert(j);
          partners[j].insert(i);
        }
      }
      size_t least = order, most = 0, sum = 0;
      for (const std::set<int>& p : partners) {
        least = std::min(least, p.size());
        most = std::max(most, p.size());
        sum += p.size();
      }
      EXPECT_EQ(d["format"], "dense");
      EXPECT_EQ(d["ranks"], order);
      EXPECT_EQ(d["bytes"], total);
      EXPECT_EQ(d["pairs"], pairs);
      EXPECT_EQ(d["to_itself"], to_itself);
      EXPECT_DOUBLE_EQ(d["symmetric_share"].get<double>(), matched / (total - to_itself));
      EXPECT_EQ(d["partners"], (Json{{"min", least}, {"max", most}, {"avg", static_cast<double>(sum) / order}}));
      EXPECT_EQ(d["heaviest"][0]["amount"], heaviest);
      EXPECT_EQ(d["by"]["level"], "Package");
      EXPECT_EQ(d["by"]["groups"], 4);
      EXPECT_EQ(d["by"]["inside"], inside);
      EXPECT_EQ(d["by"]["across"], total - inside);
      std::map<std::pair<int, int>, double> told;
      for (const Json& f : d["by"]["flows"]) told[{f[0], f[1]}] = f[2];
      EXPECT_EQ(told, flows);
    }
  }
}

TEST_F(MatrixCommand, ConvertedIntoEachOther) {
  const Matrix m = random_matrix(9, 5);
  std::string file = folder_.write("m.mat", dense(m));
  const Json before = document_of({file});
  for (const std::string to : {"mtx", "prof", "dense"}) {
    const std::string out = folder_.path() / ("m." + to);
    const Ran ran = matrix({file, "--to", to, "--out", out});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("wrote " + out));
    EXPECT_EQ(matrix({file, "--to", to}).out, read_text(out)) << "stdout without --out";
    Json after = document_of({out});
    EXPECT_EQ(after["format"], to);
    after["format"] = before["format"];
    after["messages"] = before["messages"];
    EXPECT_EQ(after, before);
    file = out;
  }
  // With --by, the matrix is that between groups.
  EXPECT_EQ(matrix({profile(), "--machine", machine(), "--by", "node", "--to", "dense", "--kinds", "E,C"}).out,
            "107 1000\n0 0\n");
  EXPECT_EQ(matrix({profile(), "--messages", "--to", "dense"}).out,
            "0 2 0 0 0\n1 0 0 0 0\n0 0 1 0 0\n4 0 0 0 0\n0 0 0 0 0\n");
}

TEST_F(MatrixCommand, ProfilesOfARun) {
  const std::string a = folder_.write("r.0.prof", "# POINT TO POINT\nE\t0\t1\t10 bytes\t1 msgs sent\n");
  const std::string b = folder_.write("r.1.prof", "# POINT TO POINT\nE\t1\t2\t5 bytes\t1 msgs sent\n");
  const Json d = document_of({a, b});
  EXPECT_EQ(d["ranks"], 3);
  EXPECT_EQ(d["bytes"], 15.0);
  EXPECT_EQ(document_of({a, b, "--np", "8"})["ranks"], 8);
}

// The colours in a drawing by row and column.
std::map<std::pair<int, int>, std::string> cells_of(const std::string& svg) {
  std::map<std::pair<int, int>, std::string> cells;
  static const RE2 form(R"re(<path class="cells"[^>]*stroke="(#[0-9A-F]+)"[^>]* d="([^"]*)")re");
  static const RE2 run(R"(M(\d+) (\d+)h(\d+))");
  std::string colour, path;
  for (re2::StringPiece paths = svg; RE2::FindAndConsume(&paths, form, &colour, &path);) {
    re2::StringPiece runs = path;
    for (int column = 0, row = 0, length = 0; RE2::FindAndConsume(&runs, run, &column, &row, &length);) {
      for (int i = 0; i < length; ++i) {
        EXPECT_TRUE(cells.emplace(std::pair(row, column + i), colour).second) << "drawn twice";
      }
    }
  }
  return cells;
}

TEST_F(MatrixCommand, HeatMap) {
  Matrix m = random_matrix(12, 7);
  const std::string svg = matrix({folder_.write("m.mat", dense(m)), "--svg", "-"}).out;
  const std::map<std::pair<int, int>, std::string> cells = cells_of(svg);
  // Larger amounts are darker: the amounts of each colour form an interval, and the intervals are disjoint.
  std::map<std::string, std::pair<double, double>> interval;
  for (int r = 0; r < 12; ++r) {
    for (int c = 0; c < 12; ++c) {
      const auto cell = cells.find({r, c});
      ASSERT_EQ(cell != cells.end(), m[r][c] > 0) << r << " " << c;
      if (cell == cells.end()) continue;
      auto& [low, high] = interval.emplace(cell->second, std::pair(m[r][c], m[r][c])).first->second;
      low = std::min(low, m[r][c]);
      high = std::max(high, m[r][c]);
    }
  }
  EXPECT_GT(interval.size(), 4u);
  const Arguments darker = {"#FEE391", "#FEC44F", "#FB9A29", "#EC7014", "#CC4C02", "#993404", "#662506"};
  double before = 0;
  for (const std::string& colour : darker) {
    if (!interval.count(colour)) continue;
    EXPECT_GT(interval[colour].first, before);
    before = interval[colour].second;
  }
  EXPECT_EQ(svg, matrix({folder_.write("m.mat", dense(m)), "--svg", "-"}).out);
}

// 2,000 ranks in cells of 4 x 4: at most 512 cells per side, each the sum of its ranks.
TEST_F(MatrixCommand, HeatMapOfManyRanks) {
  const int order = 2000;
  std::string text = "%%MatrixMarket matrix coordinate integer general\n2000 2000 3998\n";
  for (int r = 1; r < order; ++r) {
    text += std::to_string(r) + " " + std::to_string(r + 1) + " 1\n" + std::to_string(r + 1) + " " + std::to_string(r) +
            " 1\n";
  }
  const std::string svg = matrix({folder_.write("line.mtx", text), "--svg", "-"}).out;
  EXPECT_THAT(svg, HasSubstr("a cell is the sum of 4x4 pairs"));
  const std::map<std::pair<int, int>, std::string> cells = cells_of(svg);
  EXPECT_EQ(cells.size(), 500u + 2 * 499u);  // the diagonal, and each cell's neighbours
  for (const auto& [at, colour] : cells) {
    EXPECT_LE(std::abs(at.first - at.second), 1);
    EXPECT_EQ(colour, at.first == at.second ? "#662506" : "#FEE391");
  }
}

TEST_F(MatrixCommand, HeatMapByPlace) {
  // Dealt to the nodes round-robin: ranks 0, 2, ... are on node 0. Rank 0 sends to rank 1 only.
  const std::string file = folder_.write("m.mat", dense({{0, 9, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}));
  const std::string svg = matrix({file, "--machine", machine(), "--map-by", "node", "--by", "node", "--svg", "-"}).out;
  EXPECT_EQ(cells_of(svg), (std::map<std::pair<int, int>, std::string>{{{0, 2}, "#662506"}}));
  EXPECT_THAT(svg, HasSubstr("lines part the nodes"));
  EXPECT_THAT(svg, HasSubstr("rank in the order of places"));
  EXPECT_THAT(svg, HasSubstr("d=\"M64 0v128M0 64h128\""));
  EXPECT_THAT(matrix({file, "--machine", machine(), "--svg", "-"}).out, HasSubstr("lines part the Packages"));
}

TEST_F(MatrixCommand, BadInput) {
  const std::string good = folder_.write("good.mat", "0 1\n1 0\n"), bad = folder_.write("bad.mat", "0 1\n1 -1\n");
  expect_refused(matrix({bad}), "bad.mat:2", "negative", "0 or more");
  expect_refused(matrix({folder_.path()}), folder_.path(), "directory", "dense text");
  expect_refused(matrix({folder_.path() / "gone"}), "gone", "No such file", "dense text");
  expect_refused(matrix({}), "command line", "FILE", "--help");
  expect_refused(matrix({good, "--np", "3"}), "good.mat", "2 ranks, where there are 3", "agree");
  expect_refused(matrix({good, good}), "good.mat", "is not a profile", ".prof");
  expect_refused(matrix({good, "--messages"}), "good.mat", "no numbers of messages", ".prof");
  expect_refused(matrix({profile(), "--kinds", "E,X"}), "--kinds", "E,X", "E,I");
  expect_refused(matrix({profile(), "--kinds", "S"}), "run.prof", "no messages of the kinds S", "C, E, I");
  expect_refused(matrix({good, "--by", "node"}), "command line", "no machine", "--machine");
  expect_refused(matrix({good, "--machine", machine(), "--by", "l3"}), "--by", "not inside an object of level 'l3'",
                 "node, numa, package, core");
  expect_refused(matrix({good, "--out", "x"}), "--out", "needs a format", "--to");
  expect_refused(matrix({good, "--to", "csv"}), "--to", "csv", "mtx");
  expect_refused(matrix({good, "--to", "mtx", "--json"}), "command line", "more than one result", "one");
  expect_refused(matrix({good, "--to", "mtx", "--out", folder_.path() / "no/where"}), "no/where", "", "");
  expect_refused(matrix({folder_.write("half.mat", "0 0.5\n1 0\n"), "--to", "prof"}), "--to", "whole numbers", "mtx");
  expect_refused(
      matrix({folder_.write("large.mtx", "%%MatrixMarket matrix coordinate integer general\n65536 65536 1\n1 2 3\n"),
              "--to", "dense"}),
      "--to", "65536x65536", "mtx");
  const std::string nine = folder_.write("nine.mat", dense(Matrix(9, std::vector<double>(9, 1))));
  expect_refused(matrix({nine, "--machine", machine()}), "--np", "9 ranks on 8 cores", "--oversubscribe");
}

}  // namespace
}  // namespace strata
