// SPDX-License-Identifier: LGPL-2.1-only
// The summary of HPCC: every measurement read from it, the keys of old versions, and bad input.
#include "calibration/readers/hpcc.h"

#include <gtest/gtest.h>

#include "tests/calibration/readers/readings.h"

namespace strata::calibration {
namespace {

const std::string kBegin = "Begin of Summary section.\n";
const std::string kEnd = "End of Summary section.\n";

Reading read(const std::filesystem::path& file) { return read_hpcc(file, "L3"); }
std::string refused(const std::string& text) { return refusal_of(text, read); }

TEST(Hpcc, TheSummary) {
  const Reading reading = read_hpcc(kSamples + "hpccoutf.txt", "Cluster");
  EXPECT_EQ(reading.program, "HPCC 1.5.0");
  EXPECT_EQ(measurements_of(reading),
            (Lines{"copy 384000000 B x96 1.2e+11 hpccoutf.txt:19", "triad 384000000 B x96 1.32e+11 hpccoutf.txt:22",
                   "copy 8000000 B x2 2e+10 hpccoutf.txt:23", "triad 8000000 B x2 2.4e+10 hpccoutf.txt:26",
                   "ping-pong Cluster 8 B x1 1.06e-06 hpccoutf.txt:33",
                   "ping-pong Cluster 2000000 B x1 0.0002 hpccoutf.txt:35"}));
  EXPECT_EQ(reading.notes, (Lines{kSamples + "hpccoutf.txt:28: rings of both directions are not used"}));
}

TEST(Hpcc, WithoutAveragesTheWorst) {
  EXPECT_EQ(
      measurements_of(read_as(kBegin + "MaxPingPongLatency_usec=4\nMinPingPongBandwidth_GBytes=0.5\n" + kEnd, read)),
      (Lines{"ping-pong L3 8 B x1 4e-06 f:2", "ping-pong L3 2000000 B x1 0.004 f:3"}));
}

TEST(Hpcc, ACutSummaryAndAFailedTestAreNoted) {
  const Reading reading = read_as(kBegin + "Success=0\nAvgPingPongLatency_usec=4\nAvgPingPongBand\n", read);
  EXPECT_EQ(measurements_of(reading), (Lines{"ping-pong L3 8 B x1 4e-06 f:3"}));
  EXPECT_EQ(notes_of(reading),
            (Lines{"f:2: HPCC says that a test of it failed", "f:4: the summary does not end; the file may be cut"}));
}

TEST(Hpcc, BadFigures) {
  EXPECT_EQ(refused(kBegin + "AvgPingPongLatency_usec=1,06\n" + kEnd),
            "f:2: '1,06' has a decimal comma; run the program with LC_ALL=C");
  EXPECT_EQ(refused(kBegin + "AvgPingPongLatency_usec=\n" + kEnd),
            "f:2: '' is not a number; write a finite number, with a decimal point");
  EXPECT_EQ(refused(kBegin + "AvgPingPongBandwidth_GBytes=0\n" + kEnd),
            "f:2: inf is measured, which is not positive; measure again with more repetitions");
  EXPECT_EQ(refused(kBegin + "AvgPingPongBandwidth_GBytes=-1\n" + kEnd),
            "f:2: -0.002 is measured, which is not positive; measure again with more repetitions");
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
