// SPDX-License-Identifier: LGPL-2.1-only
// The helper that starts processes for tests, on programs that every system has.
#include "tests/process/process.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <thread>

namespace strata {
namespace {

Ran shell(const std::string& script, const Surroundings& surroundings = {}) {
  return Process({"/bin/sh", "-c", script}, surroundings).wait();
}

TEST(Process, CodeAndBothOutputs) {
  const Ran ran = shell("echo out; echo err >&2; exit 3");
  EXPECT_EQ(ran.code, 3);
  EXPECT_EQ(ran.signal, 0);
  EXPECT_FALSE(ran.timed_out);
  EXPECT_EQ(ran.out, "out\n");
  EXPECT_EQ(ran.err, "err\n");
}

TEST(Process, MergedOutputsAreInOrder) {
  EXPECT_EQ(shell("echo 1; echo 2 >&2; echo 3", {.merged = true}).out, "1\n2\n3\n");
}

TEST(Process, ReadsItsInputAndElseNothing) {
  EXPECT_EQ(shell("cat", {.input = "a\nb\n"}).out, "a\nb\n");
  EXPECT_EQ(shell("cat").out, "");
}

TEST(Process, EnvironmentIsAddedToOursOrToABareOne) {
  ::setenv("STRATA_PROCESS_TEST", "ours", 1);
  const std::string script = "echo \"$STRATA_PROCESS_TEST $ADDED\"";
  EXPECT_EQ(shell(script, {.environment = {{"ADDED", "a"}}}).out, "ours a\n");
  EXPECT_EQ(shell(script, {.environment = {{"ADDED", "a"}, {"STRATA_PROCESS_TEST", "changed"}}}).out, "changed a\n");
  EXPECT_EQ(shell(script, {.environment = {{"ADDED", "a"}}, .bare = true}).out, " a\n");
}

TEST(Process, RunsWhereItIsToldTo) {
  const TemporaryFolder folder;
  folder.write("here", "yes");
  EXPECT_EQ(shell("cat here", {.folder = folder.path()}).out, "yes");
  EXPECT_EQ(shell("true", {.folder = folder.path() / "missing"}).code, 126);
  EXPECT_EQ(Process({"/no/such/program"}).wait().code, 127);
}

TEST(Process, ASignalIsNoExitCode) {
  const Ran ran = shell("kill -9 $$");
  EXPECT_EQ(ran.code, -1);
  EXPECT_EQ(ran.signal, SIGKILL);
}

// The limit ends a program that waits, a program that ignores SIGTERM, and their child processes.
TEST(Process, TheLimitEndsItAndItsChildren) {
  const Ran waits = shell("sleep 600", {.limit_s = 0.2});
  EXPECT_TRUE(waits.timed_out);
  EXPECT_EQ(waits.code, -1);
  EXPECT_LT(waits.wall_s, 60);
  const Ran refuses = shell("trap '' TERM; sleep 600 & echo $!; wait; sleep 600", {.limit_s = 0.5});
  EXPECT_TRUE(refuses.timed_out);
  EXPECT_EQ(refuses.signal, SIGKILL);
  const pid_t child = std::stoi(refuses.out);
  for (int i = 0; i < 1000 && ::kill(child, 0) == 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  // If no process reaps orphans, the child remains as a zombie.
  if (::kill(child, 0) == 0) {
    EXPECT_NE(read_text("/proc/" + std::to_string(child) + "/stat").find(") Z "), std::string::npos);
  }
}

TEST(Process, WithinTheLimitNothingChanges) {
  const Ran ran = shell("echo done; exit 2", {.limit_s = 100});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.out, "done\n");
  EXPECT_FALSE(ran.timed_out);
}

TEST(Process, TellsWhatItUsed) {
  const Ran ran = shell("i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done");
  EXPECT_GT(ran.cpu_s, 0);
  EXPECT_GE(ran.wall_s, 0.5 * ran.cpu_s);  // one thread; the two clocks have different resolutions
  EXPECT_GT(ran.peak_bytes, 100e3);
}

}  // namespace
}  // namespace strata
