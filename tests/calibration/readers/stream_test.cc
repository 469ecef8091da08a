// SPDX-License-Identifier: LGPL-2.1-only
// STREAM's output: every measurement, the format of its older version, and bad input.
#include "calibration/readers/stream.h"

#include <gtest/gtest.h>

#include "tests/calibration/readers/readings.h"

namespace strata::calibration {
namespace {

const std::string kSize = "Array size = 1000 (elements), Offset = 0 (elements)\n";
const std::string kHeading = "Function    Best Rate MB/s  Avg time     Min time     Max time\n";

std::string refused(const std::string& text) { return refusal_of(text, read_stream); }

TEST(Stream, RunsOfOneAndFourThreads) {
  const Reading reading = read_stream(kSamples + "stream.txt");
  EXPECT_EQ(reading.program, "STREAM version $Revision: 5.10 $");
  EXPECT_EQ(measurements_of(reading),
            (Lines{"copy 80000000 B x1 1e+10 stream.txt:19", "triad 80000000 B x1 1.2e+10 stream.txt:22",
                   "copy 80000000 B x4 3e+10 stream.txt:44", "triad 80000000 B x4 3.2e+10 stream.txt:47"}));
  EXPECT_EQ(reading.notes, (Lines{kSamples + "stream.txt:20: Scale and Add are not used"}));
}

TEST(Stream, TheOldVersionWithFloats) {
  EXPECT_EQ(measurements_of(read_as("STREAM version $Revision: 5.8 $\n"
                                    "This system uses 4 bytes per DOUBLE PRECISION word.\n"
                                    "Array size = 2000000, Offset = 0\n"
                                    "Function      Rate (MB/s)   Avg time     Min time     Max time\n"
                                    "Copy:        5000.5         0.0064       0.0064       0.0064\n",
                                    read_stream)),
            (Lines{"copy 8000000 B x1 5000500000 f:5"}));
}

TEST(Stream, ARunWithWrongResultsIsLeftOut) {
  const std::string right = "STREAM version $Revision: 5.10 $\n" + kSize + kHeading + "Copy: 10.0 1 1 1\n";
  const std::string wrong = right + "Failed Validation on array a[], AvgRelAbsErr > epsilon (1.000000e-13)\n";
  const Reading reading = read_as(wrong + right, read_stream);
  EXPECT_EQ(measurements_of(reading), (Lines{"copy 8000 B x1 10000000 f:9"}));
  EXPECT_EQ(notes_of(reading),
            (Lines{"f:5: STREAM finds the results of this run wrong; compile it again with less optimisation"}));
}

TEST(Stream, BadLines) {
  EXPECT_EQ(refused(kSize + kHeading + "Copy: 12345,6 1 1 1\n"),
            "f:3: '12345,6' has a decimal comma; run the program with LC_ALL=C");
  EXPECT_EQ(refused(kSize + kHeading + "Copy:\n"),
            "f:3: '' is not a number; write a finite number, with a decimal point");
  EXPECT_EQ(refused(kSize + kHeading + "Copy: 0.0 1 1 1\n"),
            "f:3: 0 is measured, which is not positive; measure again with more repetitions");
  EXPECT_EQ(refused(kHeading + "Copy: 10.0 1 1 1\n"),
            "f:2: the size of the arrays is missing; keep the line 'Array size = ...'");
  EXPECT_EQ(refused(kSize + "Number of Threads requested = 0\n" + kHeading + "Copy: 10.0 1 1 1\n"),
            "f:4: 0 threads; keep the line 'Number of Threads requested = ...'");
  EXPECT_EQ(refused(kSize + "Function      Rate (GB/s)   Avg time\nCopy: 10.0 1 1 1\n"),
            "f:2: the column is not in MB/s; give the table as STREAM prints it");
}

TEST(Stream, FilesOfAnotherProgram) {
  const std::string remedy = "; give the output of STREAM, with its line 'Function    Best Rate MB/s ...'";
  EXPECT_EQ(refused(""), "f: is empty" + remedy);
  EXPECT_EQ(refused("Copy: 10.0\n"), "f:1: ends without a measurement" + remedy);
  EXPECT_EQ(refused("STREAM version $Revision: 5.10 $\n" + kSize + kHeading),
            "f:3: ends without a measurement" + remedy);
}

}  // namespace
}  // namespace strata::calibration
