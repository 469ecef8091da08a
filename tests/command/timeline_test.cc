// SPDX-License-Identifier: LGPL-2.1-only
// strata replay timeline, and strata exec --timeline: recorded events in the formats of other tools, and refused input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/command/expect_refused.h"
#include "tests/command/strata_process.h"
#include "tests/records/timeline/recorded_runs.h"

namespace strata {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Words = std::vector<std::string>;

const std::string kGuest = "tests/command/guest.so";
const std::string kNode = "tests/command/2-sockets.xml";

// The example on two cores of a node that has two sockets of three cores.
class Timeline : public ::testing::Test {
 protected:
  Timeline() { example_run().write(events_); }

  Ran run(const Words& options, const Surroundings& surroundings = {}) const {
    Words words = {"replay", "timeline", events_, "--xml", built(kNode), "--nodes", "2"};
    words.insert(words.end(), options.begin(), options.end());
    return run_strata(words, surroundings);
  }
  std::string file(const std::string& name) const { return folder_.path() / name; }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& f : fs::directory_iterator(folder_.path())) names.push_back(f.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }

  TemporaryFolder folder_;
  std::string events_ = folder_.path() / "run.events";
};

TEST_F(Timeline, SaysWhereTheTimeWent) {
  const Ran ran = run({});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, StartsWith("app on two: 2 of 2 ranks, from 0 s to 4.000 ms\n\n"
                                  "MPI function                     calls time, all ranks       share     blocked\n"
                                  "  MPI_Recv                           1         3.00 ms      37.5 %      37.5 %\n"
                                  "  outside MPI                                  5.00 ms      62.5 %\n"
                                  "functions without time: 1\n"
                                  "\n"));
  EXPECT_THAT(run({"--from", "2ms", "--ranks", "1"}).out,
              HasSubstr("  MPI_Recv                           1         1.00 ms      50.0 %"));
}

TEST_F(Timeline, IsWrittenInEachFormat) {
  for (const char* name : {"a.paje", "a.json", "a.json.gz", "a.otf2"}) {
    const Ran ran = run({"--out", file(name), "--messages"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.err, "wrote " + file(name) + "\n");
  }
  EXPECT_EQ(run({"--out", file("other.name"), "--format", "paje"}).code, 0);
  EXPECT_EQ(files(), (Words{"a.json", "a.json.gz", "a.otf2", "a.paje", "other.name", "run.events"}));
  EXPECT_THAT(read_text(file("a.paje")), HasSubstr("Mm M0 t0 message 1 8 7\n"));
  EXPECT_EQ(Json::parse(read_text(file("a.json")))["schema"], "strata.timeline/1");
  EXPECT_THAT(Process({"otf2-print", file("a.otf2/traces.otf2")}).wait().out, HasSubstr("MPI_RECV"));
}

TEST_F(Timeline, OfWrongInputIsRefused) {
  const std::string out = file("a.paje");
  expect_refused(run({"--out", file("a.txt")}), "--out", "does not say the format by its name", ".otf2");
  expect_refused(run({"--out", out, "--format", "svg"}), "--format", "'svg' is not a format", "paje, chrome or otf2");
  expect_refused(run({"--out", out, "--from", "2ms", "--to", "1ms"}), "--to", "no time is between 2ms and 1ms",
                 "after");
  expect_refused(run({"--out", out, "--from", "2"}), "--from", "is not a time with its unit", "1ms");
  expect_refused(run({"--out", out, "--from", "1s"}), events_, "the run ends at 0.004 s", "earlier");
  expect_refused(run({"--out", out, "--ranks", "0-7"}), "--ranks", "there is no rank 7", "from 0 to 1");
  expect_refused(run_strata({"replay", "timeline", events_, "--out", out}), events_, "'two', is not in the catalog",
                 "--machine");
  expect_refused(run_strata({"replay", "timeline", file("none"), "--machine", "theta"}), "none", "No such file",
                 "events");
  expect_refused(run_strata({"replay", "timeline", folder_.path()}), folder_.path(), "manifest", "");
  const std::string whole = read_text(events_);
  folder_.write("run.events", whole.substr(0, whole.size() - 3));
  expect_refused(run({"--out", out}), events_, "cut off", "again");
  EXPECT_EQ(files(), Words{"run.events"});
}

TEST_F(Timeline, LeavesNothingOnAFullDisk) {
  write_ring(events_, "two", 12, 1000);
  folder_.write("a.paje", "older");
  for (const char* name : {"a.paje", "b.json", "c.otf2"}) {
    const Ran ran = run({"--out", file(name)}, {.largest_file = 10'000});
    expect_refused(ran, name, "cannot be written", "free space");
  }
  expect_refused(run({"--format", "paje", "--out", "/dev/full"}), "/dev/full", "No space left", "");
  expect_refused(run({"--out", file("none/a.paje")}), "a.paje", "No such file", "");
  EXPECT_EQ(files(), (Words{"a.paje", "run.events"}));
  EXPECT_EQ(read_text(file("a.paje")), "older");
}

// Ten times the events need the same memory.
TEST_F(Timeline, TakesBoundedMemory) {
  for (const char* name : {"a.paje", "a.json.gz", "a.otf2"}) {
    double most = 1e9;
    for (const int steps : {10, 100}) {
      write_ring(events_, "theta", 4096, steps);
      const Ran ran = run_strata({"replay", "timeline", events_, "--out", file(name), "--messages"});
      EXPECT_EQ(ran.code, 0) << ran.err;
      constexpr double kMore = 24e6;  // B: OTF2's buffers, which the short run does not fill completely
      EXPECT_LT(ran.peak_bytes, most) << name;
      most = ran.peak_bytes + kMore;
    }
  }
}

// --- while a program runs ---

Ran exec(const Words& options, const Words& program) {
  Words words = {"exec", "--xml", built(kNode), "--nodes", "2", "--no-summary"};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {"--", built(kGuest)});
  words.insert(words.end(), program.begin(), program.end());
  return run_strata(words);
}

TEST(ExecTimeline, HasEachRanksCalls) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "run.json";
  const Ran ran = exec({"-n", "4", "--timeline", file, "--timeline-messages"}, {"ring", "1000", "2"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  const Json document = Json::parse(read_text(file));
  int arrows = 0, sends = 0;
  for (const Json& e : document["traceEvents"]) {
    if (e["ph"] == "s") ++sends;
    if (e["ph"] == "f") ++arrows;
  }
  EXPECT_GE(sends, 8);  // of the ring; the program's collectives add some
  EXPECT_EQ(sends, arrows);
}

TEST(ExecTimeline, OfAWindow) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "run.paje";
  EXPECT_EQ(
      exec({"-n", "4", "--timeline", file, "--timeline-ranks", "1,3", "--timeline-to", "1us"}, {"ring", "1000", "2"})
          .code,
      0);
  const Ran dump = Process({"pj_dump", file}).wait();
  EXPECT_EQ(dump.code, 0) << dump.err;
  EXPECT_THAT(dump.out, HasSubstr("State, rank 1, MPI function"));
  EXPECT_THAT(dump.out, HasSubstr("State, rank 3, MPI function"));
  EXPECT_THAT(dump.out, ::testing::Not(HasSubstr("rank 2, MPI")));
}

TEST(ExecTimeline, IsCheckedBeforeTheRun) {
  expect_refused(exec({"-n", "4", "--timeline", "a.svg"}, {"nodes"}), "--timeline", "does not say the format", ".paje");
  expect_refused(exec({"-n", "4", "--timeline", "a.paje", "--timeline-ranks", "4"}, {"nodes"}), "--timeline-ranks",
                 "there is no rank 4", "from 0 to 3");
  expect_refused(exec({"-n", "4", "--timeline", "a.paje", "--timeline-from", "1"}, {"nodes"}), "--timeline-from",
                 "is not a time with its unit", "1ms");
}

TEST(ExecTimeline, OfADeadlockShowsWhoWaits) {
  const TemporaryFolder folder;
  const Ran ran = exec({"-n", "3", "--timeline", folder.path() / "run.paje"}, {"deadlock"});
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.err, HasSubstr("deadlock: rank 0 waits in MPI_Recv"));
  EXPECT_THAT(read_text(folder.path() / "run.paje"), HasSubstr("ts \"MPI_Recv\""));
}

}  // namespace
}  // namespace strata
