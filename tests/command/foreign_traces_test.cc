// SPDX-License-Identifier: LGPL-2.1-only
// strata replay and strata replay convert with GOAL schedules and SMPI's actions. A program's trace that is written as
// actions takes SimGrid's own replayer the same time as the program. A trace that is written as GOAL and read again
// replays in the same time, except for rounding of computation to ns. If cores share memory, copies take less time in
// both formats, which do not know that. SimGrid's examples take the same time here as in SimGrid.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "records/trace/trace_file.h"
#include "tests/command/expect_refused.h"
#include "tests/command/strata_process.h"

namespace strata {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;
using ::testing::HasSubstr;

const std::string kSamples = "tests/records/foreign/";
constexpr int kRanks = 12;
constexpr double kShared = 0.02;  // of the time: at most what copies lose on ntw10e5, where they share cores and memory
const std::vector<std::string> kMachines = {"blue-waters", "ntw10e5", "theta"};

Ran done(const Words& words) {
  Ran ran = run_strata(words);
  EXPECT_EQ(ran.code, 0) << ran.err;
  return ran;
}

Json replayed(Words words) {
  words.insert(words.begin(), {"replay", "--per-rank", "--json"});
  const Ran ran = done(words);
  return ran.code == 0 ? Json::parse(ran.out) : Json::object();
}

// `most`: the largest allowed difference, s.
void expect_near(const std::vector<double>& one, const std::vector<double>& other, double most,
                 const std::string& what) {
  ASSERT_EQ(one.size(), other.size());
  double worst = 0;
  for (size_t r = 0; r < one.size(); ++r) worst = std::max(worst, std::abs(one[r] - other[r]));
  std::printf("%s: %.6g s, largest difference of a rank's time %.3g s\n", what.c_str(), one.front(), worst);
  EXPECT_LE(worst, most) << what;
}

class ForeignTraces : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() / name; }
  // Records the test program on kRanks ranks.
  std::string recorded(const std::string& machine) const {
    std::string file = path(machine + ".mpitrace");
    done({"exec", "--machine", machine, "-n", std::to_string(kRanks), "--map-by", "node", "--no-summary", "--record",
          file, "--", built("tests/command/exchange.so")});
    return file;
  }
  TemporaryFolder folder_;
};

TEST_F(ForeignTraces, SimGridsReplayerTakesAsLongAsTheProgram) {
  for (const std::string& machine : kMachines) {
    const std::string app = recorded(machine), actions = path(machine + ".ti"), again = path(machine + "-2.mpitrace");
    done({"replay", "convert", app, "--to", "ti", "--out", actions});
    done({"replay", "convert", actions, "--machine", machine, "--map-by", "node", "--to", "mpitrace", "--out", again});
    const std::vector<double> ended = read_trace(app).ended;
    expect_near(ended, read_trace(again).ended, machine == "ntw10e5" ? kShared * ended[0] : 0, machine);
  }
}

TEST_F(ForeignTraces, GoalOutAndInAgain) {
  for (const std::string& machine : kMachines) {
    const std::string app = recorded(machine), goal = path(machine + ".goal");
    done({"replay", "convert", app, "--to", "goal", "--out", goal});
    const Json one = replayed({app}), other = replayed({goal, "--machine", machine, "--map-by", "node"});
    EXPECT_EQ(one["messages"], other["messages"]);
    EXPECT_EQ(one["bytes"], other["bytes"]);
    EXPECT_TRUE(other["order_may_differ"].empty());
    const double rounding = kRanks * 1e-9;  // of computation, to ns
    expect_near(one["ended"], other["ended"],
                rounding + (machine == "ntw10e5" ? kShared * one["ended"][0].get<double>() : 0), machine);
  }
}

// Collectives, requests, tests, and actions in one or several files.
TEST_F(ForeignTraces, SimGridsExamples) {
  std::ofstream(path("list")) << kSamples << "actions0.txt\n" << kSamples << "actions1.txt\n";
  for (const std::string& file : {path("list"), kSamples + "actions_with_isend.txt", kSamples + "actions_alltoall.txt",
                                  kSamples + "actions_allgatherv.txt", kSamples + "actions_reducescatter.txt"}) {
    const std::string there = path("there.mpitrace");
    done({"replay", "convert", file, "--machine", "ntw10e5", "--to", "mpitrace", "--out", there});
    const Json here = replayed({file, "--machine", "ntw10e5"});
    EXPECT_EQ(here["ended"].get<std::vector<double>>(), read_trace(there).ended) << file;
    EXPECT_GT(here["messages"], 1) << file;
  }
}

// A test can have a different result on another machine.
TEST_F(ForeignTraces, DoubtsAreSaid) {
  const std::string file = kSamples + "actions_with_isend.txt";
  EXPECT_EQ(replayed({file, "--machine", "ntw10e5"})["order_may_differ"], Json::array({"MPI_Test"}));
  expect_refused(run_strata({"replay", file, "--machine", "ntw10e5", "--strict"}), "actions_with_isend.txt", "MPI_Test",
                 "--strict");
}

// Computation of 5 us, a message, and computation of 1 us.
TEST_F(ForeignTraces, AScheduleOfOurOwn) {
  std::ofstream(path("chain.goal")) << "num_ranks 2\nrank 0 {\nc: calc 5000\ns: send 8b to 1\ns requires c\n}\n"
                                       "rank 1 {\nr: recv 8b from 0\nc: calc 1000\nc requires r\n}\n";
  const Json r = replayed({path("chain.goal"), "--machine", "blue-waters"});
  const std::vector<double> ended = r["ended"];
  EXPECT_GT(ended[0], 5e-6);
  EXPECT_GT(ended[1], 6e-6);
  EXPECT_EQ(r["messages"], 1);
}

TEST_F(ForeignTraces, WrongInputIsRefused) {
  const std::string goal = kSamples + "binary_tree_32.goal";
  expect_refused(run_strata({"replay", goal}), goal, "does not say for which machine", "--machine");
  expect_refused(run_strata({"replay", goal, "--machine", "ntw10e5", "-n", "5"}), "-n", "32 ranks, not 5", "");
  expect_refused(run_strata({"replay", kSamples + "actions_alltoall.txt", "--machine", "ntw10e5", "-n", "5"}), "-n",
                 "3 ranks, not 5", "");
  std::ofstream(path("none")) << "hello\n";
  expect_refused(run_strata({"replay", path("none")}), path("none"), "is not a trace", "--record");
  std::ofstream(path("bad.goal")) << "num_ranks 1\nrank 0 {\nsend 8b to 7\n}\n";
  expect_refused(run_strata({"replay", path("bad.goal"), "--machine", "ntw10e5"}), "bad.goal:3", "a rank is 7",
                 "0 at most");
  std::ofstream(path("dead.txt")) << "0 init\n1 init\n0 recv 1 0 8\n1 recv 0 0 8\n0 send 1 0 8\n1 send 0 0 8\n";
  const Ran dead = run_strata({"replay", path("dead.txt"), "--machine", "ntw10e5"});
  EXPECT_EQ(dead.code, 3);
  EXPECT_THAT(dead.err, HasSubstr("deadlock"));
  std::ofstream(path("long.txt")) << "0 init\n1 init\n0 bcast 2000000000\n1 bcast 2000000000\n";
  const Ran late = run_strata({"replay", path("long.txt"), "--machine", "ntw10e5", "--limit", "1"});
  EXPECT_EQ(late.code, 3);
  EXPECT_THAT(late.err, HasSubstr("no end after 1 s of wall time, the time limit"));
  std::ofstream(path("dead.goal")) << "num_ranks 2\nrank 0 {\nr: recv 8b from 1\ns: send 8b to 1\ns requires r\n}\n"
                                      "rank 1 {\nr: recv 8b from 0\ns: send 8b to 0\ns requires r\n}\n";
  expect_refused(run_strata({"replay", path("dead.goal"), "--machine", "ntw10e5"}), "trace", "no rank can go on",
                 "deadlocks");
  expect_refused(
      run_strata({"replay", "convert", goal, "--machine", "ntw10e5", "--to", "goal", "--out", "/nowhere/a.goal"}),
      "/nowhere/a.goal", "cannot be", "");
}

}  // namespace
}  // namespace strata
