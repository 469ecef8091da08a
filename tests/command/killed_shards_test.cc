// SPDX-License-Identifier: LGPL-2.1-only
// Shards that are killed at random moments and resumed: nothing is lost, and the merged results equal the unsharded run
// byte for byte. STRATA_KILLS sets the number of kills, STRATA_SEED the random moments; the seed is printed.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tests/command/results_folder.h"
#include "tests/command/strata_process.h"
#include "tests/sim/unit_machine.h"

namespace strata {
namespace {

namespace fs = std::filesystem;

long number_from(const char* variable, long otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::strtol(text, nullptr, 10) : otherwise;
}

TEST(KilledShards, LoseNothing) {
  constexpr int kShards = 3;
  const long kills = number_from("STRATA_KILLS", 5);
  const long seed = number_from("STRATA_SEED", std::random_device{}());
  std::printf("STRATA_KILLS=%ld STRATA_SEED=%ld\n", kills, seed);
  std::mt19937_64 random(static_cast<std::uint64_t>(seed));

  const TemporaryFolder folder;
  folder.write("machine.yaml", unit_machine());
  const std::string scenario = folder.write(
      "study.yaml", "schema: strata.scenario/1\nname: study\ntitle: a study\nmachine: ./machine.yaml\nprogram: " +
                        built("tests/sim/slow.so") +
                        "\nranks: 2\nmetric: {name: time, unit: s}\ntraffic: on\n"
                        "sweep: {wall_ms: [20], i: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]}\n");
  const Surroundings around{.environment = {{"SOURCE_DATE_EPOCH", "1500000000"}}};
  const fs::path whole = folder.path() / "whole";
  const Ran calm = run_strata({"run", scenario, "--out", whole, "--jobs", "2"}, around);
  ASSERT_EQ(calm.code, 0) << calm.err;
  const auto expected = files_of(whole);
  const double shard_s = calm.wall_s / kShards;

  long killed = 0, merged = 0, resumed_ones = 0;
  while (killed < kills) {
    std::vector<std::string> merge = {"submit", "merge"};
    for (int shard = 1; shard <= kShards; ++shard) {
      const fs::path out = folder.path() / ("part" + std::to_string(shard));
      const std::vector<std::string> command = strata_command(
          {"run", scenario, "--shard", std::to_string(shard) + "/3", "--resume", "--jobs", "2", "--out", out});
      merge.push_back(out);
      for (int times = 0; times < 3 && killed < kills; ++times) {
        Process run(command, around);
        std::this_thread::sleep_for(
            std::chrono::duration<double>(std::uniform_real_distribution<double>(0, 1.2 * shard_s)(random)));
        ASSERT_EQ(::kill(run.pid(), SIGKILL), 0);
        const Ran ran = run.wait();
        if (ran.signal == SIGKILL) {
          ++killed;
        } else {
          ASSERT_EQ(ran.code, 0) << ran.err;  // it ended before it was killed
        }
      }
      const Ran ended = Process(command, around).wait();
      ASSERT_EQ(ended.code, 0) << ended.err;
      ++resumed_ones;
    }
    const fs::path out = folder.path() / "merged";
    merge.insert(merge.end(), {"--out", out});
    const Ran ran = run_strata(merge, around);
    ASSERT_EQ(ran.code, 0) << ran.err;
    const auto files = files_of(out);
    ASSERT_EQ(files.size(), expected.size());
    for (const auto& [name, bytes] : expected) ASSERT_TRUE(files.contains(name) && files.at(name) == bytes) << name;
    ++merged;
    for (int shard = 1; shard <= kShards; ++shard) fs::remove_all(folder.path() / ("part" + std::to_string(shard)));
    fs::remove_all(out);
  }
  std::printf("%ld kills, %ld shards, %ld merged runs of %zu files: the same bytes\n", killed, resumed_ones, merged,
              expected.size());
}

}  // namespace
}  // namespace strata
