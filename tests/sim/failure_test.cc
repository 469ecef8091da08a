// SPDX-License-Identifier: LGPL-2.1-only
// Programs that fail under `strata run`: exit code 3, one line that says which rank waits for which message or which
// one crashed, and all earlier measurements are kept.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/command/strata_process.h"

namespace strata {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;

// A study on one node of four cores, with three ranks that run one of the test programs.
std::string scenario(const std::string& program, const std::string& sweep) {
  return "schema: strata.scenario/1\nname: wrong\ntitle: what goes wrong\nmachine: {xml: " +
         built("tests/sim/data/24l3-3l8c.xml") + ", nodes: 1}\nprogram: " + built("tests/sim/" + program) +
         "\nranks: 3\nsweep: {" + sweep + "}\nmetric: {name: time, unit: s}\ntime_limit: 20\n";
}

struct Way {
  std::string how;
  std::string says;
};

class Failure : public ::testing::TestWithParam<Way> {};

TEST_P(Failure, IsToldInOneLineAndKeepsWhatIsDone) {
  const TemporaryFolder folder;
  const std::string file = folder.write("wrong.yaml", scenario("misbehave.so", "how: [well, " + GetParam().how + "]"));
  const std::string out = folder.path() / "out";
  const auto started = std::chrono::steady_clock::now();
  const Ran ran = run_strata({"run", file, "--jobs", "1", "--out", out, "--set",
                              "time_limit=" + std::string(GetParam().how == "spin" ? "1" : "20")});
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
  EXPECT_EQ(ran.code, 3) << ran.err;
  EXPECT_EQ(ran.out, "");
  const std::vector<std::string> lines = lines_of(ran.err);
  ASSERT_EQ(lines.size(), 2u) << ran.err;  // the successful point, and the failure
  EXPECT_EQ(lines[0], "[1/2] how=well: 1.000 s");
  EXPECT_THAT(lines[1], ::testing::StartsWith("strata: point how=" + GetParam().how + ": " + GetParam().says));
  EXPECT_LT(took.count(), 15) << "a failure must not wait for the time limit";
  const std::vector<std::string> records = lines_of(read_text(out + "/records.jsonl"));
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(Json::parse(records[0])["parameters"]["how"], "well");
  // The program can be corrected, and the run continued.
  EXPECT_EQ(run_strata({"run", file, "--jobs", "1", "--out", out}).code, 2) << "unfinished without --resume";
}

INSTANTIATE_TEST_SUITE_P(
    Ways, Failure,
    ::testing::Values(
        Way{"deadlock",
            "deadlock: rank 0 waits in recv from rank 1 (tag 7); rank 1 waits in recv from rank 0 (tag 7) (output: "},
        Way{"waitall",
            "deadlock: rank 0 waits in waitall for irecv from rank 1 (tag 5), irecv from rank 1 (tag 6); rank 1 waits "
            "in waitall for irecv from rank 0 (tag 5), irecv from rank 0 (tag 6) (output: "},
        Way{"wait",
            "deadlock: rank 0 waits in wait for irecv from rank 1 (tag 5); rank 1 waits in wait for irecv from rank 0 "
            "(tag 5) (output: "},
        Way{"send", "deadlock: rank 0 waits in send to rank 1 (tag 3) (output: "},
        Way{"collective", "deadlock: rank 0 waits in allreduce; rank 2 waits in allreduce (output: "},
        Way{"segv", "rank 1 crashed: Segmentation fault (output: "},
        Way{"stack", "rank 1 crashed: Segmentation fault (output: "},
        Way{"throw",
            "rank 1 crashed: Aborted: Uncaught exception std::runtime_error: a matrix that is not there (output: "},
        Way{"assert", "rank 1 crashed: Aborted: "}, Way{"abort", "rank 1 called MPI_Abort (output: "},
        Way{"leaves",
            "rank 1 crashed: Aborted: Process exited without calling MPI_Finalize - Killing simulation (output: "},
        Way{"status", "the program ended with status 7: rank "},
        Way{"spin", "no end after 1 s of wall time, the time limit (output: "},
        Way{"silent", "the program printed no 'time' in s"}, Way{"unit", "the program printed no 'time' in s"},
        Way{"nan",
            "the program printed a line after @strata that is not JSON: @strata {\"metric\":\"time\",\"value\":NaN"},
        Way{"huge", "the program printed a line after @strata that is not JSON"},
        Way{"json", "the program printed a line after @strata that is not JSON: @strata time 1 s (output: "},
        Way{"text", "the program printed {\"metric\":\"time\",\"value\":\"fast\",\"unit\":\"s\"} where "},
        Way{"parameters", "the program printed {\"metric\":\"time\",\"value\":1,\"unit\":\"s\",\"parameters\":7}"}),
    [](const auto& info) { return info.param.how; });

// If a program of the catalog refuses its arguments, this is bad input, not a failed simulation.
TEST(Program, RefusesItsArguments) {
  const TemporaryFolder folder;
  const Ran ran = run_strata({"run", "quickstart", "--set", "algorithm=telepathy", "--out", folder.path() / "out"});
  EXPECT_EQ(ran.code, 2) << ran.err;
  EXPECT_EQ(lines_of(ran.err).size(), 1u) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("'telepathy' is not one of "));
}

// The program must print all metrics of the scenario.
TEST(Program, PrintsEveryMetric) {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("some.yaml", scenario("misbehave.so", "how: [well]") + "also: [{name: energy, unit: J}]\n");
  const Ran ran = run_strata({"run", file, "--out", folder.path() / "out"});
  EXPECT_EQ(ran.code, 3) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("strata: point how=well: the program printed no 'energy' in J"));
}

TEST(Program, IsNotThere) {
  const TemporaryFolder folder;
  for (const char* program : {"nosuch", "./nosuch.so"}) {
    const Ran ran =
        run_strata({"run", "quickstart", "--set", std::string("program=") + program, "--out", folder.path() / "out"});
    EXPECT_EQ(ran.code, 2) << ran.err;
    EXPECT_EQ(ran.err.rfind(std::string("strata: program '") + program +
                                "': does not exist; name one of busy, calls, cg, collective, ",
                            0),
              0u)
        << ran.err;
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "out")) << "nothing is written before the input is right";
  }
}

// A program given by a path is a user's: each rank has its own globals, as in a process.
TEST(Program, HasGlobalsOfEachRank) {
  const TemporaryFolder folder;
  const std::string file = folder.write("globals.yaml", scenario("globals.so", ""));
  const std::string out = folder.path() / "out";
  const Ran ran = run_strata({"run", file, "--out", out});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const std::vector<std::string> records = lines_of(read_text(out + "/records.jsonl"));
  ASSERT_EQ(records.size(), 7u);
  for (int r = 0; r < 3; ++r) {
    const Json count = Json::parse(records[2 * r]), calls = Json::parse(records[2 * r + 1]);
    EXPECT_EQ(count["metric"], "counter of " + std::to_string(r));
    EXPECT_EQ(count["value"], 101 + r);
    EXPECT_EQ(calls["value"], 1 + r);
  }
}

// SimGrid splits the values of its options at blanks, but paths may contain blanks.
TEST(Program, PathsWithBlanks) {
  const TemporaryFolder folder;
  const std::filesystem::path blanks = folder.path() / "a folder";
  std::filesystem::create_directories(blanks / "tmp dir");
  std::filesystem::copy_file(built("tests/sim/misbehave.so"), blanks / "my program.so");
  std::filesystem::copy_file(built("tests/sim/data/24l3-3l8c.xml"), blanks / "my node.xml");
  std::string text = scenario("misbehave.so", "how: [well, deadlock]");
  const auto put = [&](const std::string& old, const std::string& fresh) {
    text.replace(text.find(old), old.size(), fresh);
  };
  put(built("tests/sim/misbehave.so"), "./my program.so");
  put(built("tests/sim/data/24l3-3l8c.xml"), "my node.xml");
  folder.write("a folder/my scenario.yaml", text);
  // Relative paths from two working directories name the same study.
  Surroundings there;
  there.folder = blanks;
  there.environment["TMPDIR"] = blanks / "tmp dir";
  const Ran ran = run_strata({"run", "my scenario.yaml", "--jobs", "1", "--out", "my results"}, there);
  EXPECT_EQ(ran.code, 3) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("[1/2] how=well: 1.000 s\n"));
  EXPECT_THAT(ran.err, HasSubstr("rank 0 waits in recv from rank 1 (tag 7)"));
  EXPECT_TRUE(std::filesystem::is_empty(blanks / "tmp dir")) << "what a simulation needs goes when it ends";
  there.folder = folder.path();
  const Ran resumed = run_strata(
      {"run", "a folder/my scenario.yaml", "--jobs", "1", "--resume", "--out", "a folder/my results"}, there);
  EXPECT_EQ(resumed.code, 3) << resumed.err;
  EXPECT_EQ(lines_of(resumed.err)[0], "wrong: 1 of 2 points are there already");
}

}  // namespace
}  // namespace strata
