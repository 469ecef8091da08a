// SPDX-License-Identifier: LGPL-2.1-only
// The tables of the OSU micro-benchmarks: every measurement, and every kind of bad input with its line number.
#include "calibration/readers/osu.h"

#include <gtest/gtest.h>

#include "tests/calibration/readers/readings.h"

namespace strata::calibration {
namespace {

const std::string kLatency = "# OSU MPI Latency Test v7.3\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)\n";

Reading read(const std::filesystem::path& file) { return read_osu(file, "L3"); }
Lines measured(const std::string& text) { return measurements_of(read_as(text, read)); }
std::string refused(const std::string& text) { return refusal_of(text, read); }

TEST(Osu, LatencyAmongWarnings) {
  const Reading reading = read_osu(kSamples + "osu_latency.txt", "Package");
  EXPECT_EQ(reading.program, "OSU MPI Latency Test v5.6.2");
  EXPECT_EQ(measurements_of(reading), (Lines{"ping-pong Package 0 B x1 9.8e-07 osu_latency.txt:9",
                                             "ping-pong Package 1 B x1 1.03e-06 osu_latency.txt:10",
                                             "ping-pong Package 1024 B x1 1.27e-06 osu_latency.txt:12",
                                             "ping-pong Package 1048576 B x1 0.0001125 osu_latency.txt:13"}));
  EXPECT_EQ(reading.notes, (Lines{kSamples + "osu_latency.txt:11: '[node1:01234] 1 more process has sent help message "
                                             "help-mpi-...' is not a row of numbers; it is left out"}));
}

TEST(Osu, BandwidthAndRateOfPairs) {
  const Reading reading = read_osu(kSamples + "osu_mbw_mr.txt", "System - Cluster");
  EXPECT_EQ(measurements_of(reading), (Lines{"one way System - Cluster 1 B x2 8360000 osu_mbw_mr.txt:6",
                                             "rate System - Cluster 1 B x2 8361985.11 osu_mbw_mr.txt:6",
                                             "one way System - Cluster 1024 B x2 5120000000 osu_mbw_mr.txt:7",
                                             "rate System - Cluster 1024 B x2 5000000 osu_mbw_mr.txt:7"}));
  EXPECT_TRUE(reading.notes.empty());
  EXPECT_EQ(measured("# OSU MPI Multiple Bandwidth / Message Rate Test v5.9\n# [ pairs: 3 ] [ window size: 64 ]\n"
                     "# Size                  MB/s\n8 2\n"),
            (Lines{"one way L3 8 B x3 2000000 f:4"}));
}

TEST(Osu, CollectiveWithAllColumns) {
  EXPECT_EQ(measurements_of(read_osu(kSamples + "osu_allreduce.txt", "Machine")),
            (Lines{"allreduce Machine 4 B x16 2.81e-06 osu_allreduce.txt:6",
                   "allreduce Machine 1048576 B x16 0.0001043 osu_allreduce.txt:7"}));
}

TEST(Osu, EveryTitle) {
  const auto table = [](const std::string& title, const std::string& unit) {
    return "# OSU MPI " + title + "\n# pairs: 4\n# ranks: 8\n# Size  " + unit + "\n2  3.0\n";
  };
  const std::vector<std::array<std::string, 3>> rows = {
      {"Latency Test v5.0", "Latency (us)", "ping-pong L3 2 B x1 3e-06 f:5"},
      {"Multi Latency Test v7.1", "Latency (us)", "ping-pong L3 2 B x4 3e-06 f:5"},
      {"Bandwidth Test v7.5.2", "Bandwidth (MB/s)", "one way L3 2 B x1 3000000 f:5"},
      {"Bi-Directional Bandwidth Test", "Bandwidth (MB/s)", "both ways L3 2 B x1 3000000 f:5"},
      {"Broadcast Latency Test v7.3", "Avg Latency(us)", "bcast L3 2 B x8 3e-06 f:5"},
      {"Allgather Latency Test v7.3", "Avg Latency(us)", "allgather L3 2 B x8 3e-06 f:5"},
      {"All-to-All Personalized Exchange Latency Test v5.6", "Avg Latency(us)", "alltoall L3 2 B x8 3e-06 f:5"},
      {"Reduce Latency Test v7.3", "Avg Latency(us)", "reduce L3 2 B x8 3e-06 f:5"},
  };
  for (const auto& [title, unit, line] : rows) EXPECT_EQ(measured(table(title, unit)), Lines{line}) << title;
}

TEST(Osu, SeveralTablesInAFile) {
  const std::string bandwidth = "# OSU MPI-CUDA Bandwidth Test v5.9\r\n# Size      Bandwidth (MB/s)\r\n8 16.00\r\n";
  EXPECT_EQ(measured(kLatency + "8 1.5\n\n" + bandwidth),
            (Lines{"ping-pong L3 8 B x1 1.5e-06 f:4", "one way L3 8 B x1 16000000 f:8"}));
}

TEST(Osu, OneBadLineIsNoted) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"8 1,27", "'1,27' has a decimal comma; run the program with LC_ALL=C"},
      {"8 0.00", "0 is measured, which is not positive; measure again with more repetitions"},
      {"8 -1.5", "-1.5e-06 is measured, which is not positive; measure again with more repetitions"},
      {"8 nan", "'8 nan' is not a row of numbers; it is left out"},
      {"8 inf", "'8 inf' is not a row of numbers; it is left out"},
      {"8 1.5 us", "'8 1.5 us' is not a row of numbers; it is left out"},
      {"8", "has 1 of the 2 numbers of a row; it is left out"},
      {"-8 1.5", "-8 is not a size; a size is a whole number of bytes"},
      {"8.5 1.5", "8.5 is not a size; a size is a whole number of bytes"},
      {"1e300 1.5", "1e+300 is not a size; a size is a whole number of bytes"},
  };
  for (const auto& [row, note] : rows) {
    const Reading reading = read_as(kLatency + row + "\n16 2.5\n", read);
    EXPECT_EQ(measurements_of(reading), (Lines{"ping-pong L3 16 B x1 2.5e-06 f:5"})) << row;
    EXPECT_EQ(notes_of(reading), (Lines{"f:4: " + note})) << row;
    EXPECT_TRUE(refused(kLatency + row + "\n").starts_with("f:4: " + note.substr(0, note.find(';')))) << row;
  }
}

TEST(Osu, CutInsideItsLastLine) {
  const Reading reading = read_as(kLatency + "8 1.5\n16 2", read);
  EXPECT_EQ(measurements_of(reading), (Lines{"ping-pong L3 8 B x1 1.5e-06 f:4"}));
  EXPECT_EQ(notes_of(reading), (Lines{"f:5: the file ends inside this line, which may be cut; end the last line"}));
}

TEST(Osu, ManyBadLinesAreCounted) {
  std::string text = kLatency + "8 1.5\n";
  for (int i = 0; i < 30; ++i) text += "mpirun: warning\n";
  const Lines notes = notes_of(read_as(text, read));
  ASSERT_EQ(notes.size(), 21U);
  EXPECT_EQ(notes.back(), "f: 10 more lines are not used");
}

TEST(Osu, FilesWithoutAUsableRow) {
  const std::string remedy = "; give the output of an OSU micro-benchmark, from its line '# OSU MPI ...' on";
  EXPECT_EQ(refused(""), "f: is empty" + remedy);
  EXPECT_EQ(refused("\n\n"), "f:2: ends without a measurement" + remedy);
  EXPECT_EQ(refused("8 1.5\n16 2.5\n"), "f:2: ends without a measurement" + remedy);
  EXPECT_EQ(refused(kLatency), "f:3: ends without a measurement" + remedy);
  EXPECT_EQ(refused("# OSU MPI_Put Latency Test v7.3\n# Size Latency (us)\n8 1.5\n"),
            "f:1: 'OSU MPI_Put Latency Test v7.3' is not used" + remedy);
  EXPECT_EQ(refused("# OSU MPI Latency Test v7.3\n# Size   Bandwidth (MB/s)\n8 1.5\n"),
            "f:3: the column is not in us; give the table as 'OSU MPI Latency Test v7.3' prints it");
  EXPECT_EQ(refused("# OSU MPI-CUDA Bandwidth Test v5.9\n# Send Buffer on DEVICE (D) and Receive Buffer on HOST (H)\n"
                    "# Size      Bandwidth (MB/s)\n8 16.00\n"),
            "f:4: the buffers are in the memory of a GPU; measure with buffers in host memory");
  EXPECT_EQ(refused("# OSU MPI Multiple Bandwidth / Message Rate Test v5.9\n# [ pairs: 1 ] [ window size: varied ]\n"
                    "8 16.00 17.00\n"),
            "f:3: the columns are of several window sizes; run osu_mbw_mr without -V");
  EXPECT_EQ(
      refused("# OSU MPI Multi Latency Test v7.1\n# Size Latency (us)\n8 1.5\n"),
      "f:3: the file does not say how many pairs took part; add a line below the title, for example '# pairs: 4'");
  EXPECT_EQ(
      refused("# OSU MPI Broadcast Latency Test v7.1\n# ranks: 0\n# Size Avg Latency(us)\n8 1.5\n"),
      "f:4: the file does not say how many ranks took part; add a line below the title, for example '# ranks: 16'");
}

TEST(Osu, FilesThatCannotBeRead) {
  const auto what_of = [](const std::string& file) -> std::string {
    try {
      read(file);
    } catch (const InputError& e) {
      return e.what();
    }
    return "no error";
  };
  const std::string remedy = "; give the output of an OSU micro-benchmark, from its line '# OSU MPI ...' on";
  EXPECT_EQ(what_of("none.txt"), "none.txt: No such file or directory" + remedy);
  EXPECT_EQ(what_of("."), ".: is a directory" + remedy);
}

TEST(Osu, BytesThatAreNoTextDoNoHarm) {
  const Reading reading = read_as(kLatency + "8 1.5\n\x1b[31m\xff\xfe\n" + std::string("\0\1\n", 3), read);
  EXPECT_EQ(notes_of(reading), (Lines{"f:5: '.[31m..' is not a row of numbers; it is left out",
                                      "f:6: '..' is not a row of numbers; it is left out"}));
  EXPECT_TRUE(refused(kLatency + std::string(70000, '1') + "\n")
                  .starts_with("f:4: is a line of more than 64 KiB; give the output"));
}

}  // namespace
}  // namespace strata::calibration
