// SPDX-License-Identifier: LGPL-2.1-only
// strata probe: the files that it writes, and refused settings. tests/calibration/probe runs the probe itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/command/expect_refused.h"

namespace strata {
namespace {

using ::testing::HasSubstr;

constexpr const char* kNode = "platforms/data/ntw10e5/node.xml";

std::vector<std::string> probe(const std::filesystem::path& out, const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {"probe", "--node", kNode, "--out", out};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST(Probe, WritesAFolderForTheCluster) {
  const TemporaryFolder folder;
  const std::filesystem::path out = folder.path() / "probe";
  const Ran ran = run_strata(probe(out, {"--array", "4096"}));
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("three arrays of 4096 B a rank"));
  EXPECT_THAT(read_text(out / "plan.txt"), HasSubstr("\narray_bytes 4096\n"));
  for (const char* name : {"probe.c", "job.sh", "places.txt", "node.xml"})
    EXPECT_TRUE(std::filesystem::exists(out / name)) << name;
}

TEST(Probe, RefusesArraysThatAreNone) {
  const TemporaryFolder folder;
  const std::filesystem::path out = folder.path() / "probe";
  for (const char* bytes : {"-1", "1", "23", "4095", "2199023255552"}) {
    expect_refused(run_strata(probe(out, {std::string("--array=") + bytes})), "--array", bytes, "give 0, or 4096 to ");
    EXPECT_FALSE(std::filesystem::exists(out));
  }
}

TEST(Probe, RefusesRanksThatTheNodeHasNoCoresFor) {
  const TemporaryFolder folder;
  const std::filesystem::path out = folder.path() / "probe";
  expect_refused(run_strata(probe(out, {"--ranks-per-node", "25"})), "--ranks-per-node", "25 ranks on 24 cores",
                 "at most one rank a core");
  expect_refused(run_strata(probe(out, {"--ranks-per-node=-2"})), "--ranks-per-node", "-2", "--help");
}

}  // namespace
}  // namespace strata
