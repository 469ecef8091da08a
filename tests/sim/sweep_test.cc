// SPDX-License-Identifier: LGPL-2.1-only
// Parameters of a sweep other than the program's options: the places of ranks and progress threads, cases of several
// parameters together, and a reference that is measured first.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/command/strata_process.h"
#include "tests/sim/unit_machine.h"

namespace strata {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;

// On the unit machine: two nodes of four cores, with one NUMA node each.
class Sweep : public ::testing::Test {
 protected:
  Sweep() : out_(folder_.path() / "out") { folder_.write("machine.yaml", unit_machine()); }

  std::string scenario(const std::string& program, const std::string& more) const {
    return folder_.write("scenario.yaml",
                         "schema: strata.scenario/1\nname: p\ntitle: a sweep\nmachine: ./machine.yaml\nprogram: " +
                             program + "\nmetric: {name: time, unit: s}\n" + more);
  }
  std::string echo(const std::string& more) const { return scenario(built("tests/sim/echo.so"), more); }

  Ran run(const std::string& file, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> command = {"run", file, "--out", out_};
    command.insert(command.end(), more.begin(), more.end());
    return run_strata(command);
  }

  // The options that a point's program received, and the hosts of its ranks: "node0.core0 node0.core1".
  struct Point {
    std::map<std::string, double> told;
    std::string hosts;
  };
  std::vector<Point> points() const {
    std::vector<Point> all;
    for (const std::string& line : lines_of(read_text(out_ / "records.jsonl"))) {
      if (line.empty()) continue;
      const Json record = Json::parse(line);
      all.resize(std::max(all.size(), record["point"].get<size_t>() + 1));
      Point& point = all[record["point"]];
      if (record["metric"] == "host") {
        point.hosts += (point.hosts.empty() ? "" : " ") + record["parameters"]["on"].get<std::string>();
      } else if (record["metric"] != "time") {
        point.told[record["metric"]] = record["value"];
      }
    }
    return all;
  }

  TemporaryFolder folder_;
  fs::path out_;
};

TEST_F(Sweep, PlacesRanksAndTheirProgressThreads) {
  const std::string file = echo("mapping: {map_by: spread}\nsweep: {ranks: [4, 6], progress: [numa, bind], i: [7]}\n");
  const Ran ran = run(file);
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("ones, 4, 6 ranks"));
  const std::vector<Point> all = points();
  ASSERT_EQ(all.size(), 4u);
  for (const Point& p : all) EXPECT_EQ(p.told, (std::map<std::string, double>{{"i", 7}}));
  // With two ranks per node they are on cores 0 and 2, with three on cores 0, 1 and 2; the last core is free.
  EXPECT_EQ(all[0].hosts,
            "node0.core0 node0.core2 node1.core0 node1.core2 node0.core1 node0.core3 node1.core1 node1.core3");
  EXPECT_EQ(all[1].hosts,
            "node0.core0 node0.core2 node1.core0 node1.core2 node0.core0 node0.core2 node1.core0 node1.core2");
  EXPECT_EQ(all[2].hosts,
            "node0.core0 node0.core1 node0.core2 node1.core0 node1.core1 node1.core2 "
            "node0.core3 node0.core3 node0.core3 node1.core3 node1.core3 node1.core3");
  EXPECT_EQ(read_text(out_ / "bindings/ranks=4,progress=numa.txt"),
            "0 0 0\n1 0 2\n2 1 0\n3 1 2\n4 0 1\n5 0 3\n6 1 1\n7 1 3\n");
  EXPECT_TRUE(fs::exists(out_ / "bindings/ranks=6,progress=bind.txt"));
  EXPECT_FALSE(fs::exists(out_ / "bindings.txt"));

  EXPECT_EQ(run(file, {"--resume"}).code, 0);
  const Ran other = run(file, {"--resume", "--set", "map_by=core"});
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("holds another run (p on ones): its placement of ranks differs"));
}

TEST_F(Sweep, ProgressThreadsOfTheMapping) {
  const Ran ran = run(echo("ranks: 6\nmapping: {map_by: spread, progress: numa}\n"), {"--set", "progress=odd-even"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("ones, 6 ranks"));
  EXPECT_EQ(read_text(out_ / "bindings.txt"),
            "0 0 0\n1 0 1\n2 0 2\n3 1 0\n4 1 1\n5 1 2\n6 0 3\n7 0 3\n8 0 3\n9 1 3\n10 1 3\n11 1 3\n");
  const Json manifest = Json::parse(read_text(out_ / "manifest.json"));
  EXPECT_EQ(manifest["study"]["ranks"], 6);
  EXPECT_EQ(manifest["study"]["progress"], "odd-even");
}

TEST_F(Sweep, WhatCannotBePlacedIsRefusedBeforeAnythingIsWritten) {
  const auto refused = [&](const std::string& more, const std::string& message) {
    const Ran ran = run(echo(more));
    EXPECT_EQ(ran.code, 2) << more;
    EXPECT_THAT(ran.err, HasSubstr(message));
    EXPECT_EQ(lines_of(ran.err).size(), 1u) << ran.err;
    EXPECT_FALSE(fs::exists(out_));
  };
  refused("sweep: {ranks: [8, 9]}\n", "9 ranks on 8 cores");
  refused("ranks: 8\nmapping: {progress: odd-even}\n", "progress: ");
  refused("ranks: 6\nsweep: {progress: [numa, near]}\n", "progress: ");
}

// Models use the placement of each point: they agree for a whole sweep.
TEST_F(Sweep, ModelsOfOtherProgramsFollowTheRanks) {
  const Ran ran = run(scenario("collective",
                               "sweep: {algorithm: [linear], variant: [native, hierarchical], elements: [100], "
                               "ranks: [1, 2, 3, 5, 8]}\nmodels: {loggp: 0.000001}\n"));
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("loggp: 10 points within 0.0001 %, 0 outside the model, 0 disagree"));
}

TEST_F(Sweep, CasesGiveWhatTheyStandFor) {
  const std::string file = echo(
      "arguments: [--c, 3]\nmapping: {map_by: spread}\nsweep:\n  ranks: [2]\n  library:\n    ours: {a: 1, b: 2, "
      "progress: numa}\n    bound: {progress: bind, b: 4, a: 3}\n");
  ASSERT_EQ(run(file).code, 0);
  std::vector<Point> all = points();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].told, (std::map<std::string, double>{{"a", 1}, {"b", 2}, {"c", 3}}));
  EXPECT_EQ(all[0].hosts, "node0.core0 node1.core0 node0.core1 node1.core1");
  EXPECT_EQ(all[1].told, (std::map<std::string, double>{{"a", 3}, {"b", 4}, {"c", 3}}));
  EXPECT_EQ(all[1].hosts, "node0.core0 node1.core0 node0.core0 node1.core0");
  const Json record = Json::parse(lines_of(read_text(out_ / "records.jsonl")).front());
  EXPECT_EQ(record["parameters"]["library"], "ours");
  EXPECT_FALSE(record["parameters"].contains("a"));

  out_ = folder_.path() / "one";
  ASSERT_EQ(run(file, {"--set", "library=bound"}).code, 0);
  all = points();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].told.at("a"), 3);
}

TEST_F(Sweep, ReferenceIsMeasuredFirstAndGivenToAll) {
  const std::string more =
      "arguments: [--c, 3]\nranks: 6\nmapping: {map_by: spread, progress: numa}\nsweep: {i: [1, 2]}\n"
      "reference: {ranks: all, arguments: [--load, 0.1], metric: load, option: work}\n";
  const Ran ran = run(echo(more));
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(lines_of(ran.err).front(), "p: reference run for --work on 8 ranks");
  const std::vector<Point> all = points();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].told, (std::map<std::string, double>{{"c", 3}, {"work", 0.1}, {"i", 1}}));
  EXPECT_EQ(all[1].told, (std::map<std::string, double>{{"c", 3}, {"work", 0.1}, {"i", 2}}));
  const std::string manifest = read_text(out_ / "manifest.json"), records = read_text(out_ / "records.jsonl");
  EXPECT_EQ(Json::parse(manifest)["reference"], 0.1);
  EXPECT_THAT(read_text(out_ / "output/reference.out"), HasSubstr("\"rank\":15,\"on\":\"node1.core3\""));

  const Ran resumed = run(echo(more), {"--resume"});
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(read_text(out_ / "records.jsonl"), records);
  // Records that were measured with a different value do not belong to this run.
  const size_t at = manifest.find("\"reference\": 0.1,\n");
  ASSERT_NE(at, std::string::npos);
  folder_.write("out/manifest.json", std::string(manifest).replace(at, 17, "\"reference\": 0.2,"));
  const Ran other = run(echo(more), {"--resume"});
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("its points were run with another reference value"));
}

TEST_F(Sweep, AGivenReferenceIsNotMeasured) {
  const std::string file = echo("ranks: 2\nreference: {ranks: all, metric: none, option: work}\n");
  const Ran ran = run(file, {"--set", "work=2.5"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(points()[0].told, (std::map<std::string, double>{{"work", 2.5}}));
  EXPECT_EQ(Json::parse(read_text(out_ / "manifest.json"))["reference"], 2.5);
  EXPECT_FALSE(fs::exists(out_ / "output/reference.out"));
  const Ran other = run(file, {"--set", "work=3"});
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("its study differs"));
}

TEST_F(Sweep, ReferenceThatFails) {
  const Ran missing = run(echo("ranks: 2\nreference: {ranks: 3, metric: load, option: work}\n"));
  EXPECT_EQ(missing.code, 3);
  EXPECT_EQ(lines_of(missing.err).back(), "strata: reference: the program printed no 'load'");
  out_ = folder_.path() / "refused";
  const Ran refused = run(scenario("collective",
                                   "ranks: 2\nreference: {ranks: all, arguments: [--root, 9], metric: "
                                   "time, option: elements}\n"));
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(lines_of(refused.err).back(), HasSubstr("strata: scenario p: reference: --root"));
}

// The shim is recorded, but it is not an option of the program.
TEST_F(Sweep, TheShimIsNoOptionOfTheProgram) {
  const std::string file = echo("ranks: 2\nsweep: {shim: [off, on, kdtree], i: [7]}\n");
  const Ran ran = run(file);
  ASSERT_EQ(ran.code, 0) << ran.err;
  const std::vector<Point> all = points();
  ASSERT_EQ(all.size(), 3u);
  for (const Point& p : all) EXPECT_EQ(p.told, (std::map<std::string, double>{{"i", 7}}));
  const std::string records = read_text(out_ / "records.jsonl");
  for (const char* value : {"off", "on", "kdtree"})
    EXPECT_THAT(records, HasSubstr("\"parameters\":{\"shim\":\"" + std::string(value) + "\",\"i\":7"));
  EXPECT_EQ(Json::parse(read_text(out_ / "manifest.json"))["study"]["shim"], "off") << "but for the sweep";

  out_ = folder_.path() / "all";
  ASSERT_EQ(run(echo("ranks: 2\nshim: on\nsweep: {i: [7]}\n")).code, 0);
  EXPECT_EQ(Json::parse(read_text(out_ / "manifest.json"))["study"]["shim"], "on");
}

// Progress threads need one address space, so the ranks of a user's program then share its globals.
TEST_F(Sweep, ProgressThreadsNeedOneAddressSpace) {
  const std::string file = scenario(built("tests/sim/globals.so"), "ranks: 3\nmapping: {map_by: core}\n");
  ASSERT_EQ(run(file).code, 0);
  EXPECT_THAT(read_text(out_ / "records.jsonl"), HasSubstr(R"("metric":"counter of 0","value":101.0)"));
  out_ = folder_.path() / "shared";
  ASSERT_EQ(run(file, {"--set", "progress=bind"}).code, 0);
  EXPECT_THAT(read_text(out_ / "records.jsonl"), HasSubstr(R"("metric":"counter of 0","value":121.0)"));
}

}  // namespace
}  // namespace strata
