// SPDX-License-Identifier: LGPL-2.1-only
// The plan of the probe, and the reader of its samples.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/error.h"
#include "calibration/probe/probe_plan.h"
#include "calibration/probe/probe_samples.h"

namespace strata::calibration {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Two packages of two cores with two threads each. hwloc adds a NUMA node below the machine, at which the packages
// meet.
TEST(ProbePlan, OfASmallNode) {
  const auto node = import_node_synthetic("pack:2 core:2 pu:2");
  EXPECT_THAT(levels_of_node(*node), ElementsAre("NUMANode", "Package"));
  EXPECT_EQ(probe_plan(*node, {.nodes = 2, .samples = 3, .most_bytes = 8, .array_bytes = 1000, .seed = 7}),
            "strata-probe 1\n"
            "level System - Cluster\n"
            "level NUMANode\n"
            "level Package\n"
            "pu 0 0 1 2\npu 1 0 1 2\npu 2 1 1 2\npu 3 1 1 2\n"
            "pu 4 2 1 9\npu 5 2 1 9\npu 6 3 1 9\npu 7 3 1 9\n"
            "sizes 0 1 2 4 8\nsamples 3\narray_bytes 1000\nseed 7\n");
}

TEST(ProbePlan, PlacesOfASimulation) {
  const auto node = import_node_synthetic("pack:2 core:2 pu:2");
  EXPECT_EQ(probe_places(*node, {.nodes = 2, .ranks_per_node = 3}), "0 0 0\n1 0 2\n2 0 4\n3 1 0\n4 1 2\n5 1 4\n");
}

TEST(ProbePlan, NeedsTwoCores) {
  const auto node = import_node_synthetic("pack:1 core:1 pu:1");
  EXPECT_NO_THROW(probe_plan(*node, {.nodes = 2}));
  try {
    probe_plan(*node, {.nodes = 1});
    FAIL() << "not refused";
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(),
                 "--node: a node of one core has no two that could exchange messages; give --nodes 2 or more");
  }
}

TEST(ProbePlan, ScriptAsksForTheNodesAndRanks) {
  const auto node = import_node_synthetic("pack:2 core:2 pu:2");
  const std::string all = job_script(*node, {.nodes = 3});
  EXPECT_THAT(all, HasSubstr("#SBATCH --nodes=3\n#SBATCH --ntasks-per-node=4\n"));
  EXPECT_THAT(all, HasSubstr("mpirun -n 12 --bind-to core ./probe plan.txt samples.csv"));
  EXPECT_THAT(job_script(*node, {.nodes = 3, .ranks_per_node = 2}), HasSubstr("mpirun -n 6 "));
}

class Samples : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::string& text) const {
    const std::filesystem::path file = std::filesystem::path(std::getenv("TEST_TMPDIR")) / "samples.csv";
    std::ofstream(file) << text;
    return file;
  }
  void expect_refused(const std::string& text, const std::string& line) const {
    try {
      read_probe(write(text));
      ADD_FAILURE() << "not refused: " << line;
    } catch (const InputError& e) {
      EXPECT_THAT(e.what(), HasSubstr(line));
      EXPECT_THAT(e.what(), HasSubstr("; give the samples.csv that the probe wrote"));
    }
  }

  const std::string head_ = "# strata probe 1\n# mpi: Open MPI v4.1.4\noperation,level,bytes,at_once,sample,value\n";
};

TEST_F(Samples, AreReadInTheirOrder) {
  const Reading r =
      read_probe(write(head_ + "ping_pong,System - Cluster,1024,1,3,1.27e-06\ncopy,,268435456,4,0,1.76e+10\n" +
                       "# left out, shorter than the clock's resolution: 2 of 123 samples\n"));
  EXPECT_EQ(r.program, "strata probe under Open MPI v4.1.4");
  ASSERT_EQ(r.measurements.size(), 2u);
  EXPECT_EQ(r.measurements[0].operation, Operation::kPingPong);
  EXPECT_EQ(r.measurements[0].level, "System - Cluster");
  EXPECT_EQ(r.measurements[0].bytes, 1024);
  EXPECT_EQ(r.measurements[0].value, 1.27e-6);
  EXPECT_EQ(r.measurements[0].source, "samples.csv:4");
  EXPECT_EQ(r.measurements[1].operation, Operation::kCopy);
  EXPECT_EQ(r.measurements[1].at_once, 4);
}

TEST_F(Samples, SayWhereTheRanksWere) {
  const std::string first = "# strata probe 1\n", heading = "operation,level,bytes,at_once,sample,value\n";
  const std::string row = "broadcast,,8,2,0,1e-6\n";
  const Reading r = read_probe(write(first + "# place 0 0 2\n# place 1 1 18\n" + heading + row));
  ASSERT_EQ(r.places.size(), 2u);
  EXPECT_EQ(r.places[1].node, 1);
  EXPECT_EQ(r.places[1].processor, 18);
  EXPECT_TRUE(read_probe(write(first + heading + row)).places.empty());
  for (const char* bad : {"# place 1 0 2\n", "# place 0 0\n", "# place 0 0 -1\n", "# place 0 x 1\n",
                          "# place 0 0 1 2\n", "# place 0 0 1e10\n"})
    expect_refused(first + bad + heading + row,
                   "samples.csv:2: a place is a rank, its node and its processor, by rank");
}

TEST_F(Samples, ThatAreNoneAreRefusedWithTheirPlace) {
  expect_refused("", "holds no sample");
  expect_refused(head_, "holds no sample");
  expect_refused("# OSU MPI Latency Test v7.3\n", "samples.csv:1: is not a file of the probe's samples");
  expect_refused("# strata probe 1\nping_pong,,1,1,0,1\n", "samples.csv:2: the heading is missing");
  expect_refused(head_ + "ping_pong,L3,8,1,0\n", "samples.csv:4: 5 fields instead of 6");
  expect_refused(head_ + "pong,L3,8,1,0,1e-6\n", "samples.csv:4: 'pong' is not an operation");
  expect_refused(head_ + "ping_pong,L3,-8,1,0,1e-6\n", "samples.csv:4: bytes, at_once and sample are whole numbers");
  expect_refused(head_ + "ping_pong,L3,8,0,0,1e-6\n", "samples.csv:4: bytes, at_once and sample are whole numbers");
  for (const char* value : {"0", "-1e-6", "nan", "inf", "1,2e-6", "1.2e-6s", ""}) {
    expect_refused(head_ + "ping_pong,L3,8,1,0," + value + "\n", "samples.csv:4: ");
  }
  expect_refused(head_ + "ping_pong,L3,8,1,0,1e-6\nping_pong,L3,8,1,1,1e-", "samples.csv:5: the last line is cut off");
}

}  // namespace
}  // namespace strata::calibration
