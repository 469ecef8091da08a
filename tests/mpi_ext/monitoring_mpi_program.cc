// SPDX-License-Identifier: LGPL-2.1-only
// Monitoring sessions: each rank keeps its own account of the messages that it sends, and compares it with the
// sessions. The tests are in monitoring/.
//
//   monitoring_mpi_program smpi|pmpi|openmpi [barrier=NAME] [barriers]
//
// The first word is the provider. `barrier=NAME`: also tests MPI_Barrier, which SMPI executes with that algorithm.
// `barriers`: tests only barriers.
#include <mpi.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include "mpi_ext/MPI_Monitoring.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/monitoring/accounts.h"
#include "tests/mpi_ext/monitoring/tests.h"

namespace strata::mpix::testing {
namespace {

void test_all_but_barriers(const Env& e, const std::string& folder, int thread_level) {
  e.t.run("sends", [&] { test_sends(e); });
  e.t.run("membership", [&] { test_membership(e); });
  e.t.run("overlap", [&] { test_overlap(e); });
  e.t.run("gathers", [&] { test_gathers(e); });
  e.t.run("errors", [&] { test_errors(e); });
  e.t.run("files", [&] { test_files(e, folder); });
  e.t.run("called collectives", [&] { test_called(e); });
  e.t.run("one sided", [&] { test_one_sided(e); });
  if (thread_level == MPI_THREAD_MULTIPLE && !e.simulated() && e.provider != "openmpi")
    e.t.run("threads", [&] { test_threads(e); });
}

int test(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  int level = MPI_THREAD_SINGLE;
  Numbers none(1);
  const int before = MPI_M_init();
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  Checks t(rank_in(MPI_COMM_WORLD));
  CHECK_EQ(MPI_M_MISSING_INIT, before);
  std::string provider, barrier, only, folder;
  for (const std::string& word : words) {
    if (word.starts_with("barrier=")) {
      barrier = word.substr(8);
    } else if (word == "barriers") {
      only = word;
    } else {
      provider = word;
    }
  }
  const Env e{t, provider, rank_in(MPI_COMM_WORLD), size_of(MPI_COMM_WORLD)};
  std::array<char, 256> name{};
  if (e.rank == 0) {
    std::string pattern = std::string(std::getenv("TMPDIR")) + "/monitoringXXXXXX";
    pattern.copy(name.data(), name.size() - 1);
    CHECK_TRUE(::mkdtemp(name.data()) != nullptr);
  }
  MPI_Bcast(name.data(), static_cast<int>(name.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
  folder = name.data();

  if (only != "barriers") e.t.run("environments", [&] { test_environments(e); });
  CHECK_EQ(MPI_SUCCESS, MPI_M_init());
  e.t.run("barriers", [&] { test_barriers(e, barrier, folder); });
  if (only != "barriers") test_all_but_barriers(e, folder, level);
  CHECK_EQ(MPI_SUCCESS, MPI_M_finalize());
  const int verdict = t.finish();
  MPI_Finalize();
  if (MPI_M_init() != MPI_M_MISSING_INIT) return 2;
  return verdict;
}

}  // namespace
}  // namespace strata::mpix::testing

int main(int argc, char** argv) { return strata::mpix::testing::test(argc, argv); }
