// SPDX-License-Identifier: LGPL-2.1-only
// Machines whose caches go by buffers: ranks below one L3 of 6 MB that pass on messages, with SMPI and real libraries,
// compared with closed forms; and the replay of their recordings.
//
// A message takes 1 us, and flows at 6 GB/s from cache to cache. Memory carries 10 GB/s. Only memory is a bottleneck.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/command/strata_process.h"

namespace strata {
namespace {

using Words = std::vector<std::string>;

constexpr double kWithin = 6e9, kMemory = 10e9;  // B/s
constexpr double kLatency = 1e-6;                // s
constexpr double kEnvelope = 16;                 // B
constexpr int kMessage = 200'000;                // B
constexpr int kRanks = 6;

std::string machine_of(const std::string& cached) {
  const auto figure = [](int value, const std::string& unit) {
    return "{value: " + std::to_string(value) + ", unit: " + unit + ", source: measured}";
  };
  std::string text =
      "schema: strata.machine/1\nname: cache\ndescription: six cores below an L3\nsource: none\n"
      "node: {synthetic: \"pack:1 [numa] l3:1(size=6000000) core:6 pu:1\"}\nnetwork: {nodes: 2}\ncosts:\n  core: "
      "{speed: " +
      figure(2, "Gflop/s") + ", copy_bandwidth: " + figure(8, "GB/s") + "}\n  eager_limit: " + figure(4, "KiB") +
      "\n  memory: {bandwidth: " + figure(10, "GB/s") + (cached.empty() ? "" : ", cached: " + cached) +
      "}\n  levels:\n";
  for (const char* level : {"System - Cluster", "L3"}) {
    text += std::string("    - {level: ") + level + ", latency: " + figure(1, "us") +
            ", overhead: " + figure(500, "ns") + ", bandwidth: " + figure(6, "GB/s") +
            ", link_bandwidth: " + figure(1000, "GB/s") + "}\n";
  }
  return text;
}

class ReusedBuffers : public testing::TestWithParam<std::string> {
 protected:
  Ran run(const std::string& cached, const Words& options, const Words& arguments) {
    Words words = {"exec", "--machine", folder_.write("machine.yaml", machine_of(cached)), "-n",
                   std::to_string(kRanks)};
    words.insert(words.end(), options.begin(), options.end());
    const std::string program = built("tests/native/reused_buffers_mpi_program");
    words.insert(words.end(), {"--", program + (GetParam() == "smpi" ? ".so" : "_" + GetParam())});
    words.insert(words.end(), arguments.begin(), arguments.end());
    return run_strata(words);
  }
  // The time of a step around the ring, s.
  double step(const std::string& cached, int bytes, int pieces, int ranks) {
    const Ran ran =
        run(cached, {"--no-summary"}, {"ring", std::to_string(bytes), std::to_string(pieces), std::to_string(ranks)});
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.code == 0 ? std::stod(ran.out) : 0;
  }
  // The same on a machine whose caches go by buffers, without what the library adds to each step.
  double step_by_buffers(int bytes, int pieces, int ranks) {
    const double cached = kLatency + (bytes + kEnvelope) / kWithin;
    return step("buffers", bytes, pieces, ranks) - (step("messages", bytes, pieces, ranks) - cached);
  }

  TemporaryFolder folder_;
};

INSTANTIATE_TEST_SUITE_P(Mpi, ReusedBuffers, testing::Values("smpi", "openmpi", "mpich"),
                         [](const auto& info) { return info.param; });

constexpr double kExact = 1e-12;  // s

// Each rank needs two buffers of 200 kB, and all of them 2.4 MB.
TEST_P(ReusedBuffers, ARingInTwoBuffersStaysInTheCache) {
  const double cached = kLatency + (kMessage + kEnvelope) / kWithin;
  EXPECT_NEAR(step_by_buffers(kMessage, 2, kRanks), cached, kExact);
  if (GetParam() == "smpi") {
    EXPECT_NEAR(step("messages", kMessage, 2, kRanks), cached, 2e-9) << "with the readings of the clock";
  }
}

// Each rank receives into a vector of 1.2 MB, and all of them into 7.2 MB. It sends the piece that it has just
// received.
TEST_P(ReusedBuffers, PiecesOfALongVectorDoNot) {
  EXPECT_NEAR(step_by_buffers(kMessage, 6, kRanks), kLatency + (kMessage + kEnvelope) / (kMemory / kRanks), kExact);
  EXPECT_NEAR(step_by_buffers(kMessage, 5, kRanks), kLatency + (kMessage + kEnvelope) / kWithin, kExact) << "6 MB";
}

TEST_P(ReusedBuffers, TheVectorsOfFewRanksDo) {
  const double cached = kLatency + (kMessage + kEnvelope) / kWithin;
  for (const int ranks : {2, 3, 5}) EXPECT_NEAR(step_by_buffers(kMessage, 6, ranks), cached, kExact) << ranks;
  // Two of 3 MB; two of 3.2 MB, of which each message writes memory at 5 GB/s.
  EXPECT_NEAR(step_by_buffers(kMessage, 15, 2), cached, kExact);
  EXPECT_NEAR(step_by_buffers(kMessage, 16, 2), kLatency + (kMessage + kEnvelope) / (kMemory / 2), kExact);
}

// Allgathers, broadcasts, allreduces and alltoalls of the MPI. With SMPI a replay has the time of the run to the bit;
// with a real library the run adds up a rank's times, and the replay is rounded to a picosecond at each event.
TEST_P(ReusedBuffers, ARecordingReplaysAsTheRunWas) {
  const std::string trace = folder_.path() / "a.mpitrace", json = folder_.path() / "a.json";
  const auto seconds = [](const std::string& document) {
    return nlohmann::ordered_json::parse(document)["simulated_time"]["value"].get<double>();
  };
  double by_messages = 0;
  for (const char* cached : {"messages", "buffers"}) {
    const Ran ran =
        run(cached, {"--record", trace, "--json", json, "--no-summary"}, {"collectives", std::to_string(kMessage)});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const double simulated_s = seconds(read_text(json));
    const Ran replayed = run_strata({"replay", trace, "--json"});
    ASSERT_EQ(replayed.code, 0) << replayed.err;
    if (GetParam() == "smpi") {
      EXPECT_EQ(seconds(replayed.out), simulated_s) << cached;
    } else {
      EXPECT_NEAR(seconds(replayed.out), simulated_s, 1e-11) << cached;
    }
    if (by_messages == 0) {
      by_messages = simulated_s;
    } else {
      EXPECT_GT(simulated_s, 1.1 * by_messages) << "the vectors do not fit";
    }
  }
}

}  // namespace
}  // namespace strata
