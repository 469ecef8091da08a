// SPDX-License-Identifier: LGPL-2.1-only
// The catalog's stencil: its time compared with schedules made by hand. The program itself compares its results with a
// closed form, and fails if they differ.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/sim/unit_machine.h"

namespace strata {
namespace {

constexpr char kParts[] =
    "also: [{name: rate, unit: Gflop/s}, {name: computing, unit: s}, {name: communicating, unit: s}]\n";

using Values = std::map<std::string, std::map<std::string, double>>;
class Stencil : public UnitMachine {};

// Two processes and 4x4 points. With two columns for each process: a copy of a column's 32 B, 1 us to send it, 48 ns
// until it arrives, another copy, and 5 flop for each of eight points (the rate counts 6 per point). With two rows for
// each process there are no copies.
TEST_F(Stencil, OfTwoProcessesIsAsComputedByHand) {
  Values values = run("stencil", 2, "comm: [world, cart, nodecart], dims: [1x2, 2x1]",
                      "arguments: [--n, 4, --iterations, 3]\n" + std::string(kParts));
  ASSERT_EQ(ran_.code, 0) << ran_.err;
  for (const std::string comm : {"world", "cart", "nodecart"}) {
    EXPECT_NEAR(values["time"][comm + " 1x2"], (32 + 1000 + 48 + 32 + 40) * kNs, kTolerance);
    EXPECT_NEAR(values["communicating"][comm + " 1x2"], (32 + 1000 + 48 + 32) * kNs, kTolerance);
    EXPECT_NEAR(values["time"][comm + " 2x1"], (1000 + 48 + 40) * kNs, kTolerance);
    EXPECT_NEAR(values["computing"][comm + " 2x1"], 40 * kNs, kTolerance);
    EXPECT_NEAR(values["rate"][comm + " 2x1"], 6 * 16 / 1088.0, 1e-9);
  }
}

// 5x5 points: blocks of two and three columns, 50 and 75 flop; copies take 40 ns, messages 1000 + 56. In ns:
//   iteration 1   both receive the other's column at 40 + 1056 = 1096, copied at 1136; done at 1186 and 1211
//   iteration 2   the first sends until 1186 + 40 + 1000 = 2226, which arrives at 2282; the second sends until 2251,
//                 which arrives at 2307; the first is done at 2307 + 40 + 50, the second at 2282 + 40 + 75: 2397
TEST_F(Stencil, OfUnevenBlocksWaitsForTheLargest) {
  Values values = run("stencil", 2, "comm: [world], iterations: [1, 2, 4]",
                      "arguments: [--n, 5, --dims, 1x2]\n" + std::string(kParts));
  ASSERT_EQ(ran_.code, 0) << ran_.err;
  EXPECT_NEAR(values["time"]["world 1"], 1211 * kNs, kTolerance);
  EXPECT_NEAR(values["time"]["world 2"], 2397 / 2.0 * kNs, kTolerance);
  EXPECT_NEAR(values["time"]["world 4"], 2397 / 2.0 * kNs, kTolerance);
  EXPECT_NEAR(values["computing"]["world 4"], 62.5 * kNs, kTolerance);
}

// Several mappings of 1, 5, 6, 7 and 8 processes in all shapes, with sides that they do not divide.
TEST_F(Stencil, IsRightOnBlocksOfAllShapes) {
  const std::map<int, std::string> shapes = {
      {1, "1x1"}, {5, "5x1, 1x5"}, {6, "2x3, 3x2, 1x6"}, {7, "7x1"}, {8, "2x4, 4x2, 8x1"}};
  for (const auto& [ranks, dims] : shapes) {
    Values values =
        run("stencil", ranks, "comm: [world, cart], dims: [" + dims + "], n: [8, 9, 31], iterations: [1, 20]");
    ASSERT_EQ(ran_.code, 0) << ranks << ": " << ran_.err;
  }
  for (const int ranks : {5, 6, 8}) {
    run("stencil", ranks,
        "comm: [nodecart], method: [auto, kdtree, strips, hyperplane], dims: [" + shapes.at(ranks) +
            "], n: [13], iterations: [7]");
    ASSERT_EQ(ran_.code, 0) << ranks << ": " << ran_.err;
  }
}

// The smallest number of points that a process can have: each result depends on its neighbours' points.
TEST_F(Stencil, IsRightWithOnePointEach) {
  run("stencil", 8, "comm: [world, cart], dims: [8x1, 1x8], n: [8], iterations: [1, 2, 3, 64]");
  EXPECT_EQ(ran_.code, 0) << ran_.err;
}

TEST_F(Stencil, WhosePointsNobodyLooksAtTakesAsLongPerPoint) {
  Values values = run("stencil", 8, "comm: [world], n: [40000]",
                      "arguments: [--dims, 4x2, --iterations, 2]\n" + std::string(kParts));
  ASSERT_EQ(ran_.code, 0) << ran_.err;
  EXPECT_NEAR(values["computing"]["world 40000"], 5.0 * 40000 * 40000 / 8 * kNs, 1e-9);
}

TEST_F(Stencil, RefusesMeshesThatAreNone) {
  const std::map<std::string, std::string> cases = {
      {"--dims, 3x2", "--dims: the product of 3x2 is not the number of ranks, 8"},
      {"--dims, 2x2x2", "--dims: the mesh has two dimensions, as 64x64"},
      {"--dims, 8x1, --n, 7", "--n: 7 points a side are fewer than processes, 8x1"},
      {"--n, 0", "--n: "},
      {"--iterations, 0", "--iterations: "},
      {"--dims, 2x4, --comm, nodecart, --method, magic", "--method: 'magic' is no method of MPIX_Comm_set_nodecart"}};
  for (const auto& [arguments, message] : cases) {
    run("stencil", 8, "periods: [0x0]", "arguments: [" + arguments + "]\n");
    EXPECT_EQ(ran_.code, 2) << arguments;
    EXPECT_THAT(ran_.err, ::testing::HasSubstr(message));
    EXPECT_EQ(lines_of(ran_.err).size(), 1u) << ran_.err;
  }
  run("stencil", 8, "periods: [1x0]", "arguments: [--dims, 2x4]\n");
  EXPECT_EQ(ran_.code, 2);
  EXPECT_THAT(ran_.err, ::testing::HasSubstr("--periods: the square has a boundary; leave it out"));
}

}  // namespace
}  // namespace strata
