// The MPI layer under a real MPI, which STRATA_TEST_MPI names ("openmpi" or "mpich"): hierarchy_mpi_program and
// splits_mpi_program on described machines that are larger than this one, and on this one as hwloc sees it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "mpi_ext/provider/placement_file.h"
#include "sim/launcher/simulation.h"
#include "tests/mpi_ext/mpi_run.h"

namespace strata::mpix::testing {
namespace {

const std::string kMpi = STRATA_TEST_MPI;

constexpr double kLimit = 300;  // s of wall time; MPICH's ranks poll, and share two cores or one

// Starts ranks: `options` are of mpirun, `prefix` is a command before the program, one a rank where there are several.
Ended start(int np, const std::vector<std::string>& words, std::map<std::string, std::string> environment,
            const std::vector<std::string>& options = {}, const std::vector<std::string>& prefixes = {},
            const std::string& name = "hierarchy_mpi_program") {
  const sim::ScratchFolder scratch;
  const std::string program = runfile("tests/mpi_ext/" + name + "_" + kMpi);
  std::vector<std::string> command = {"mpirun." + kMpi};
  if (kMpi == "openmpi") {
    for (const char* option : {"--allow-run-as-root", "--oversubscribe"}) command.push_back(option);
    environment["OMPI_MCA_rmaps_base_oversubscribe"] = "1";
    environment["OMPI_MCA_mpi_yield_when_idle"] = "1";
    environment["OMPI_MCA_btl"] = "vader,self";
    environment["OMPI_MCA_btl_vader_single_copy_mechanism"] = "none";  // it needs ptrace, which a sandbox may forbid
    environment["OMPI_MCA_plm_rsh_agent"] = "false";                   // nothing is started elsewhere
  }
  command.insert(command.end(), options.begin(), options.end());
  const auto add = [&](int ranks, const std::string& prefix) {
    command.insert(command.end(), {"-np", std::to_string(ranks)});
    if (!prefix.empty()) command.insert(command.end(), {"env", prefix});
    command.push_back(program);
    command.insert(command.end(), words.begin(), words.end());
  };
  if (prefixes.empty()) add(np, "");
  for (size_t i = 0; i < prefixes.size(); ++i) {
    if (i > 0) command.push_back(":");
    add(1, prefixes[i]);
  }
  return run(command, environment, scratch.path(), kLimit);
}

// Writes a placement file into a folder that is there.
std::string write_placement(const Placed& p, const std::filesystem::path& folder) {
  std::ofstream(folder / "bindings") << format_bindings(p.ranks);
  std::ofstream(folder / "placement") << format_placement_file("", p.machine.node.synthetic, p.machine.network,
                                                               folder / "bindings");
  return folder / "placement";
}

Ended start_placed(const Placed& p, int np, const std::vector<std::string>& words,
                   const std::string& name = "hierarchy_mpi_program") {
  const sim::ScratchFolder files;
  return start(np, words, {{"STRATA_PLACEMENT", write_placement(p, files.path())}}, {}, {}, name);
}

void expect_success(const Ended& e, int ranks, long least_checks) {
  EXPECT_EQ(e.exit_code, 0) << e.output;
  const Verdict v = verdict_of(e.output);
  EXPECT_EQ(v.ranks, ranks) << e.output;
  EXPECT_EQ(v.failures, 0) << e.output;
  EXPECT_GE(v.least, least_checks) << e.output;
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

// As on nodes of a real cluster, each rank knows its own node and its own place only: the ranks read two files.
TEST(Virtual, RanksThatKnowOnlyTheirOwnNodes) {
  const sim::ScratchFolder first, second;
  const std::string a = write_placement(bound(figure_1(2), "0 0 0\n1 0 4\n2 1 1\n3 0 0\n4 0 0\n5 0 0\n"), first.path());
  const std::string b =
      write_placement(bound(figure_1(1), "0 0 0\n1 0 0\n2 0 0\n3 0 0\n4 0 1\n5 0 0-7\n"), second.path());
  std::vector<std::string> prefixes;
  for (int r = 0; r < 6; ++r) prefixes.push_back("STRATA_PLACEMENT=" + (r < 3 ? a : b));
  expect_success(start(6, {"strangers"}, {}, {}, prefixes, "splits_mpi_program"), 6, 100);
}

TEST(Virtual, OneRank) { expect_success(start_placed(bound(figure_1(1), "0 0 3\n"), 1, {"real"}), 1, 400); }

TEST(Virtual, TwoRanksOnTwoNodes) {
  expect_success(start_placed(placed(figure_1(2), 2, "node", "core"), 2, {"real"}), 2, 400);
}

// MPICH has 2,048 context ids: a communicator that is not freed in each cycle is missed within 2,100.
TEST(Virtual, ThousandsOfCommunicators) {
  expect_success(start_placed(placed(figure_1(1), 2, "core", "core"), 2, {"cycles=2100"}), 2, 2100L * 10);
}

TEST(Virtual, ThousandsOfCommunicatorsThatAreKept) {
  if (kMpi != "mpich") GTEST_SKIP() << "Open MPI has more context ids than a test can use up";
  const Ended e = start_placed(placed(figure_1(1), 2, "core", "core"), 2, {"cycles=2100", "leak"});
  EXPECT_NE(e.exit_code, 0);
  EXPECT_THAT(e.output, ::testing::HasSubstr("Too many communicators"));
}

TEST(Virtual, ThreadsThatUseTheLibraryForTheFirstTimeAtOneMoment) {
  expect_success(start_placed(placed(figure_1(1), 2, "core", "core"), 2, {"threads"}), 2, 4L * 50 * 10);
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

// As many ranks as this machine has cores, at most two: each is alone one level below.
TEST(Live, RanksBoundToCores) {
  const int np = ::sysconf(_SC_NPROCESSORS_ONLN) > 1 ? 2 : 1;
  const Ended e = start(np, {"live"}, {}, bind_to("core"));
  expect_success(e, np, 10);
  EXPECT_THAT(e.output,
              ::testing::HasSubstr("rank 0: " + std::string(np > 1 ? "1" : "0") + " members one level below"));
}

// hwloc shows each rank what HWLOC_SYNTHETIC says: as with cgroups, the ranks see different parts of one node.
TEST(Live, RanksOfOneNodeThatSeeDifferentTrees) {
  const Ended e = start(
      3, {"mixed-trees"}, {}, {},
      {"HWLOC_SYNTHETIC=pack:2 core:4 pu:1", "HWLOC_SYNTHETIC=core:2 pu:1", "HWLOC_SYNTHETIC=pack:2 l3:2 core:2 pu:1"});
  expect_success(e, 3, 300);
}

}  // namespace
}  // namespace strata::mpix::testing
