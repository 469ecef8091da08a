// SPDX-License-Identifier: LGPL-2.1-only
// Runs every collective and the matrix multiplication as MPI code under the simulator, and compares the times with
// their models, which share no code with them. The machine's links are never full, so LogGP's assumptions always hold,
// and the times must be equal. The tests use eager and rendezvous messages, segments, several roots, a number of ranks
// that fits no tree, and levels of different costs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/command/strata_process.h"

namespace strata {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// Three nodes of two packages of four cores; messages are eager below 8 KiB.
constexpr const char* kMachine = R"(schema: strata.machine/1
name: wide
description: three nodes with links that are never full
source: none
node: {synthetic: "pack:2 core:4 pu:1"}
network: {nodes: 3}
costs:
  core:
    speed: {value: 1, unit: Gflop/s, source: measured}
    copy_bandwidth: {value: 5, unit: GB/s, source: measured}
  eager_limit: {value: 8, unit: KiB, source: measured}
  levels:
    - level: System - Cluster
      latency: {value: 1.6, unit: us, source: measured}
      overhead: {value: 0.4, unit: us, source: measured}
      bandwidth: {value: 3.3, unit: GB/s, source: measured}
      link_bandwidth: {value: 5000, unit: GB/s, source: measured}
    - level: NUMANode
      latency: {value: 0.7, unit: us, source: measured}
      overhead: {value: 0.2, unit: us, source: measured}
      bandwidth: {value: 6.5, unit: GB/s, source: measured}
      link_bandwidth: {value: 5000, unit: GB/s, source: measured}
    - level: Package
      latency: {value: 0.5, unit: us, source: measured}
      overhead: {value: 0.15, unit: us, source: measured}
      bandwidth: {value: 7.3, unit: GB/s, source: measured}
      link_bandwidth: {value: 5000, unit: GB/s, source: measured}
)";

struct Study {
  std::string collective, algorithms, variants, elements, roots,
      segments;  // lists; empty if the option does not exist
  int points;
};

// Runs the program and its model on `ranks` ranks; both must agree at all points.
void expect_model_agrees(const std::string& program, int ranks, const std::string& axes, int points) {
  const fs::path folder = fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
  fs::remove_all(folder);
  fs::create_directories(folder);
  std::ofstream(folder / "machine.yaml") << kMachine;
  std::ofstream(folder / "scenario.yaml")
      << "schema: strata.scenario/1\nname: agree\ntitle: a program against its model\nmachine: ./machine.yaml\n"
      << "program: " << program << "\nranks: " << ranks << "\nmapping: {map_by: core, bind_to: core}\nsweep:\n"
      << axes << "metric: {name: time, unit: s}\nmodels: {loggp: 0.000001}\n";
  const Ran ran = run_strata({"run", folder / "scenario.yaml", "--out", folder / "out"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("loggp: " + std::to_string(points) + " points within 0.0001 %"));
  EXPECT_THAT(ran.out, HasSubstr("0 outside the model, 0 disagree"));
}

std::string axis(const char* name, const std::string& values) {
  return values.empty() ? "" : std::string("  ") + name + ": [" + values + "]\n";
}

void expect_models_agree(const Study& study) {
  expect_model_agrees("collective", 23,
                      axis("collective", study.collective) + axis("algorithm", study.algorithms) +
                          axis("variant", study.variants) + axis("elements", study.elements) +
                          axis("root", study.roots) + axis("segment", study.segments),
                      study.points);
}

constexpr const char* kBoth = "native, hierarchical";

TEST(CollectiveModels, Broadcast) {
  expect_models_agree({"bcast", "linear, chain, pipeline, split-binary, binary, binomial", kBoth, "100, 5000", "0, 5",
                       "0, 3000", 6 * 2 * 2 * 2 * 2});
}

TEST(CollectiveModels, Reduce) {
  expect_models_agree({"reduce", "linear, chain, pipeline, binary, binomial, in-order-binary", kBoth, "100, 5000",
                       "0, 5", "0, 3000", 6 * 2 * 2 * 2 * 2});
}

TEST(CollectiveModels, Allreduce) {
  expect_models_agree(
      {"allreduce", "linear, chain, pipeline, binary, binomial", kBoth, "100, 5000", "", "0, 3000", 5 * 2 * 2 * 2});
}

TEST(CollectiveModels, GatherAndScatter) {
  expect_models_agree({"gather, scatter", "linear, binomial", kBoth, "100, 1000, 5000", "0, 5", "", 2 * 2 * 2 * 3 * 2});
}

TEST(CollectiveModels, Allgather) {
  expect_models_agree({"allgather", "linear, binomial", kBoth, "100, 1000", "", "", 2 * 2 * 2});
}

TEST(CollectiveModels, Barrier) { expect_models_agree({"barrier", "linear, binomial", kBoth, "", "", "", 2 * 2}); }

TEST(CollectiveModels, Ring) { expect_models_agree({"allgather", "ring", "native", "100, 5000", "", "", 2}); }

TEST(CollectiveModels, RecursiveDoubling) {
  expect_models_agree({"allreduce", "recursive-doubling", "native", "100, 5000", "", "", 2});
}

TEST(CollectiveModels, RecursiveDoublingBarrier) {
  expect_models_agree({"barrier", "recursive-doubling", "native", "", "", "", 1});
}

// 2 x 3, 3 x 4, 4 x 5 and, for a prime number, 1 x 23 processes; blocks of 8 B, 512 B and 32 KiB, of which the last are
// not eager.
TEST(CollectiveModels, MatrixMultiplication) {
  const std::string blocks = axis("block", "1, 8, 64");
  expect_model_agrees("summa", 6, axis("variant", "simple, 2x3-groups, 1x1-groups, topological") + blocks, 4 * 3);
  expect_model_agrees("summa", 12, axis("variant", "simple, 3x2-groups, topological") + blocks, 3 * 3);
  expect_model_agrees("summa", 20, axis("variant", "simple, 2x5-groups, topological") + blocks, 3 * 3);
  expect_model_agrees("summa", 23, axis("variant", "simple, 1x23-groups, topological") + blocks, 3 * 3);
}

}  // namespace
}  // namespace strata
