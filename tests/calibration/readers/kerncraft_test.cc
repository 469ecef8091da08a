// SPDX-License-Identifier: LGPL-2.1-only
// Every bandwidth in a kerncraft machine file, and bad input.
#include "calibration/readers/kerncraft.h"

#include <gtest/gtest.h>

#include "tests/calibration/readers/readings.h"

namespace strata::calibration {
namespace {

// A mixture of block and flow style, so that a test can replace any part.
std::string machine(const std::string& old = "", const std::string& replacement = "") {
  std::string text =
      "cores per NUMA domain: 2\n"
      "benchmarks:\n"
      "  measurements:\n"
      "    MEM:\n"
      "      1:\n"
      "        threads per core: 1\n"
      "        cores: [1, 2]\n"
      "        total size: [120.00 MB, 120.00 MB]\n"
      "        results:\n"
      "          copy: [10.00 GB/s, 18.00 GB/s]\n";
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), replacement);
}

std::string refused(const std::string& old, const std::string& replacement) {
  return refusal_of(machine(old, replacement), read_kerncraft);
}

TEST(Kerncraft, BandwidthsOfANumaDomain) {
  const Reading reading = read_kerncraft(kSamples + "kerncraft.yml");
  EXPECT_EQ(reading.program, "kerncraft 0.8.11.dev0");
  EXPECT_EQ(measurements_of(reading),
            (Lines{"copy 60000000 B x1 1e+10 kerncraft.yml:25", "copy 60000000 B x2 1.8e+10 kerncraft.yml:25",
                   "triad 30000000 B x1 1.1e+10 kerncraft.yml:29", "triad 30000000 B x2 1.9e+10 kerncraft.yml:29",
                   "daxpy 60000000 B x1 1.5e+10 kerncraft.yml:27", "daxpy 60000000 B x2 2.7e+10 kerncraft.yml:27",
                   "copy 5280000 B x1 5e+10 kerncraft.yml:42", "copy 5280000 B x2 9e+10 kerncraft.yml:42"}));
  EXPECT_EQ(reading.notes,
            (Lines{kSamples + "kerncraft.yml:23: benchmarks.measurements.MEM.1.cores: more than 2 cores are of "
                              "several NUMA domains; they are not used",
                   kSamples + "kerncraft.yml:33: benchmarks.measurements.MEM.2: several threads per core are "
                              "not used",
                   kSamples + "kerncraft.yml:40: benchmarks.measurements.L3.1.cores: more than 2 cores are of "
                              "several caches; they are not used"}));
}

TEST(Kerncraft, FilesWithoutTheOutermostCache) {
  EXPECT_EQ(
      measurements_of(read_as(machine() + "memory hierarchy:\n- {level: MEM, cores per group: 2}\n", read_kerncraft))
          .size(),
      2u);
  EXPECT_EQ(
      measurements_of(read_as(machine() + "memory hierarchy:\n- {level: L3, cores per group: 2}\n", read_kerncraft))
          .size(),
      2u);
  EXPECT_EQ(refusal_of(machine() + "memory hierarchy:\n- {cores per group: 2}\n", read_kerncraft),
            "f:12: memory hierarchy[0]: 'level' is missing; give a machine file of kerncraft 0.8 with its benchmarks");
}

TEST(Kerncraft, UnitsOfOtherPrefixes) {
  EXPECT_EQ(measurements_of(read_as(machine("10.00 GB/s", "9000.00 MB/s"), read_kerncraft)).front(),
            "copy 60000000 B x1 9000000000 f:10");
  EXPECT_EQ(measurements_of(read_as(machine("120.00 MB,", "0.24 GB,"), read_kerncraft)).front(),
            "copy 120000000 B x1 1e+10 f:10");
}

TEST(Kerncraft, ABandwidthOfZeroIsLeftOut) {
  const Reading reading = read_as(machine("10.00 GB/s", "0.00 GB/s"), read_kerncraft);
  EXPECT_EQ(measurements_of(reading), (Lines{"copy 60000000 B x2 1.8e+10 f:10"}));
  EXPECT_EQ(notes_of(reading), (Lines{"f:10: benchmarks.measurements.MEM.1.results.copy[0]: a bandwidth or size is not "
                                      "positive; it is left out"}));
}

TEST(Kerncraft, BadValues) {
  const std::string copy = "f:10: benchmarks.measurements.MEM.1.results.copy";
  const std::string form = "; write for example '12.00 GB/s', with a decimal point";
  EXPECT_EQ(refused("10.00 GB/s", "'10,00 GB/s'"), copy + "[0]: '10,00 GB/s' is not a quantity in B/s" + form);
  EXPECT_EQ(refused("10.00 GB/s", "10.00"), copy + "[0]: '10.00' is not a quantity in B/s" + form);
  EXPECT_EQ(refused("10.00 GB/s", "10.00 XB/s"), copy + "[0]: '10.00 XB/s' is not a quantity in B/s" + form);
  EXPECT_EQ(refused("10.00 GB/s", "nan GB/s"), copy + "[0]: 'nan GB/s' is not a quantity in B/s" + form);
  EXPECT_EQ(refused("10.00 GB/s, ", ""), copy + ": has 1 values for 2 numbers of cores; write one for each");
  EXPECT_EQ(refused("[1, 2]", "[0, 2]"),
            "f:7: benchmarks.measurements.MEM.1.cores[0]: '0' is not a whole number from 1 to 2147483647; write one");
}

TEST(Kerncraft, FilesWithoutUsableBandwidths) {
  const std::string remedy = "; give a machine file of kerncraft 0.8 with its benchmarks";
  EXPECT_EQ(refused("MEM", "L3"), "f:4: benchmarks.measurements: 'MEM' is missing" + remedy);
  EXPECT_EQ(refused("benchmarks", "marks"), "f:1: 'benchmarks' is missing" + remedy);
  EXPECT_EQ(
      refused("copy", "load"),
      "f:5: benchmarks.measurements.MEM: has no bandwidth of copy, triad or daxpy with one thread per core" + remedy);
  EXPECT_EQ(
      refused("threads per core: 1", "threads per core: 2"),
      "f:5: benchmarks.measurements.MEM: has no bandwidth of copy, triad or daxpy with one thread per core" + remedy);
  EXPECT_EQ(refusal_of("", read_kerncraft), "f: is not a YAML mapping; give a machine file of kerncraft");
  EXPECT_EQ(refusal_of("# OSU MPI Latency Test v7.3\n8 1.5\n", read_kerncraft),
            "f: is not a YAML mapping; give a machine file of kerncraft");
  EXPECT_EQ(refusal_of(machine("[1, 2]", "[1, 2"), read_kerncraft).substr(0, 20), "f:8: malformed YAML:");
}

}  // namespace
}  // namespace strata::calibration
