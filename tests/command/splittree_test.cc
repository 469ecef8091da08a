// SPDX-License-Identifier: LGPL-2.1-only
// strata splittree: the split-tree model beside the simulated MPI code, on the idealised machine and on others; and
// refused input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "models/split_tree.h"
#include "models/split_tree_load.h"
#include "platforms/ideal_machine.h"
#include "platforms/progress_placement.h"
#include "tests/command/expect_refused.h"
#include "tests/command/strata_process.h"

namespace strata {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;

constexpr double kSame = 1e-9;  // relative
constexpr int kCores = 64;

Ran splittree(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "splittree");
  return run_strata(arguments);
}

Json document(std::vector<std::string> arguments) {
  arguments.emplace_back("--json");
  const Ran ran = splittree(arguments);
  EXPECT_EQ(ran.code, 0) << ran.err;
  return Json::parse(ran.out);
}

void expect_near(const Json& value, double expected) { EXPECT_NEAR(value.get<double>(), expected, kSame * expected); }

// The example of the contract.
TEST(SplitTree, ModelAndSimulationSideBySide) {
  const Json j = document({"--cores", "64", "-n", "62", "--steps", "3"});
  std::vector<std::string> keys;
  for (const auto& [key, value] : j.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"schema", "cores", "ranks", "steps", "collective", "placement", "unit",
                                            "model", "simulated", "best", "difference"}));
  EXPECT_EQ(j["schema"], "strata.splittree/1");
  EXPECT_EQ(j["cores"], 64);
  EXPECT_EQ(j["ranks"], 62);
  EXPECT_EQ(j["steps"], 3);
  EXPECT_EQ(j["collective"], "ireduce");
  EXPECT_EQ(j["placement"], "numa");
  EXPECT_EQ(j["unit"], "message");
  for (const char* which : {"model", "simulated"}) {
    EXPECT_EQ(j[which].size(), 4u);
    expect_near(j[which]["blocking"], 6);
    expect_near(j[which]["nonblocking"], 7);
    expect_near(j[which]["computation"], 6 * 64 / 62.0);
    expect_near(j[which]["overlapped"], 3 + 6 * 64 / 62.0);
  }
  EXPECT_EQ(j["best"], Json({{"steps", 3}}));
  EXPECT_TRUE(j["difference"].is_null());
  EXPECT_EQ(document({"--cores", "64", "-n", "62"}), j) << "the best S is the default";
  EXPECT_EQ(document({"--cores", "64", "-n", "62", "--bytes", "400", "--collective", "reduce"}), j)
      << "the unit is the buffer's copy, whatever its size";
}

TEST(SplitTree, SaysWhyTheyDiffer) {
  const Json j = document({"--cores", "64", "-n", "57", "--steps", "0"});
  expect_near(j["model"]["nonblocking"], 10);
  expect_near(j["simulated"]["nonblocking"], 13);  // one core has five messages of level 1; an even share would be four
  const Json& d = j["difference"];
  expect_near(d["overlapped"], 0.3);
  expect_near(d["placed"], 13);
  EXPECT_THAT(d["why"].get<std::string>(), HasSubstr("imbalance: of 28 messages of level 1"));
  ASSERT_EQ(d["levels"].size(), 6u);
  EXPECT_EQ(d["levels"][0], Json({{"level", 1}, {"messages", 28}, {"load", 5.0}, {"even_load", 4.0}, {"own", 0.0}}));
  const Ran text = splittree({"--cores", "64", "-n", "57", "--steps", "0"});
  EXPECT_THAT(text.out, HasSubstr("level 1: 28 messages, busiest core 5, even share 4"));
  EXPECT_THAT(text.out, HasSubstr("overlapped                10            13       +30 %"));
}

// Every core has a rank: Section 7 of the paper.
TEST(SplitTree, NothingCanBeHandedOverWithARankOnEveryCore) {
  const Json j = document({"--cores", "16", "-n", "16", "--steps", "2", "--collective", "ibcast"});
  for (const char* which : {"model", "simulated"}) {
    expect_near(j[which]["blocking"], 4);
    expect_near(j[which]["nonblocking"], 4);
    expect_near(j[which]["overlapped"], 8);
  }
  EXPECT_TRUE(j["difference"].is_null());
  // A single rank has no partner to reduce with: the model counts no message, but the code copies the buffer.
  const Json alone = document({"--cores", "1", "-n", "1"});
  EXPECT_EQ(alone["model"]["overlapped"], 0.0);
  EXPECT_TRUE(alone["difference"]["overlapped"].is_null()) << "no ratio";
}

// Section 5: a chain of n - 1 messages. It has no model.
TEST(SplitTree, Iscan) {
  const Json j = document({"--cores", "8", "-n", "6", "--collective", "iscan", "--placement", "odd-even"});
  EXPECT_TRUE(j["model"].is_null());
  EXPECT_TRUE(j["best"].is_null());
  EXPECT_TRUE(j["difference"].is_null());
  expect_near(j["simulated"]["computation"], 7 * 8 / 6.0);
  expect_near(j["simulated"]["overlapped"], 7 * 8 / 6.0);
}

TEST(SplitTree, ThreadsOnTheirRanksCoresOverlapNothing) {
  const Json j = document({"--cores", "64", "-n", "62", "--steps", "0", "--placement", "bind"});
  expect_near(j["simulated"]["nonblocking"], 6);
  expect_near(j["simulated"]["overlapped"], 6 + 6 * 64 / 62.0);
}

TEST(SplitTree, OnAMachineTimesAreSeconds) {
  const Json j = document({"--machine", "knl-7210", "-n", "60"});
  EXPECT_EQ(j["unit"], "s");
  EXPECT_EQ(j["cores"], 64);
  EXPECT_EQ(j["steps"], 2);
  const double unit = 2e6 / 5.92e9 + 2e6 / 3.95e9;  // a copy and a combination, by the machine's figures
  expect_near(j["model"]["blocking"], 6 * unit);
  EXPECT_NEAR(j["simulated"]["blocking"].get<double>(), 6 * unit, 0.02 * 6 * unit);
  EXPECT_THAT(j["difference"]["why"].get<std::string>(), HasSubstr("latency and bandwidth"));
}

TEST(SplitTree, DrawsWhatTheCoresDid) {
  const TemporaryFolder folder;
  const std::string svg = folder.path() / "a b.svg", trace = folder.path() / "a b.paje";
  ASSERT_EQ(splittree({"--cores", "8", "-n", "6", "--svg", svg, "--timeline", trace}).code, 0);
  EXPECT_THAT(read_text(svg), HasSubstr("ireduce, 6 ranks on ideal-8 (numa), 0 steps"));
  EXPECT_THAT(read_text(trace), HasSubstr("progress thread of 5"));
}

TEST(SplitTree, Refuses) {
  const auto with = [](std::vector<std::string> more) {
    more.insert(more.begin(), {"--cores", "64"});
    return splittree(more);
  };
  expect_refused(with({"-n", "62", "--steps", "7"}), "--steps: ", "7 steps of a tree of 6 levels", "give 0 to 6");
  expect_refused(with({"-n", "62", "--steps", "-1"}), "command line: ", "--steps", "");
  expect_refused(with({"-n", "65"}), "-n: ", "65 ranks on 64 cores", "give 1 to 64");
  expect_refused(with({"-n", "0"}), "-n: ", "0 ranks on 64 cores", "give 1 to 64");
  expect_refused(with({}), "-n: ", "0 ranks on 64 cores", "give 1 to 64");
  expect_refused(with({"-n", "64", "--placement", "odd-even"}), "--placement: ", "no core left for communication",
                 "say bind");
  expect_refused(with({"-n", "62", "--placement", "near"}), "--placement: ", "'near' is neither", "odd-even");
  expect_refused(with({"-n", "62", "--placement", "31,64"}), "--placement: ", "PU 64 is not on", "0-63");
  expect_refused(with({"-n", "62", "--placement", "31,5"}), "--placement: ", "runs a rank", "free cores");
  expect_refused(with({"-n", "62", "--collective", "alltoall"}), "command line: ", "--collective", "");
  expect_refused(with({"-n", "62", "--bytes", "6"}), "--bytes: ", "6 B", "give a multiple of 4");
  expect_refused(with({"-n", "62", "--collective", "iscan", "--steps", "1"}),
                 "--steps: ", "1 steps of an iscan, which has no levels", "give 0");
  expect_refused(splittree({"-n", "62"}), "command line: ", "no machine", "give --cores C");
  expect_refused(splittree({"-n", "62", "--machine", "knl-7210-2n"}), "--machine: ", "has 2 nodes", "one node");
}

// If every level's messages divide evenly over the communication cores, the times are those of Equations 3, 6 and 7 (5
// corrected). Otherwise they are those of the same tree as placed. Tested in both directions, for every S that the
// paper shows.
class AllRanks : public ::testing::TestWithParam<std::string> {};

TEST_P(AllRanks, AgreeWithTheModelWhereTheLoadIsEven) {
  const TemporaryFolder folder;
  const Machine machine = ideal_machine(kCores, Bytes(400));
  save_machine(machine, folder.path());
  const std::vector<int> all = {32, 33, 40, 43, 50, 51, 52, 55, 57, 58, 60, 61, 62, 63};
  std::string ranks;
  for (const int n : all) ranks += (ranks.empty() ? "" : ", ") + std::to_string(n);
  const std::string scenario = folder.write(
      "all.yaml",
      "schema: strata.scenario/1\nname: all\ntitle: all\nmachine: ./machine.yaml\nprogram: nbc\narguments: "
      "[--collective, " +
          GetParam() + ", --bytes, 400]\nmapping: {map_by: spread, progress: numa}\nsweep: {ranks: [" + ranks +
          "], steps: [0, 1, 2, 3]}\nmetric: {name: time, unit: s}\nreference: {ranks: all, metric: work, option: "
          "work}\n");
  const Ran ran = run_strata({"run", scenario, "--out", folder.path() / "out"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  std::map<std::pair<int, int>, std::map<std::string, double>> measured;
  for (const std::string& line : lines_of(read_text(folder.path() / "out/records.jsonl"))) {
    if (line.empty()) continue;
    const Json r = Json::parse(line);
    measured[{r["parameters"]["ranks"], r["parameters"]["steps"]}][r["metric"]] = r["value"];
  }
  ASSERT_EQ(measured.size(), 4 * all.size());
  int even = 0;
  for (auto& [point, times] : measured) {
    const auto [n, steps] = point;
    const models::SplitTree t{
        .cores = kCores,
        .ranks = n,
        .direction = GetParam() == "ireduce" ? models::Direction::kAllToOne : models::Direction::kOneToAll};
    const double computation = models::balanced_computation(t);
    EXPECT_NEAR(times["computation"], computation, kSame * computation);
    EXPECT_NEAR(times["blocking"], models::blocking_time(t), kSame * 6);
    const std::vector<Binding> placed = place(*machine.topology, n, {.map_by = "spread"});
    models::PlacedTree tree{.tree = t, .root = 0, .core_of_rank = {}, .core_of_thread = {}};
    for (const Binding& b : placed) tree.core_of_rank.push_back(b.core);
    for (const Binding& b : place_progress(*machine.topology, placed, "numa")) tree.core_of_thread.push_back(b.core);
    const double expected = models::placed_time(tree, steps, computation);
    EXPECT_NEAR(times["time"], expected, kSame * expected) << n << " ranks, " << steps << " steps";
    const std::vector<models::LevelLoad> levels = models::folded(t, steps, 0, tree.core_of_thread).communication;
    if (models::most_uneven(levels) != nullptr) continue;
    ++even;
    if (GetParam() == "ibcast") continue;  // the busiest cores of two levels may work at the same time
    const double nonblocking = models::nonblocking_time(t, steps),
                 time = models::overlapped_time(t, steps, computation);
    EXPECT_NEAR(times["nonblocking"], nonblocking, kSame * nonblocking) << n << " ranks, " << steps << " steps";
    EXPECT_NEAR(times["time"], time, kSame * time) << n << " ranks, " << steps << " steps";
  }
  EXPECT_GE(even, 40) << "most are";
}

INSTANTIATE_TEST_SUITE_P(Collectives, AllRanks, ::testing::Values("ireduce", "ibcast"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace strata
