// SPDX-License-Identifier: LGPL-2.1-only
// The program nbc: every collective has the result that MPI defines, with every shape of tree; the metrics are those
// described in its help; and it refuses wrong input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/sim/unit_machine.h"

namespace strata {
namespace {

using ::testing::HasSubstr;

class Nbc : public UnitMachine {
 protected:
  // On two nodes of four cores each, the last of which communicates.
  std::map<std::string, std::map<std::string, double>> nbc(int ranks, const std::string& sweep,
                                                           const std::string& arguments) {
    return run("nbc", ranks, sweep, "arguments: [" + arguments + "]\nmapping: {map_by: spread, progress: numa}\n");
  }
};

// Wrong data is exit code 1 of the program and 3 of the run.
TEST_F(Nbc, EveryCollectiveIsVerified) {
  for (const int ranks : {1, 2, 5, 6}) {
    auto all = nbc(ranks,
                   "collective: [ibcast, ireduce, iallreduce, iscatter, igather, iscan], steps: [auto, blocking, 0], "
                   "root: [0]",
                   "--work, 0.001, --bytes, 4000");
    ASSERT_EQ(ran_.code, 0) << ran_.err;
    EXPECT_EQ(all["time"].size(), 18u);
    nbc(ranks, "collective: [ibcast, ireduce, iallreduce], root: [" + std::to_string(ranks - 1) + "]",
        "--work, 0.001, --bytes, 4000, --tree, nodes, --arity, 3");
    EXPECT_EQ(ran_.code, 0) << ran_.err;
  }
  nbc(6, "collective: [ibarrier], steps: [auto, blocking]", "--work, 0.001");
  EXPECT_EQ(ran_.code, 0) << ran_.err;
}

TEST_F(Nbc, TellsTimesAndSteps) {
  auto all = nbc(6, "collective: [ireduce], steps: [blocking, 0, 1, 3]", "--work, 0.6, --bytes, 40000");
  ASSERT_EQ(ran_.code, 0) << ran_.err;
  for (const char* steps : {"blocking", "0", "1", "3"}) {
    const std::string point = std::string("ireduce ") + steps;
    EXPECT_DOUBLE_EQ(all["computation"][point], 0.1);
    EXPECT_EQ(all["blocking"][point], all["blocking"]["ireduce blocking"]);
    EXPECT_GT(all["blocking"][point], 0);
    EXPECT_EQ(all["steps"][point], std::string(steps) == "blocking" ? 3 : std::stoi(steps));
  }
  // Blocking: computation, then the collective. Otherwise they overlap, except for the steps in the call.
  EXPECT_NEAR(all["time"]["ireduce blocking"], 0.1 + all["blocking"]["ireduce blocking"], 1e-9);
  EXPECT_EQ(all["nonblocking"]["ireduce blocking"], all["blocking"]["ireduce blocking"]);
  EXPECT_NEAR(all["time"]["ireduce 0"], 0.1, 10e-6);
  EXPECT_GT(all["time"]["ireduce 1"], all["time"]["ireduce 0"] + 40e-6);  // a copy of 40 kB at 1 GB/s
  EXPECT_GT(all["nonblocking"]["ireduce 0"], all["blocking"]["ireduce 0"]) << "two cores for six ranks";
}

// A barrier sends empty messages up the tree and down again, on the progress threads. A thread alone on its core polls
// the messages for which it waits. With two ranks each thread waits for one message. With three, thread 0 waits for two
// and then for one, and then 1 or 2 waits for one. If two threads share a core, 1 also waits while 0 polls.
TEST_F(Nbc, AProgressThreadLooksAtItsMessages) {
  const auto blocking = [&](int ranks, double look_us, const std::string& mapping) {
    auto all = run("nbc", ranks, "collective: [ibarrier], steps: [blocking]",
                   "arguments: [--work, 0.001]\nmapping: " + mapping + "\nwhat_if:\n  - {figure: polling, value: " +
                       std::to_string(look_us) + ", unit: us, source: \"assumed: a test\"}\n");
    EXPECT_EQ(ran_.code, 0) << ran_.err;
    return all["blocking"]["ibarrier blocking"];
  };
  const auto looks_us = [&](int ranks, double look_us, const std::string& mapping) {
    return (blocking(ranks, look_us, mapping) - blocking(ranks, 0, mapping)) * 1e6;
  };
  const std::string apart = "{map_by: spread, progress: numa}", together = "{map_by: core, progress: \"3\"}";
  EXPECT_NEAR(looks_us(2, 3, apart), (1 + 1) * 3, 1e-5);
  // Without polling, a few ns of both threads' bookkeeping overlap; with polling they do not.
  EXPECT_NEAR(looks_us(2, 1'000, together), (2 + 1) * 1'000, 0.02);
  // The second message for 0 arrives while it polls for the first.
  EXPECT_NEAR(looks_us(3, 10'000, apart), (2 + 1 + 1) * 10'000, 5);
}

// A chain of p ranks whose threads share one core (docs/progress.md): when message i of p - 1 arrives, p - i threads
// are waiting for one each, including its receiver.
TEST_F(Nbc, ThreadsOfOneCoreLookAtTheMessagesOfAllOfThem) {
  std::string machine = unit_machine();
  const std::string few = "l3:2 core:2";
  folder_.write("machine.yaml", machine.replace(machine.find(few), few.size(), "l3:8 core:4"));
  const auto blocking = [&](int ranks, double look_us) {
    auto all = run("nbc", ranks, "collective: [iscan], steps: [blocking]",
                   "arguments: [--bytes, 4, --work, 0.001]\nmapping: {map_by: core, progress: \"31\"}\nwhat_if:\n"
                   "  - {figure: polling, value: " +
                       std::to_string(look_us) + ", unit: us, source: \"assumed: a test\"}\n");
    EXPECT_EQ(ran_.code, 0) << ran_.err;
    return all["blocking"]["iscan blocking"];
  };
  for (const int p : {2, 3, 12, 31}) {
    EXPECT_NEAR((blocking(p, 1'000) - blocking(p, 0)) * 1e6, p * (p - 1) / 2 * 1'000, 1) << p;
  }
}

TEST_F(Nbc, WithoutWorkTellsHowMuchThereIsToCompute) {
  auto all = run("nbc", 6, "collective: [ireduce]",
                 "arguments: [--bytes, 40000]\nmapping: {progress: bind}\nalso: [{name: blocking, unit: s}]\n");
  EXPECT_EQ(ran_.code, 3) << "it prints no time";
  EXPECT_THAT(ran_.err, HasSubstr("the program printed no 'time'"));
  const std::string scenario = folder_.write(
      "work.yaml",
      "schema: strata.scenario/1\nname: w\ntitle: work\nmachine: ./machine.yaml\nprogram: nbc\nranks: 6\narguments: "
      "[--bytes, 40000]\nmapping: {progress: bind}\nmetric: {name: work, unit: s}\nalso: [{name: blocking, unit: "
      "s}]\n");
  const Ran ran = run_strata({"run", scenario, "--out", folder_.path() / "work"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  std::map<std::string, double> value;
  for (const std::string& line : lines_of(read_text(folder_.path() / "work/records.jsonl"))) {
    if (line.empty()) continue;
    const auto record = nlohmann::ordered_json::parse(line);
    value[record["metric"]] = record["value"];
  }
  EXPECT_EQ(value.size(), 2u);
  EXPECT_EQ(value["work"], 6 * value["blocking"]);
}

TEST_F(Nbc, Refuses) {
  const auto refused = [&](const std::string& sweep, const std::string& message) {
    nbc(6, sweep, "--work, 0.001");
    EXPECT_EQ(ran_.code, 2) << sweep;
    EXPECT_THAT(lines_of(ran_.err).back(), HasSubstr(message));
  };
  refused("steps: [4], bytes: [400]", "--steps: the tree has fewer levels than 4");
  refused("steps: [few], bytes: [400]", "'few' is none of auto, blocking, 0, 1, ...");
  refused("root: [6], bytes: [400]", "--root: 6 is no rank");
  refused("steps: [0], bytes: [6]", "--bytes: is no multiple of 4");
  refused("collective: [ibarrier], bytes: [4]", "--bytes: does not go with ibarrier");
  run("nbc", 6, "steps: [0], bytes: [4]");
  EXPECT_EQ(ran_.code, 2);
  EXPECT_THAT(lines_of(ran_.err).back(), HasSubstr("no progress threads: say `mapping: {progress: numa}`"));
}

}  // namespace
}  // namespace strata
