// SPDX-License-Identifier: LGPL-2.1-only
// The collectives under SMPI: collectives_mpi_program on described machines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "sim/launcher/simulation.h"
#include "sim/launcher/smpimain.h"
#include "tests/mpi_ext/mpi_run.h"

namespace strata::mpix::testing {
namespace {

Ended simulate(const Placed& p, const std::vector<std::string>& words, const std::vector<std::string>& options = {}) {
  return run_under_smpi(p, {.program = "collectives_mpi_program", .words = words, .options = options});
}

// Ranks in order: the communicators of the hierarchy are ranges of ranks.
TEST(Smpi, UpToNineRanksInOrder) { expect_success(simulate(placed(figure_1(2), 9, "core", "core"), {}), 9, 5000); }

// Ranks alternate between nodes: the communicators are not ranges.
TEST(Smpi, TenToSeventeenRanksDealtOverFourNodes) {
  expect_success(simulate(placed(figure_1(4), 17, "node", "core"), {"brief", "sizes=10,11,12,13,14,15,16,17"}), 17,
                 2500);
}

// Ranks bound to a core, a package, a node or cores of two packages, in random order: some bridges are not
// communicators of roots.
TEST(Smpi, UnevenBindings) {
  const Placed p =
      bound(uneven_switches(),
            "0 3 0\n1 0 4-7\n2 0 0-7\n3 5 3-4\n4 5 3\n5 4 0-3\n6 0 5\n7 2 0-7\n8 5 0-1\n9 3 0-3\n10 0 6\n");
  expect_success(simulate(p, {"brief", "sizes=5,8,11"}), 11, 2500);
}

TEST(Smpi, FortySevenRanks) {
  expect_success(simulate(placed(figure_1(6), 47, "core", "core"), {"brief", "sizes=47"}), 47, 2500);
}

// Hierarchies given by the user: flat, with levels of one group or of groups of one rank, even and uneven.
TEST(Smpi, GroupsOfUpToSixRanks) {
  expect_success(simulate(placed(figure_1(2), 6, "node", "core"),
                          {"groups=1", "groups=2x1", "groups=4", "groups=2x2", "groups=1x4", "groups=2x1x3"}),
                 6, 1000);
}

TEST(Smpi, GroupsOfTwelveRanks) {
  expect_success(
      simulate(placed(figure_1(2), 12, "core", "core"), {"brief", "groups=2x3x2", "groups=12x1", "groups=4x3"}), 12,
      2500);
}

TEST(Smpi, WrongArguments) {
  for (const int np : {1, 2, 5}) {
    expect_success(simulate(placed(figure_1(2), np, "node", "core"), {"sizes=1", "errors"}), np, 350);
  }
}

TEST(Smpi, ACombinationIsChargedAsTheMachineSaysOrAsACopy) {
  Placed p = placed(figure_1(1), 2, "core", "core");
  const auto expect_charged = [&](double bandwidth) {
    std::array<char, 40> word{};
    std::snprintf(word.data(), word.size(), "charge=%.17g", bandwidth);
    expect_success(simulate(p, {word.data()}), 2, 1);
  };
  expect_charged(p.machine.copy_bandwidth.si);
  p.machine.stated_combine_bandwidth = Figure{.value = 3.5, .unit = "GB/s", .source = "assumed: a test", .si = 3.5e9};
  expect_charged(3.5e9);
}

// A platform without a copy bandwidth.
TEST(Smpi, OnAnotherPlatformACombinationIsFree) {
  const sim::ScratchFolder scratch;
  const std::string program = runfile("tests/mpi_ext/collectives_mpi_program.so");
  std::ofstream(scratch.path() / "platform.xml")
      << "<?xml version='1.0'?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\"><platform version=\"4.1\">"
         "<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-1\" speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\"/>"
         "</platform>\n";
  std::ofstream(scratch.path() / "hosts") << "n0\nn1\n";
  sim::Stage stage;
  stage.ranks = 2;
  stage.eager_limit_bytes = 65536;  // SMPI's default
  const std::vector<std::string> command = words_of(stage, {.platform = scratch.path() / "platform.xml",
                                                            .hosts = scratch.path() / "hosts",
                                                            .scratch = scratch.path(),
                                                            .program = program,
                                                            .arguments = {"charge=0"}});
  expect_success(run(command, {}, scratch.path(), kLimit), 2, 1);
}

// At the end SMPI lists every handle that was not freed.
TEST(Smpi, NothingIsLeftBehind) {
  const Ended e =
      simulate(placed(figure_1(2), 5, "node", "core"), {"brief", "sizes=5", "errors"}, {"--cfg=smpi/list-leaks:50"});
  expect_success(e, 5, 2500);
  EXPECT_THAT(e.output, ::testing::Not(::testing::HasSubstr("Probable memory leaks in your code")));
}

}  // namespace
}  // namespace strata::mpix::testing
