// SPDX-License-Identifier: LGPL-2.1-only
// strata exec with hundreds of ranks and more: what SMPI and this system do about them is not the program's time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "records/trace/trace_file.h"
#include "tests/command/strata_process.h"

namespace strata {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Words = std::vector<std::string>;

// ns of three equal collectives, by name and bytes.
using Times = std::map<std::string, std::vector<double>>;

Ran run(const std::string& machine, int ranks, const Words& bytes, const Words& options = {}) {
  Words words = {"exec", "--no-summary", "--machine", machine, "-n", std::to_string(ranks)};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {"--", built("tests/command/equal_collectives.so")});
  words.insert(words.end(), bytes.begin(), bytes.end());
  return run_strata(words);
}

Times times_in(const Ran& ran) {
  EXPECT_EQ(ran.code, 0) << ran.err;
  Times times;
  for (const std::string& line : lines_of(ran.out)) {
    const size_t colon = line.find(": ");
    if (colon == std::string::npos) continue;
    std::istringstream numbers(line.substr(colon + 2));
    for (double time = 0; numbers >> time;) times[line.substr(0, colon)].push_back(time);
  }
  return times;
}

// The clock that the program reads is exact to 1e-7 s at the most, because a call of MPI_Wtime takes 10 ns.
void expect_equal_rounds(const Times& times, size_t collectives) {
  EXPECT_EQ(times.size(), collectives);
  for (const auto& [name, rounds] : times) {
    ASSERT_EQ(rounds.size(), 3u) << name;
    EXPECT_NEAR(rounds[0], rounds[1], 2) << name;
    EXPECT_NEAR(rounds[2], rounds[1], 2) << name;
  }
}

// From 64 ranks on, and from 256 on, SMPI's selector takes algorithms that need a set-up.
TEST(FirstCollective, TakesTheTimeOfTheNextOnes) {
  for (const int ranks : {64, 256, 512}) {
    SCOPED_TRACE(ranks);
    expect_equal_rounds(times_in(run("theta", ranks, {"4", "1024"})), 4);
    expect_equal_rounds(times_in(run("archer2", ranks, {"4", "1024"})), 4);
  }
}

// Long messages share links, and in which order depends on when each rank has come out of the call before: up to 1 %.
TEST(FirstCollective, OfLongMessagesDiffersOnlyByHowTheyShareLinks) {
  for (const int ranks : {64, 256, 512}) {
    for (const auto& [name, rounds] : times_in(run("theta", ranks, {"100000"}))) {
      ASSERT_EQ(rounds.size(), 3u) << name;
      EXPECT_NEAR(rounds[0] / rounds[1], 1, 0.01) << name << " on " << ranks;
      EXPECT_NEAR(rounds[2] / rounds[1], 1, 0.01) << name << " on " << ranks;
    }
  }
}

TEST(FirstCollective, IsRecordedWithoutItsSetUp) {
  const TemporaryFolder folder;
  for (const int ranks : {64, 256}) {
    const std::string file = folder.path() / "app.mpitrace";
    expect_equal_rounds(times_in(run("theta", ranks, {"4", "1024"}, {"--record", file})), 4);
    const Trace trace = read_trace(file);
    const Ran replayed = run_strata({"replay", file, "--json", "--per-rank"});
    ASSERT_EQ(replayed.code, 0) << replayed.err;
    EXPECT_EQ(Json::parse(replayed.out)["ended"].get<std::vector<double>>(), trace.ended);
  }
}

// --- memory mappings ---

// The system's limit, 65,530 unless it was raised, is enough for 8,066 ranks as they are. The segments of these ranks'
// copies are merged.
TEST(ManyRanks, GetAlongWithFewMappings) {
  const Ran ran = run("theta", 8192, {"4"});
  EXPECT_EQ(ran.err, "");
  expect_equal_rounds(times_in(ran), 2);
}

// These have no protected pages below their stacks, either.
TEST(ManyRanks, SixteenThousandNeedNoRoot) {
  const Ran ran = run("theta", 16384, {"4"});
  expect_equal_rounds(times_in(ran), 2);
  if (std::stol(read_text("/proc/sys/vm/max_map_count")) > 66'536) GTEST_SKIP() << "this system allows more mappings";
  EXPECT_THAT(ran.err, StartsWith("strata: 16384 ranks: stacks have no protected page below them"));
  EXPECT_EQ(lines_of(ran.err).size(), 1u) << ran.err;
}

}  // namespace
}  // namespace strata
