// SPDX-License-Identifier: LGPL-2.1-only
// Ranks that a program starts itself, and jobs that connect, with Open MPI. Debian's MPICH, over UCX, cannot do it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/command/strata_process.h"
#include "tests/native/two_runs.h"

namespace strata {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;
using Words = std::vector<std::string>;

Ran run(const Words& options, const Words& arguments, const std::string& mpi = "openmpi") {
  Words words = {"exec", "--machine", "ntw10e5", "-n", "2", "--map-by", "node", "--no-summary"};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {"--", built("tests/native/spawn_mpi_program_" + mpi)});
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run_strata(words);
}

TEST(Spawn, ChildrenAreFurtherRanksInTheSameTimeInEachRun) {
  const Json document = document_of_two_runs([](const Words& options) { return run(options, {"family", "3"}); });
  EXPECT_EQ(document["ranks"], 5);
  EXPECT_EQ(document["time_by_rank"]["computing"].size(), 5U);
  EXPECT_LT(document["simulated_time"]["value"].get<double>(), 1e-3);  // the processes themselves cost nothing
}

TEST(Spawn, AParentWaitsForAChildInVirtualTime) {
  const Ran ran = run({}, {"late"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, testing::MatchesRegex("1\\.000...\n"));
}

TEST(Spawn, SeveralProgramsAreOneJob) { EXPECT_EQ(run({}, {"programs"}).out, "right\n"); }

TEST(Spawn, APublishedNameIsThereFromItsTimeOn) {
  const Ran ran = run({}, {"names"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, testing::MatchesRegex("1\\.000...\n"));
}

TEST(Spawn, AChildThatDiesIsNamed) {
  const Ran ran = run({}, {"crash"});
  EXPECT_NE(ran.code, 0);
  EXPECT_THAT(ran.err, HasSubstr("rank 1 of the job that rank 0 has started was ended by signal 6 (Aborted)"));
}

TEST(Spawn, WithoutRoomALineSaysWhatToGive) {
  EXPECT_THAT(run({"--universe", "4"}, {"family", "3"}).err,
              HasSubstr("MPI_Comm_spawn of rank 0: there is room for 2 more ranks; give a larger --universe (now 4)"));
  EXPECT_THAT(run({"--universe", "1"}, {"family", "3"}).err, HasSubstr("--universe: 1 is less than the 2 ranks of -n"));
}

TEST(Spawn, AMissingProgramIsNamed) {
  const Ran ran = run({}, {"missing"});
  EXPECT_NE(ran.code, 0);
  EXPECT_THAT(ran.err, HasSubstr("MPI_Comm_spawn of rank 0: "));
  EXPECT_THAT(ran.err, HasSubstr("no-such-program"));
}

TEST(Spawn, ARecordingIsRefused) {
  const TemporaryFolder folder;
  const Ran ran = run({"--record", folder.path() / "app.mpitrace"}, {"family", "1"});
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.err, HasSubstr("--record does not hold ranks that MPI_Comm_spawn starts; leave it out"));
}

TEST(Spawn, MpichRefusesItItself) {
  const Ran ran = run({}, {"family", "1"}, "mpich");
  EXPECT_NE(ran.code, 0);
  EXPECT_THAT(ran.err, HasSubstr("Error in spawn call"));
}

}  // namespace
}  // namespace strata
