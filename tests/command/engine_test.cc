// SPDX-License-Identifier: LGPL-2.1-only
// Scenarios with `engine: replay`: the program runs once for each set of its own inputs, and every point gets the
// records that a simulation at that point would give. Also figures of the machine as axes of a sweep, which work in
// simulations too.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/command/expect_refused.h"
#include "tests/command/strata_process.h"
#include "tests/platforms/edited_machine.h"

namespace strata {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr const char* kSweep =
    "what_if:\n"
    "  - {figure: System - Cluster.latency, times: '{latency}', source: 'assumed: what if'}\n"
    "  - {figure: System - Cluster.overhead, times: '{latency}', source: 'assumed: what if'}\n"
    "  - {figure: eager_limit, value: '{eager}', unit: KiB, source: 'assumed: what if'}\n"
    "sweep:\n"
    "  rounds: [10, 2000]\n"
    "  map_by: [core, node]\n"
    "  latency: [0.5, 1, 3]\n"
    "  eager: [1, 64]\n";
constexpr size_t kPoints = 24, kInputs = 2;

class EngineTest : public ::testing::Test {
 protected:
  // A scenario that runs the program with ROUNDS as its argument.
  std::string scenario(const std::string& rest, const std::string& program = built("tests/command/guest.so"),
                       const std::string& metric = "{name: simulated_time, unit: s}") const {
    std::string file = folder_.path() / "study.yaml";
    std::ofstream(file) << "schema: strata.scenario/1\nname: study\ntitle: Study\nmachine: ntw10e5\nranks: 12\n"
                        << "program: " << program << "\narguments: [pairs, '{rounds}']\nmetric: " << metric << "\n"
                        << rest;
    return file;
  }
  Ran run(const std::string& file, const std::string& out, const Words& more = {}) const {
    Words words = {"run", file, "--out", folder_.path() / out};
    words.insert(words.end(), more.begin(), more.end());
    return run_strata(words);
  }
  std::string records(const std::string& out) const { return whole(folder_.path() / out / "records.jsonl"); }
  static size_t files_in(const fs::path& folder) {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }
  static std::string whole(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  TemporaryFolder folder_;
};

TEST_F(EngineTest, PointsHaveTheRecordsOfSimulations) {
  const std::string file = scenario(kSweep);
  const Ran simulated = run(file, "simulated"), replayed = run(file, "replayed", {"--set", "engine=replay"});
  ASSERT_EQ(simulated.code, 0) << simulated.err;
  ASSERT_EQ(replayed.code, 0) << replayed.err;
  const std::string expected = records("simulated");
  EXPECT_EQ(static_cast<size_t>(std::count(expected.begin(), expected.end(), '\n')), kPoints);
  EXPECT_EQ(records("replayed"), expected);
  EXPECT_EQ(files_in(folder_.path() / "replayed" / "recordings"), kInputs);
}

TEST_F(EngineTest, AnotherMachineNeedsNoOtherRecording) {
  const std::string file = scenario("engine: replay\nsweep: {rounds: [10, 2000]}\n");
  const std::string kept = folder_.path() / "kept";
  ASSERT_EQ(run(file, "here", {"--record", kept}).code, 0);
  ASSERT_EQ(files_in(kept), kInputs);
  std::vector<fs::file_time_type> written;
  for (const auto& recording : fs::directory_iterator(kept)) written.push_back(recording.last_write_time());
  const Words on_theta = {"--record", kept, "--set", "machine=theta"};
  ASSERT_EQ(run(file, "there", on_theta).code, 0);
  std::vector<fs::file_time_type> after;
  for (const auto& recording : fs::directory_iterator(kept)) after.push_back(recording.last_write_time());
  EXPECT_EQ(after, written);
  ASSERT_EQ(run(file, "simulated", {"--set", "machine=theta", "--set", "engine=simulation"}).code, 0);
  EXPECT_EQ(records("there"), records("simulated"));
  EXPECT_NE(records("there"), records("here"));
}

// ntw10e5 with two ports in each node, both at the package where no rank is.
TEST_F(EngineTest, PortsOfNodesToo) {
  const std::string machine =
      edited_machine(folder_, "ports", "ntw10e5",
                     {{"network: {nodes: 10}", "network: {nodes: 10, ports: {at: [Package 1, Package 1]}}"},
                      {"\n  levels:\n",
                       "\n  ports:\n    bandwidth: {value: 3.2918, unit: GB/s, source: measured}\n"
                       "    far_latency: {value: 0.3, unit: us, source: measured}\n"
                       "    stripe_from: {value: 1, unit: KiB, source: measured}\n  levels:\n"}});
  const std::string file = scenario("sweep: {rounds: [10, 2000], map_by: [core, node]}\n");
  const Words on = {"--set", "machine=" + machine};
  ASSERT_EQ(run(file, "simulated", on).code, 0);
  ASSERT_EQ(run(file, "replayed", {on[0], on[1], "--set", "engine=replay"}).code, 0);
  ASSERT_EQ(run(file, "one-port").code, 0);
  EXPECT_EQ(records("replayed"), records("simulated"));
  EXPECT_NE(records("simulated"), records("one-port"));
}

// Up to version 0.7.0 recordings were called NAME.strace.
TEST_F(EngineTest, RecordingsOfEarlierVersionsAreUsed) {
  const std::string file = scenario("engine: replay\nsweep: {rounds: [10, 2000]}\n");
  const fs::path kept = folder_.path() / "kept";
  ASSERT_EQ(run(file, "first", {"--record", kept}).code, 0);
  std::vector<fs::path> recordings(fs::directory_iterator(kept), {});
  for (const fs::path& recording : recordings) {
    EXPECT_EQ(recording.extension(), ".mpitrace");
    fs::rename(recording, fs::path(recording).replace_extension(".strace"));
  }
  const Ran again = run(file, "again", {"--record", kept});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(files_in(kept), kInputs);  // no new ones
  EXPECT_EQ(records("again"), records("first"));
}

TEST_F(EngineTest, ADamagedRecordingIsMadeAgain) {
  const std::string file = scenario("engine: replay\nsweep: {rounds: [10]}\n");
  const std::string kept = folder_.path() / "kept";
  ASSERT_EQ(run(file, "first", {"--record", kept}).code, 0);
  const fs::path recording = fs::directory_iterator(kept)->path();
  fs::resize_file(recording, fs::file_size(recording) / 2);
  ASSERT_EQ(run(file, "second", {"--record", kept}).code, 0);
  EXPECT_EQ(records("second"), records("first"));
}

TEST_F(EngineTest, AnInterruptedRunGoesOn) {
  const std::string file = scenario(std::string(kSweep) + "engine: replay\n");
  ASSERT_EQ(run(file, "whole").code, 0);
  ASSERT_EQ(run(file, "cut").code, 0);
  const fs::path out = folder_.path() / "cut";
  // What a kill leaves: half of the records, and no end in the manifest.
  const std::string all = records("cut");
  std::ofstream(out / "records.jsonl", std::ios::trunc) << all.substr(0, all.size() / 2);
  std::string manifest = whole(out / "manifest.json");
  const size_t end = manifest.find("\"end\":");
  ASSERT_NE(end, std::string::npos);
  const size_t from = manifest.find('"', end + 6), to = manifest.find('"', from + 1);
  manifest.erase(from + 1, to - from - 1);
  std::ofstream(out / "manifest.json", std::ios::trunc) << manifest;
  const Ran ran = run(file, "cut", {"--resume"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(records("cut"), records("whole"));
}

TEST_F(EngineTest, WrongInputIsRefused) {
  const auto refused = [&](const std::string& file, const std::string& where, const std::string& what,
                           const std::string& remedy,
                           const Words& more = {}) { expect_refused(run(file, "out", more), where, what, remedy); };
  refused(scenario("engine: replay\nsweep: {rounds: [1]}\n", built("tests/command/guest.so"), "{name: time, unit: s}"),
          "study.yaml", "gives no 'time', which the program prints", "simulated_time");
  refused(scenario("engine: replay\ntraces: true\nsweep: {rounds: [1]}\n"), "study.yaml", "gives no traces", "leave");
  refused(scenario("engine: recall\nsweep: {rounds: [1]}\n"), "study.yaml:9", "'recall'", "simulation or replay");
  const std::string latency = "what_if: [{figure: System - Cluster.latency, times: '{";
  refused(scenario(latency + "lag}', source: 'assumed: x'}]\nsweep: {rounds: [1]}\n"), "study.yaml:9",
          "'{lag}' names no axis", "the axes are rounds");
  refused(scenario(latency + "lag}', source: 'assumed: x'}]\nsweep: {rounds: [1], lag: [1, much]}\n"), "study.yaml:9",
          "axis lag has \"much\", which is not a number", "give numbers");
  const std::string swept = scenario(latency + "lag}', source: 'assumed: x'}]\nsweep: {rounds: [1], lag: [1, 2]}\n");
  refused(swept, "--set what_if.System - Cluster.latency=2x", "is set by axis lag", "narrow the axis",
          {"--set", "what_if.System - Cluster.latency=2x"});
  refused(swept, "study.yaml:9: what_if[0] at lag=-1", "-1 is too small", "0 or more", {"--set", "lag=-1"});
  refused(scenario("sweep: {rounds: [1], map_by: [core, nodes]}\n"), "study.yaml:9", "\"nodes\" is not a map_by value",
          "core");
}

}  // namespace
}  // namespace strata
