// SPDX-License-Identifier: LGPL-2.1-only
// Programs compiled with the wrappers of `strata mpi` and run by `strata exec` on two nodes: what their ranks learn
// from their environment, functions and constants of newer MPIs, and how failures are named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tests/command/strata_process.h"

namespace strata {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;
using Words = std::vector<std::string>;

class Ranks : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<TemporaryFolder>();
    const Ran made = run_strata({"mpi", "--machine", "ntw10e5", "--prefix", folder_->path() / "mpi"});
    ASSERT_EQ(made.code, 0) << made.err;
  }
  static void TearDownTestSuite() { folder_.reset(); }

  static Ran run(const Words& command) {
    // mpirun starts the strata that was built; with TEST_SRCDIR it uses this test's files.
    const std::map<std::string, std::string> environment = {
        {"PATH", "/usr/bin:/bin"}, {"HOME", folder_->path()}, {"TEST_SRCDIR", std::getenv("TEST_SRCDIR")}};
    return Process(command, {.environment = environment, .bare = true, .folder = folder_->path()}).wait();
  }

  static fs::path compiled(const std::string& source, const std::string& compiler = "mpicc") {
    fs::path to = folder_->path() / source.substr(0, source.find('.'));
    to += compiler;
    const Ran ran = run({folder_->path() / "mpi/bin" / compiler, built("tests/toolchain/ranks/" + source), "-o", to});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.err, "");
    return to;
  }

  // Two ranks on each node.
  static Ran exec(int ranks, const fs::path& program, const Words& arguments = {}, const Words& options = {}) {
    Words words = {"exec", "--machine", "ntw10e5", "-n", std::to_string(ranks), "--no-summary", "--hostfile", hosts()};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"--", program});
    words.insert(words.end(), arguments.begin(), arguments.end());
    return run_strata(words);
  }

  static std::string hosts() { return folder_->write("hosts", "+n0 slots=2\n+n1 slots=2\n"); }

  static std::unique_ptr<TemporaryFolder> folder_;
};

std::unique_ptr<TemporaryFolder> Ranks::folder_;

TEST_F(Ranks, HaveTheirOwnEnvironment) {
  const Ran ran = exec(4, compiled("environment.c"), {}, {"-x", "GIVEN=7", "-x", "PMI_RANK=99"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(lines_of(ran.out), UnorderedElementsAre("0: 0/4 0/2 0/4 0 0/4/0/0/2 node0 node0 0 0 0 0 0 0 7",
                                                      "1: 1/4 1/2 1/4 1 1/4/1/0/2 node0 node0 1 1 1 1 1 1 7",
                                                      "2: 2/4 0/2 2/4 0 2/4/0/1/2 node1 node1 2 2 2 2 4 4 7",
                                                      "3: 3/4 1/2 3/4 1 3/4/1/1/2 node1 node1 3 3 3 3 9 9 7"));
}

// system, popen, and the four functions of exec without an argument for the environment.
TEST_F(Ranks, GiveTheirEnvironmentToProgramsThatTheyStart) {
  const Ran ran = exec(2, compiled("environment.c"), {"start"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  std::map<std::string, int> times;
  for (const std::string& line : lines_of(ran.out)) ++times[line];
  for (const std::string rank : {"0 0", "1 2"}) {
    EXPECT_EQ(times[rank], 5) << ran.out;
    EXPECT_EQ(times["popen " + rank], 1) << ran.out;
  }
  EXPECT_EQ(lines_of(ran.out).size(), 2u + 12u) << ran.out;
}

TEST_F(Ranks, HaveTheirOwnEnvironmentInFortran) {
  const Ran ran = exec(4, compiled("environment.f90", "mpifort"));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(lines_of(ran.out),
              UnorderedElementsAre("0: [0     ] node0  1 0 1", "1: [1     ] node0  1 0 1", "2: [2     ] node1  1 0 1",
                                   "3: [3     ] node1  1 0 1", "shell 0", "shell 0", "shell 1", "shell 1", "shell 2",
                                   "shell 2", "shell 3", "shell 3"));
}

TEST_F(Ranks, AreNotStartedByAShell) {
  for (const std::string shell : {"/bin/sh", "/usr/bin/env"}) {
    const Ran ran = exec(2, shell, {"-c", "./app $OMPI_COMM_WORLD_RANK"}, {"--mpi", "smpi"});
    EXPECT_EQ(ran.code, 2);
    EXPECT_THAT(ran.err,
                HasSubstr(shell + ": calls no function of MPI; give the MPI program itself: all ranks share one "
                                  "process, so no shell or script can start it for each of them"));
  }
}

TEST_F(Ranks, UseFunctionsAndConstantsOfNewerMpis) {
  for (const std::string compiler : {"mpicc", "mpicxx"}) {
    const fs::path program = compiled("mpi4.c", compiler);
    const Ran ran = exec(4, program);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_THAT(lines_of(ran.out), UnorderedElementsAre("rank 0 of 4: 0 bad", "rank 1 of 4: 0 bad",
                                                        "rank 2 of 4: 0 bad", "rank 3 of 4: 0 bad"));
    EXPECT_THAT(ran.err,
                HasSubstr("refers to MPI_Session_init, which the simulated MPI does not have; it will end where "
                          "it calls one"));
    const Ran session = exec(4, program, {"session"});
    EXPECT_EQ(session.code, 3);
    EXPECT_THAT(session.err, HasSubstr("rank 1 called MPI_Session_init, which the simulated MPI does not have\n"));
    const Ran large = exec(4, program, {"large"});
    EXPECT_EQ(large.code, 3);
    EXPECT_THAT(large.err,
                HasSubstr("rank 1 called MPI_Send_c with a count of 2147483648: the simulated MPI takes counts "
                          "up to 2147483647\n"));
  }
}

TEST_F(Ranks, MayConsistOfInitAndFinalize) {
  const Ran ran = exec(4, compiled("empty.c"));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
}

TEST_F(Ranks, SendAheadAndLeaveMessagesToFinalize) {
  const fs::path program = compiled("persistent.c");
  const Ran ran = exec(2, program);
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out, "1234 100\n");
  const Ran launched = run({folder_->path() / "mpi/bin/mpirun", "-n", "2", "--no-summary", program});
  EXPECT_EQ(launched.code, 0) << launched.err;
  EXPECT_EQ(launched.out, "1234 100\n");
}

TEST_F(Ranks, CallMpiOnlyInTheMainThread) {
  const Ran ran = exec(2, compiled("thread.c"));
  EXPECT_EQ(ran.code, 3);
  EXPECT_EQ(ran.out, "0 1 1 0 1\n");
  EXPECT_THAT(ran.err, HasSubstr("a thread of rank 1 other than the main one called MPI_Send: the simulator has "
                                 "MPI_THREAD_FUNNELED, in which only the main thread calls MPI\n"));
}

TEST_F(Ranks, EndWithTheNameOfTheFunctionInFortran) {
  const Ran port = exec(2, compiled("port.f90", "mpifort"));
  EXPECT_EQ(port.code, 3);
  EXPECT_THAT(port.err, HasSubstr("rank 0 called MPI_Open_port, which the simulated MPI does not have"));
}

TEST_F(Ranks, EndWithSimGridsReason) {
  const fs::path program = compiled("ends.c");
  const Ran spawn = exec(2, program, {"spawn"});
  EXPECT_EQ(spawn.code, 3);
  EXPECT_THAT(spawn.err, HasSubstr("rank 0 called MPI_Comm_spawn, which the simulated MPI does not have"));
  const Ran truncated = exec(2, program, {"truncate"});
  EXPECT_EQ(truncated.code, 3);
  EXPECT_THAT(truncated.err, HasSubstr("rank 1 crashed: Aborted: MPI_Recv: recv - returned"));
  EXPECT_THAT(truncated.err, HasSubstr("MPI_ERR_TRUNCATE"));
  const Ran apart = exec(2, program, {"apart"});
  EXPECT_EQ(apart.code, 3);
  EXPECT_THAT(apart.err,
              HasSubstr("rank 0 receives at most 8 bytes from rank 1 (tag 7), which sends 4000000: the receive is "
                        "too short (MPI_ERR_TRUNCATE)\n"));
  const Ran rank = exec(2, program, {"rank"});
  EXPECT_EQ(rank.code, 3);
  EXPECT_THAT(rank.err, HasSubstr("rank 1 crashed: Aborted: MPI_Send - returned"));
  EXPECT_THAT(rank.err, HasSubstr("MPI_ERR_RANK"));
}

// In a study, whose simulations are run again after a deadlock.
TEST_F(Ranks, EndAStudyWithTheSameReason) {
  const std::string file =
      folder_->write("apart.yaml", "schema: strata.scenario/1\nname: apart\ntitle: apart\nmachine: ntw10e5\nprogram: " +
                                       compiled("ends.c").string() + "\narguments: [apart]\nranks: 2\n");
  const Ran ran = run_strata({"run", file, "--out", folder_->path() / "results"});
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.err,
              HasSubstr("rank 0 receives at most 8 bytes from rank 1 (tag 7), which sends 4000000: the receive is "
                        "too short (MPI_ERR_TRUNCATE)"));
  EXPECT_THAT(ran.err, testing::Not(HasSubstr("deadlock")));
}

TEST_F(Ranks, LearnFromTheCompilerWhatIsMissing) {
  const std::string source =
      folder_->write("lacks.c",
                     "#include <mpi.h>\nint MPI_Frobnicate(int);\nint main(int argc, char** argv) {\n  "
                     "MPI_Init(&argc, &argv);\n  MPI_Frobnicate(1);\n  return MPI_Finalize();\n}\n");
  const Ran ran = run({folder_->path() / "mpi/bin/mpicc", source, "-o", folder_->path() / "lacks"});
  EXPECT_NE(ran.code, 0);
  EXPECT_THAT(ran.err,
              HasSubstr("mpicc: the simulated MPI does not have MPI_Frobnicate; docs/supply.md says what it has\n"));
}

}  // namespace
}  // namespace strata
