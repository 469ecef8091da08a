// SPDX-License-Identifier: LGPL-2.1-only
// The summary of HPCC: every measurement read from it, the keys of old versions, and bad input.
#include "calibration/readers/hpcc.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tests/calibration/readers/readings.h"

namespace strata::calibration {
namespace {

const std::string kBegin = "Begin of Summary section.\n";
const std::string kEnd = "End of Summary section.\n";

PairLevels one_level(int, int) { return {.innermost = "L3", .outermost = "L3"}; }
PairLevels several_levels(int, int) { return {.innermost = "L3", .outermost = "Cluster"}; }

Reading read(const std::filesystem::path& file) { return read_hpcc(file, one_level); }
Reading read_mixed(const std::filesystem::path& file) { return read_hpcc(file, several_levels); }
std::string refused(const std::string& text) { return refusal_of(text, read); }

const Lines kStream = {"copy 384000000 B x96 1.2e+11 hpccoutf.txt:19", "triad 384000000 B x96 1.32e+11 hpccoutf.txt:22",
                       "copy 8000000 B x2 2e+10 hpccoutf.txt:23", "triad 8000000 B x2 2.4e+10 hpccoutf.txt:26"};
// Half a round of a ring takes 1.1 us with 8 B, and 2 MB at 1.37 GB/s.
const std::string kShortRing = "2.2e-06 hpccoutf.txt:36", kLongRing = "0.002919708029 hpccoutf.txt:30";

Lines with_stream(const Lines& more) {
  Lines lines = kStream;
  lines.insert(lines.end(), more.begin(), more.end());
  return lines;
}

// The averages of pairs that all meet at one level are this level's.
TEST(Hpcc, PairsOfOneLevel) {
  const Reading reading = read(kSamples + "hpccoutf.txt");
  EXPECT_EQ(reading.program, "HPCC 1.5.0");
  EXPECT_EQ(
      measurements_of(reading),
      with_stream({"ping-pong L3 8 B x1 1.06e-06 hpccoutf.txt:33", "ping-pong L3 2000000 B x1 0.0002 hpccoutf.txt:35",
                   "exchange L3 8 B x48 " + kShortRing, "exchange L3 2000000 B x48 " + kLongRing}));
  EXPECT_EQ(
      reading.notes,
      (Lines{kSamples + "hpccoutf.txt:28: randomly ordered rings, whose neighbours meet at any level, are not used"}));
}

// Otherwise they mix levels. The best pair is one of the innermost level, the worst pair one of the outermost.
TEST(Hpcc, PairsOfSeveralLevels) {
  const Reading reading = read_mixed(kSamples + "hpccoutf.txt");
  EXPECT_EQ(
      measurements_of(reading),
      with_stream({"ping-pong Cluster 8 B x1 1.85e-06 hpccoutf.txt:27", "ping-pong L3 8 B x1 2.8e-07 hpccoutf.txt:32",
                   "ping-pong Cluster 2000000 B x1 0.00025 hpccoutf.txt:29",
                   "ping-pong L3 2000000 B x1 0.0001666666667 hpccoutf.txt:34",
                   "exchange Cluster 8 B x48 " + kShortRing, "exchange Cluster 2000000 B x48 " + kLongRing}));
  ASSERT_EQ(reading.notes.size(), 2u);
  EXPECT_EQ(reading.notes[1],
            kSamples +
                "hpccoutf.txt:40: the pairs of 48 processes meet at several levels: the best are used for L3, the "
                "worst for Cluster, and the averages are not used");
}

// The levels depend on the number of processes, and on which ranks are pairs for messages of each size.
TEST(Hpcc, TheNumberOfProcessesAndTheStridesDecideOnTheLevels) {
  const std::string text =
      "Use MPI_Wtick for estimation of max pairs\nmessage size:                                  8\n"
      "stride for latency                  =          1\nMessage Length: 8\n"
      "message size:                            2000000\nstride for latency                  =          7\n" +
      kBegin + "CommWorldProcs=256\nMinPingPongLatency_usec=1\nMaxPingPongLatency_usec=4\n" +
      "MinPingPongBandwidth_GBytes=1\nMaxPingPongBandwidth_GBytes=2\nAvgPingPongBandwidth_GBytes=1.6\n" + kEnd;
  std::vector<std::pair<int, int>> asked;
  const Reading reading = read_as(text, [&](const std::filesystem::path& file) {
    return read_hpcc(file, [&](int processes, int stride) {
      asked.emplace_back(processes, stride);
      return stride == 1 ? several_levels(processes, stride)
                         : PairLevels{.innermost = "Cluster", .outermost = "Cluster"};
    });
  });
  EXPECT_EQ(asked, (std::vector<std::pair<int, int>>{{256, 1}, {256, 7}}));
  EXPECT_EQ(measurements_of(reading), (Lines{"ping-pong Cluster 8 B x1 4e-06 f:10", "ping-pong L3 8 B x1 1e-06 f:9",
                                             "ping-pong Cluster 2000000 B x1 0.00125 f:13"}));
}

// Both neighbours in a ring of two are the same process, so all that flows between two cores is known: each sends 6
// GB/s.
TEST(Hpcc, TheRingOfTwoProcessesIsBothWays) {
  const Reading reading = read_as(kBegin +
                                      "CommWorldProcs=2\nNaturallyOrderedRingBandwidth_GBytes=6\n"
                                      "NaturallyOrderedRingLatency_usec=0.5\n" +
                                      kEnd,
                                  read);
  EXPECT_EQ(measurements_of(reading), (Lines{"exchange L3 8 B x2 1e-06 f:4", "both ways L3 2000000 B x1 1.2e+10 f:3"}));
}

TEST(Hpcc, WithoutAveragesTheWorst) {
  const std::string text =
      kBegin + "CommWorldProcs=8\nMaxPingPongLatency_usec=4\nMinPingPongBandwidth_GBytes=0.5\n" + kEnd;
  EXPECT_EQ(measurements_of(read_as(text, read)),
            (Lines{"ping-pong L3 8 B x1 4e-06 f:3", "ping-pong L3 2000000 B x1 0.004 f:4"}));
  EXPECT_EQ(measurements_of(read_as(text, read_mixed)),
            (Lines{"ping-pong Cluster 8 B x1 4e-06 f:3", "ping-pong Cluster 2000000 B x1 0.004 f:4"}));
}

TEST(Hpcc, PairsWithoutALevelAreNoted) {
  const Reading reading = read_as(
      kBegin + "CommWorldProcs=8\nSTREAM_VectorSize=9\nSingleSTREAM_Copy=1\nAvgPingPongLatency_usec=4\n" + kEnd,
      [](const std::filesystem::path& file) {
        return read_hpcc(file, [](int, int) {
          return PairLevels{.innermost = "", .outermost = "", .problem = "8 processes, where 4 cores may have one"};
        });
      });
  EXPECT_EQ(measurements_of(reading), (Lines{"copy 72 B x1 1000000000 f:4"}));
  EXPECT_EQ(notes_of(reading),
            (Lines{"f:6: 8 processes, where 4 cores may have one: ping-pongs and rings are not used"}));
}

TEST(Hpcc, ACutSummaryAndAFailedTestAreNoted) {
  const Reading reading =
      read_as(kBegin + "CommWorldProcs=2\nSuccess=0\nAvgPingPongLatency_usec=4\nAvgPingPongBand\n", read);
  EXPECT_EQ(measurements_of(reading), (Lines{"ping-pong L3 8 B x1 4e-06 f:4"}));
  EXPECT_EQ(notes_of(reading),
            (Lines{"f:3: HPCC says that a test of it failed", "f:5: the summary does not end; the file may be cut"}));
  const Reading cut =
      read_as(kBegin + "CommWorldProcs=2\nAvgPingPongLatency_usec=4\nAvgPingPongBandwidth_GBytes=1", read);
  EXPECT_EQ(measurements_of(cut), (Lines{"ping-pong L3 8 B x1 4e-06 f:3"}));
}

TEST(Hpcc, BadFigures) {
  EXPECT_EQ(refused(kBegin + "AvgPingPongLatency_usec=1,06\n" + kEnd),
            "f:2: '1,06' has a decimal comma; run the program with LC_ALL=C");
  EXPECT_EQ(refused(kBegin + "AvgPingPongLatency_usec=\n" + kEnd),
            "f:2: '' is not a number; write a finite number, with a decimal point");
  EXPECT_EQ(refused(kBegin + "AvgPingPongBandwidth_GBytes=0\n" + kEnd),
            "f:2: 0 is measured, which is not positive; measure again with more repetitions");
  EXPECT_EQ(refused(kBegin + "AvgPingPongBandwidth_GBytes=-1\n" + kEnd),
            "f:2: -1 is measured, which is not positive; measure again with more repetitions");
  EXPECT_EQ(refused(kBegin + "AvgPingPongLatency_usec=1\n" + kEnd),
            "f:3: ping-pongs and rings come without CommWorldProcs; keep the whole summary");
  EXPECT_EQ(refused(kBegin + "SingleSTREAM_Copy=1\n" + kEnd),
            "f:2: SingleSTREAM_Copy comes without STREAM_VectorSize; keep the whole summary");
  EXPECT_EQ(refused(kBegin + "STREAM_VectorSize=9\nStarSTREAM_Copy=1\n" + kEnd),
            "f:3: StarSTREAM_Copy comes without CommWorldProcs; keep the whole summary");
  EXPECT_EQ(refused(kBegin + "STREAM_VectorSize=9\nSTREAM_Threads=-1\nSingleSTREAM_Copy=1\n" + kEnd),
            "f:4: -1 threads; keep the summary as HPCC prints it");
}

TEST(Hpcc, FilesOfAnotherProgram) {
  const std::string remedy = "; give hpccoutf.txt of HPCC, with its line 'Begin of Summary section.'";
  EXPECT_EQ(refused(""), "f: is empty" + remedy);
  EXPECT_EQ(refused("AvgPingPongLatency_usec=1\n"), "f:1: ends without a measurement" + remedy);
  EXPECT_EQ(refused(kBegin + kEnd), "f:2: ends without a measurement" + remedy);
}

}  // namespace
}  // namespace strata::calibration
