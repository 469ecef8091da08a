// SPDX-License-Identifier: LGPL-2.1-only
// Programs in C, C++ and Fortran print the same under Open MPI, MPICH and `strata exec`. Each is compiled with the
// wrappers of the MPI that runs it.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/command/strata_process.h"

namespace strata {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

struct Program {
  std::string source, compiler;  // the compiler's name after "mpi"
  std::vector<int> ranks = {2, 4};
};

const Program kPrograms[] = {
    {"heat.c", "cc"}, {"sort.cc", "cxx"}, {"cg.f90", "fort"}, {"collectives.c", "cc", {1, 3, 7}}};

Ran run(const Words& command, const fs::path& folder) {
  const std::map<std::string, std::string> environment = {{"PATH", "/usr/bin:/bin"}, {"HOME", folder.string()}};
  return Process(command, {.environment = environment, .bare = true, .folder = folder}).wait();
}

fs::path compiled(const Program& program, const std::string& compiler, const fs::path& folder) {
  fs::path to = folder / fs::path(program.source).stem();
  Words command = {compiler, "-O1", built("tests/toolchain/same/" + program.source), "-o", to};
  if (program.compiler == "cxx") command.emplace_back("-std=c++17");
  const Ran ran = run(command, folder);
  EXPECT_EQ(ran.code, 0) << testing::PrintToString(command) << ran.err;
  return to;
}

std::string output(const Ran& ran) {
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out, "");
  return ran.out;
}

// Runs under a real MPI of the system; `mpi` is the suffix of its commands.
std::string real(const std::string& mpi, const Program& program, int ranks) {
  const TemporaryFolder folder;
  const fs::path file = compiled(program, "mpi" + program.compiler + "." + mpi, folder.path());
  Words command = {"mpirun." + mpi};
  if (mpi == "openmpi") command.insert(command.end(), {"--allow-run-as-root", "--oversubscribe", "--bind-to", "none"});
  command.insert(command.end(), {"-n", std::to_string(ranks), file});
  return output(run(command, folder.path()));
}

std::string simulated(const Program& program, int ranks) {
  static const TemporaryFolder mpi;
  static const Ran made = run_strata({"mpi", "--machine", "ntw10e5", "--prefix", mpi.path() / "mpi"});
  EXPECT_EQ(made.code, 0) << made.err;
  const TemporaryFolder folder;
  const fs::path file = compiled(program, mpi.path() / "mpi/bin" / ("mpi" + program.compiler), folder.path());
  return output(run_strata({"exec", "--machine", "ntw10e5", "-n", std::to_string(ranks), "--", file}));
}

TEST(SameOutput, UnderOpenMpiAndSimulated) {
  for (const Program& program : kPrograms) {
    for (const int ranks : program.ranks)
      EXPECT_EQ(real("openmpi", program, ranks), simulated(program, ranks)) << program.source;
  }
}

TEST(SameOutput, UnderMpichAndSimulated) {
  for (const Program& program : kPrograms) {
    for (const int ranks : program.ranks)
      EXPECT_EQ(real("mpich", program, ranks), simulated(program, ranks)) << program.source;
  }
}

}  // namespace
}  // namespace strata
