// SPDX-License-Identifier: LGPL-2.1-only
// The MPI layer under a real MPI, named by STRATA_TEST_MPI ("openmpi" or "mpich"): hierarchy_mpi_program and
// splits_mpi_program on described machines that are larger than this one, and on this machine as hwloc sees it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <map>
#include <string>
#include <vector>

#include "sim/launcher/simulation.h"
#include "tests/mpi_ext/mpi_run.h"

namespace strata::mpix::testing {
namespace {

const std::string kMpi = STRATA_TEST_MPI;

Ended start(int np, const std::vector<std::string>& words, const std::map<std::string, std::string>& environment,
            const std::vector<std::string>& options = {}, const std::vector<std::string>& variables = {}) {
  return run_under_mpi(kMpi, np, {"hierarchy_mpi_program", words, environment, options, variables});
}

Ended start_placed(const Placed& p, int np, const std::vector<std::string>& words,
                   const std::string& program = "hierarchy_mpi_program") {
  return run_under_mpi(kMpi, p, np, {.program = program, .words = words});
}

TEST(Virtual, Rr9077Section52) { expect_success(start_placed(bound(figure_1(1), kSection52), 8, {"real"}), 8, 800); }

TEST(Virtual, NineRanksUnderUnevenSwitches) {
  const Placed p =
      bound(uneven_switches(), "0 3 0\n1 0 4-7\n2 0 0-7\n3 5 3-4\n4 5 3\n5 4 0-3\n6 0 5\n7 2 0-7\n8 5 0-1\n");
  expect_success(start_placed(p, 9, {"real"}), 9, 900);
}

TEST(Virtual, SplitsOfFiveRanksOfRr9077Section52) {
  const Placed p = bound(figure_1(1), "0 0 0\n1 0 1\n2 0 2-3\n3 0 2-3\n4 0 4-7\n");
  expect_success(start_placed(p, 5, {}, "splits_mpi_program"), 5, 700);
}

TEST(Virtual, SplitsOfFiveRanksUnderUnevenSwitches) {
  const Placed p = bound(uneven_switches(), "0 3 0\n1 0 4-7\n2 5 3-4\n3 4 0-3\n4 0 5\n");
  expect_success(start_placed(p, 5, {}, "splits_mpi_program"), 5, 700);
}

TEST(Virtual, SplitsOfOneRank) {
  expect_success(start_placed(bound(figure_1(1), "0 0 3\n"), 1, {}, "splits_mpi_program"), 1, 700);
}

// Like on nodes of a real cluster, each rank knows only its own node and place: the ranks read two files.
TEST(Virtual, RanksThatKnowOnlyTheirOwnNodes) {
  const sim::ScratchFolder first, second;
  const std::string a = write_placement(bound(figure_1(2), "0 0 0\n1 0 4\n2 1 1\n3 0 0\n4 0 0\n5 0 0\n"), first.path());
  const std::string b =
      write_placement(bound(figure_1(1), "0 0 0\n1 0 0\n2 0 0\n3 0 0\n4 0 1\n5 0 0-7\n"), second.path());
  std::vector<std::string> variables;
  for (int r = 0; r < 6; ++r) variables.push_back("STRATA_PLACEMENT=" + (r < 3 ? a : b));
  expect_success(
      run_under_mpi(kMpi, 6, {.program = "splits_mpi_program", .words = {"strangers"}, .variables = variables}), 6,
      100);
}

TEST(Virtual, OneRank) { expect_success(start_placed(bound(figure_1(1), "0 0 3\n"), 1, {"real"}), 1, 400); }

TEST(Virtual, TwoRanksOnTwoNodes) {
  expect_success(start_placed(placed(figure_1(2), 2, "node", "core"), 2, {"real"}), 2, 400);
}

// MPICH has 2,048 context ids, so 2,100 cycles fail if each leaves a communicator.
TEST(Virtual, ThousandsOfCommunicators) {
  expect_success(start_placed(placed(figure_1(1), 2, "core", "core"), 2, {"cycles=2100"}), 2, 2100L * 10);
}

TEST(Virtual, ThousandsOfCommunicatorsThatAreKept) {
  if (kMpi != "mpich") GTEST_SKIP() << "Open MPI has more context ids than a test can use up";
  const Ended e = start_placed(placed(figure_1(1), 2, "core", "core"), 2, {"cycles=2100", "leak"});
  // The exit code is not checked: mpirun of MPICH 4.2.1 sometimes ends with 0 after an abort.
  EXPECT_EQ(verdict_of(e.output).ranks, -1) << e.output;
  EXPECT_THAT(e.output, ::testing::HasSubstr("Too many communicators"));
}

TEST(Virtual, ThreadsThatUseTheLibraryForTheFirstTimeAtOneMoment) {
  expect_success(start_placed(placed(figure_1(1), 2, "core", "core"), 2, {"threads"}), 2, 4L * 50 * 12);
}

TEST(Virtual, WhoHasNoPlaceKeepsNobodyWaiting) {
  const Ended e = start_placed(bound(figure_1(1), "0 0 0\n"), 2, {"short"});
  expect_success(e, 2, 4200);
  EXPECT_THAT(e.output, ::testing::HasSubstr("binds 1 ranks, this is rank 1; give a binding for each rank"));
}

TEST(Virtual, APlacementFileThatIsNotThereIsAnErrorOfEveryRank) {
  const Ended e = start(2, {"short"}, {{"STRATA_PLACEMENT", "/nowhere/placement"}});
  expect_success(e, 2, 4200);
  EXPECT_THAT(e.output, ::testing::HasSubstr("/nowhere/placement: No such file or directory"));
}

std::vector<std::string> bind_to(const std::string& object) {
  if (kMpi == "openmpi") return {"--bind-to", object, "--report-bindings"};
  return {"-bind-to", object};
}

TEST(Live, FourRanksUnbound) {
  const Ended e = start(4, {"live"}, {}, bind_to("none"));
  expect_success(e, 4, 10);
  EXPECT_THAT(e.output, ::testing::HasSubstr("rank 0: 0 members one level below"));
}

// As many ranks as this machine has cores, but at most two: each is alone one level below.
TEST(Live, RanksBoundToCores) {
  const int np = ::sysconf(_SC_NPROCESSORS_ONLN) > 1 ? 2 : 1;
  const Ended e = start(np, {"live"}, {}, bind_to("core"));
  expect_success(e, np, 10);
  EXPECT_THAT(e.output,
              ::testing::HasSubstr("rank 0: " + std::string(np > 1 ? "1" : "0") + " members one level below"));
}

// Each rank's hwloc shows the machine in HWLOC_SYNTHETIC: as with cgroups, ranks see different parts of one node.
TEST(Live, RanksOfOneNodeThatSeeDifferentTrees) {
  const Ended e = start(
      3, {"mixed-trees"}, {}, {},
      {"HWLOC_SYNTHETIC=pack:2 core:4 pu:1", "HWLOC_SYNTHETIC=core:2 pu:1", "HWLOC_SYNTHETIC=pack:2 l3:2 core:2 pu:1"});
  expect_success(e, 3, 300);
}

}  // namespace
}  // namespace strata::mpix::testing
