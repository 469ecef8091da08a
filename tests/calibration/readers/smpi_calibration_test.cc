// SPDX-License-Identifier: LGPL-2.1-only
// The CSV files of SMPI's platform-calibration: every measurement, and bad input.
#include "calibration/readers/smpi_calibration.h"

#include <gtest/gtest.h>

#include "tests/calibration/readers/readings.h"

namespace strata::calibration {
namespace {

const std::string kGood = "MPI_Isend,2,40.5,1e-06\n";

Reading read(const std::filesystem::path& file) { return read_smpi_calibration(file, "L3"); }
Lines measured(const std::string& text) { return measurements_of(read_as(text, read)); }
std::string refused(const std::string& text) { return refusal_of(text, read); }

TEST(SmpiCalibration, PingPongs) {
  const Reading reading = read_smpi_calibration(kSamples + "calibration_PingPong.csv", "Cluster");
  EXPECT_EQ(measurements_of(reading), (Lines{"ping-pong Cluster 765921 B x1 0.0009 calibration_PingPong.csv:2",
                                             "ping-pong Cluster 2 B x1 2e-06 calibration_PingPong.csv:4"}));
  EXPECT_TRUE(reading.notes.empty());
}

TEST(SmpiCalibration, OverheadsOfSendAndReceive) {
  EXPECT_EQ(measured("MPI_Isend,1024,20.096913,2.536000e-06\nMPI_Isend,0,20.098830,2.436000e-06\n"),
            (Lines{"send overhead L3 1024 B x1 2.536e-06 f:1", "send overhead L3 0 B x1 2.436e-06 f:2"}));
  EXPECT_EQ(measured("MPI_Recv,1024,0.010062,1.386582e-03\n"),
            (Lines{"receive overhead L3 1024 B x1 0.001386582 f:1"}));
}

TEST(SmpiCalibration, APingWithoutItsPong) {
  const std::string note =
      ": the MPI_Send before this line has no MPI_Recv; the two lines of a ping-pong have the same begin";
  const Reading other = read_as("MPI_Send,2,1.5,1e-06\nMPI_Recv,4,1.5,1e-06\n" + kGood, read);
  EXPECT_EQ(measurements_of(other), (Lines{"send overhead L3 2 B x1 1e-06 f:3"}));
  EXPECT_EQ(notes_of(other), (Lines{"f:2" + note}));
  const Reading twice = read_as("MPI_Send,2,1.5,1e-06\nMPI_Send,2,2.5,1e-06\nMPI_Recv,2,2.5,3e-06\n", read);
  EXPECT_EQ(measurements_of(twice), (Lines{"ping-pong L3 2 B x1 2e-06 f:3"}));
  EXPECT_EQ(notes_of(twice), (Lines{"f:2" + note}));
}

// Otherwise the time of a round trip would be taken for the overhead of a receive.
TEST(SmpiCalibration, ThePongOfABadPing) {
  for (const std::string ping : {"MPI_Send,2,1.5,1e-06,7", "MPI_Send,2,1.5", "MPI_Send,2,1.5,x"}) {
    const Reading reading = read_as(ping + "\nMPI_Recv,2,1.5,3e-06\nMPI_Recv,2,2.5,3e-06\n", read);
    EXPECT_EQ(measurements_of(reading), (Lines{"receive overhead L3 2 B x1 3e-06 f:3"})) << ping;
    ASSERT_EQ(reading.notes.size(), 2U);
    EXPECT_EQ(notes_of(reading)[1], "f:2: the MPI_Send before this line is left out; a ping-pong needs both");
  }
  EXPECT_EQ(refused("MPI_Send,2,1.5,1e-06\n"), "f:1: the last MPI_Send has no MPI_Recv; a ping-pong needs both");
}

TEST(SmpiCalibration, BadLinesAreNoted) {
  const std::string form = "; a line is for example 'MPI_Isend,1024,20.096913,2.536000e-06'";
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"MPI_Isend,2,40,5,1,5e-06", "has 6 fields where 4 were expected" + form},
      {"function,size,begin,duration",
       "'function' is not a call of the calibration; it has MPI_Send, MPI_Recv and MPI_Isend"},
      {"MPI_Isend,2,40.5", "has 3 fields where 4 were expected" + form},
      {"MPI_Isend,2,40.5,", "'' is not a number; write a finite number, with a decimal point"},
      {"MPI_Isend,2,40.5,0.0", "0 is measured, which is not positive; measure again with more repetitions"},
      {"MPI_Isend,2,40.5,-1e-6", "-1e-06 is measured, which is not positive; measure again with more repetitions"},
      {"MPI_Isend,-2,40.5,1e-6", "-2 is not a size; a size is a whole number of bytes"},
      {"MPI_Iprobe,1,40.215488,3.4e-06", "MPI_Iprobe is not used"},
  };
  for (const auto& [row, note] : rows) {
    const Reading reading = read_as(row + "\n" + kGood, read);
    EXPECT_EQ(measurements_of(reading), (Lines{"send overhead L3 2 B x1 1e-06 f:2"})) << row;
    EXPECT_EQ(notes_of(reading), (Lines{"f:1: " + note}));
    EXPECT_TRUE(refused(row + "\n").starts_with("f:1: " + note)) << refused(row + "\n");
  }
  EXPECT_EQ(notes_of(read_as("MPI_Send,2,1.5,-1e-06\nMPI_Recv,2,1.5,3e-06\n" + kGood, read)),
            (Lines{"f:2: 0 is measured, which is not positive; measure again with more repetitions"}));
}

TEST(SmpiCalibration, FilesOfAnotherProgram) {
  EXPECT_EQ(refused(""), "f: is empty; give *_PingPong.csv, *_Isend.csv or *_Recv.csv of SMPI's platform-calibration");
  EXPECT_EQ(refused("0,MPI_Send,4000000,27.390000,6.427000e+00\n"),
            "f:1: has 5 fields where 4 were expected; a line is for example 'MPI_Isend,1024,20.096913,2.536000e-06'");
}

}  // namespace
}  // namespace strata::calibration
