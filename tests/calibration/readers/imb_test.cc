// SPDX-License-Identifier: LGPL-2.1-only
// The tables of IMB-MPI1: every measurement of each benchmark, versions 3 to 2021, groups, and bad input.
#include "calibration/readers/imb.h"

#include <gtest/gtest.h>

#include "tests/calibration/readers/readings.h"

namespace strata::calibration {
namespace {

const std::string kRange = "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n";

Reading read(const std::filesystem::path& file) { return read_imb(file, "L3"); }
Lines measured(const std::string& text) { return measurements_of(read_as(text, read)); }
std::string refused(const std::string& text) { return refusal_of(text, read); }

std::string table(const std::string& benchmark, int processes, const std::string& rows) {
  return "#----\n# Benchmarking " + benchmark + " \n# #processes = " + std::to_string(processes) + " \n#----\n" + rows;
}

TEST(Imb, AFileOfSeveralBenchmarks) {
  const Reading reading = read_imb(kSamples + "imb.txt", "Machine");
  EXPECT_EQ(reading.program, "Intel(R) MPI Benchmarks 2019 Update 6, MPI-1 part");
  EXPECT_EQ(measurements_of(reading),
            (Lines{"ping-pong Machine 0 B x1 6.2e-07 imb.txt:35", "ping-pong Machine 1024 B x1 6.7e-07 imb.txt:36",
                   "ring Machine 1024 B x128 2.5e-06 imb.txt:43", "allreduce Machine 4 B x128 8e-06 imb.txt:50",
                   "rate Machine 0 B x4 9000000 imb.txt:66", "one way Machine 4096 B x4 2.048e+10 imb.txt:67",
                   "rate Machine 4096 B x4 5000000 imb.txt:67"}));
  EXPECT_EQ(reading.notes,
            (Lines{kSamples + "imb.txt:51: '4194304 out-of-mem.; needed X=   2.001 GB; use flag \"-mem X\"...' "
                              "is not a row of numbers; it is left out",
                   kSamples + "imb.txt:54: benchmark Barrier is not used"}));
}

// In version 3.2, Mbytes are 2^20 B; that column is not used.
TEST(Imb, TheOldVersion) {
  const std::string text =
      "#    Intel (R) MPI Benchmark Suite V3.2.3, MPI-1 part    \n" +
      table("PingPing", 2, "       #bytes #repetitions      t[usec]   Mbytes/sec\n 1048576  40  100.00  10000.00\n");
  EXPECT_EQ(read_as(text, read).program, "Intel (R) MPI Benchmark Suite V3.2.3, MPI-1 part");
  EXPECT_EQ(measured(text), (Lines{"ring L3 1048576 B x2 0.0001 f:7"}));
}

TEST(Imb, EveryBenchmark) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"Sendrecv", "ring"},       {"Exchange", "exchange"}, {"Bcast", "bcast"},  {"Allreduce", "allreduce"},
      {"Allgather", "allgather"}, {"Alltoall", "alltoall"}, {"Reduce", "reduce"}};
  for (const auto& [name, operation] : rows) {
    EXPECT_EQ(measured(table(name, 16, kRange + " 8 1000 1.00 3.00 2.00\n")),
              (Lines{operation + " L3 8 B x16 2e-06 f:6"}));
  }
  const std::string rates = "       #bytes #repetitions   Mbytes/sec      Msg/sec\n 1000 10 2000.00 2000000\n";
  EXPECT_EQ(measured(table("Biband", 4, rates)), (Lines{"both ways L3 1000 B x2 2000000000 f:6"}));
}

TEST(Imb, GroupsAreThePairsOfAPingPong) {
  const std::string head =
      "# Benchmarking Multi-PingPong \n# ( 4 groups of 2 processes each running simultaneous ) \n"
      "# Group  0:     0    1\n#\n#----\n";
  EXPECT_EQ(measured(head + kRange + " 8 1000 1.00 3.00 2.00\n"), (Lines{"ping-pong L3 8 B x4 2e-06 f:7"}));
  EXPECT_EQ(measured(head + "        Group       #bytes #repetitions      t[usec]   Mbytes/sec\n"
                            "            0            8         1000         1.00         8.00\n"
                            "            1            8         1000         2.00         4.00\n"),
            (Lines{"ping-pong L3 8 B x4 1e-06 f:7", "ping-pong L3 8 B x4 2e-06 f:8"}));
  EXPECT_EQ(refused("# Benchmarking Multi-Bcast\n# ( 2 groups of 8 processes each running simultaneous )\n" + kRange +
                    " 8 1000 1.00 3.00 2.00\n"),
            "f:4: Bcast of several groups at the same time is not used; give the output of IMB-MPI1, with its lines '# "
            "Benchmarking ...'");
}

TEST(Imb, ProcessesInAGridAndACheckedRun) {
  EXPECT_EQ(measured("# Benchmarking Bcast\n# #processes = 4; rank order (rowwise): \n#     0    1\n\n" +
                     kRange.substr(0, kRange.size() - 1) + "      defects\n 8 1000 1.00 3.00 2.00 0.00\n"),
            (Lines{"bcast L3 8 B x4 2e-06 f:6"}));
}

TEST(Imb, BadLinesAreNoted) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {" 16 1000 1,00 3,00 2,00", "'1,00' has a decimal comma; run the program with LC_ALL=C"},
      {" 16 1000 0.00 0.00 0.00", "0 is measured, which is not positive; measure again with more repetitions"},
      {" 16 1000 1.00 3.00", "has 4 of the 5 numbers of a row; it is left out"},
      {" 16 1000 1.00 3.00 2.00 7.00", "has more numbers than the table has columns; it is left out"},
      {" 16 int-overflow; The production rank*size caused int overflow;",
       "'16 int-overflow; The production rank*size caused int overflo...' is not a row of numbers; it is left out"}};
  for (const auto& [row, note] : rows) {
    const Reading reading = read_as(table("Bcast", 4, kRange + row + "\n 32 1000 1.00 3.00 2.00\n"), read);
    EXPECT_EQ(measurements_of(reading), (Lines{"bcast L3 32 B x4 2e-06 f:7"})) << row;
    EXPECT_EQ(notes_of(reading), (Lines{"f:6: " + note}));
  }
}

TEST(Imb, FilesWithoutAUsableRow) {
  const std::string remedy = "; give the output of IMB-MPI1, with its lines '# Benchmarking ...'";
  EXPECT_EQ(refused(""), "f: is empty" + remedy);
  EXPECT_EQ(refused("# OSU MPI Latency Test v7.3\n8 1.5\n"), "f:2: ends without a measurement" + remedy);
  EXPECT_EQ(refused(table("PingPong", 2, "")), "f:4: ends without a measurement" + remedy);
  EXPECT_EQ(refused(table("Ibcast", 2, "#bytes #repetitions t_ovrl[usec]\n1 2 3\n")),
            "f:2: benchmark Ibcast is not used" + remedy);
  EXPECT_EQ(refused(table("Bcast", 2, "#bytes #repetitions t[msec]\n1 2 3\n")),
            "f:5: Bcast has no column t[usec] or t_avg[usec]; give the table as IMB-MPI1 prints it");
  EXPECT_EQ(refused("# Benchmarking PingPong\n#bytes #repetitions t[usec] Mbytes/sec\n8 1000 0.67 1\n"),
            "f:3: the table does not say how many processes took part; keep its line '# #processes = 2'");
  EXPECT_EQ(refused(table("Uniband", 1, "#bytes #repetitions Mbytes/sec Msg/sec\n8 10 8.00 1000000\n")),
            "f:6: one process has no pair; measure with 2 processes or more");
}

}  // namespace
}  // namespace strata::calibration
