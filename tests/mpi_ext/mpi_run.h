// SPDX-License-Identifier: LGPL-2.1-only
// Runs an MPI program for a test: writes a described machine and placement to files, starts SMPI or a real MPI's mpirun
// as a child process with a time limit, and returns its output.
//
// The program's cases (checks.h) are in the test's report. STRATA_CASES selects some of them, for example
//
//   bazel test --test_env=STRATA_CASES='bcast*' --test_filter=Smpi.WrongArguments //tests/mpi_ext:collectives_smpi_test
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "platforms/machine.h"
#include "platforms/placement.h"

namespace strata::mpix::testing {

struct Ended {
  int exit_code = -1;  // 128 + signal if a signal ended it; -1: time limit; 127: no such program
  std::string output;  // stdout and stderr
};

/// Runs `command` in `folder`, with `environment` added to a minimal one (PATH, LC_ALL=C, HOME and TMPDIR = `folder`).
/// Kills all its processes after `limit_s` of wall time, or before this returns.
Ended run(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment,
          const std::filesystem::path& folder, double limit_s);

/// The file of a Bazel target, given by its path from the root of the workspace.
std::filesystem::path runfile(const std::string& path);

/// The last line of the test program: "RANKS ranks, N checks, at least M a rank, F failures".
struct Verdict {
  int ranks = -1;
  long checks = -1, least = -1, failures = -1;
};

/// From a program's output; the initial values if the line is missing.
Verdict verdict_of(const std::string& output);

/// A machine and the ranks on it.
struct Placed {
  Machine machine;
  std::vector<Binding> ranks;
  std::vector<Binding> threads = {};  // of progress threads, which are ranks of SMPI, by rank; or empty
};

/// `machine` with ranks that are distributed over objects of type `map_by`, and bound to objects of type `bind_to`.
Placed placed(Machine machine, int np, const std::string& map_by, const std::string& bind_to);

/// The same with a progress thread for each rank, by a policy of platforms/progress_placement.h.
Placed with_threads(Placed p, const std::string& policy);

/// "nodes=A,B,...": the nodes of the ranks, as a word for a program.
std::string nodes_word(const Placed& p);

/// `machine` with ranks bound by the lines of a bindings file ("rank node cpuset").
Placed bound(Machine machine, const std::string& lines);

/// Nodes of RR-9077, Figure 1: two packages with a NUMA node and an L3 each, four cores per package, and an L2 and L1
/// for every two cores.
Machine figure_1(int nodes);

/// Section 5.2: ranks 0 and 1 are bound to cores 0 and 1, ranks 2 and 3 to L2 number 1, ranks 4 to 7 to NUMA node 1.
inline constexpr const char* kSection52 = "0 0 0\n1 0 1\n2 0 2-3\n3 0 2-3\n4 0 4-7\n5 0 4-7\n6 0 4-7\n7 0 4-7\n";

/// Nodes of two packages with four cores each, on switches with 3, 1 and 2 nodes; the last two switches are in a pod.
Machine uneven_switches();

/// The time limit of the functions below, s of wall time: many times what the longest program needs alone.
inline constexpr double kLimit = 300;

/// A test program under SMPI.
struct Simulated {
  std::string program;  // target without its MPI; a path from the root if it is not one of these tests
  std::vector<std::string> words = {};
  bool privatize = false;                 // each rank gets its own copy of the program's globals
  std::vector<std::string> preload = {};  // libraries, for the simulator
  std::vector<std::string> options = {};  // additional options of SimGrid, after the others
  int unbound_ranks = 0;                  // additional ranks that the placement does not bind, on the same cores
  std::map<std::string, std::string> environment = {};
};
Ended run_under_smpi(const Placed& p, const Simulated& s);

/// A test program under a real MPI.
struct Started {
  std::string program;  // target without its MPI; a path from the root if it is not one of these tests
  std::vector<std::string> words = {};
  std::map<std::string, std::string> environment = {};
  std::vector<std::string> options = {};    // of mpirun
  std::vector<std::string> variables = {};  // a different "NAME=VALUE" for each rank
};
/// `mpi` is "openmpi" or "mpich".
Ended run_under_mpi(const std::string& mpi, int ranks, Started s);
/// All ranks read the placement file of `p`. There may be more ranks than it binds.
Ended run_under_mpi(const std::string& mpi, const Placed& p, int ranks, Started s);

/// A placement with a name, as a parameter of a test.
struct PlacedCase {
  const char* name;
  std::function<Placed()> place;
  friend void PrintTo(const PlacedCase& c, std::ostream* out) { *out << c.name; }
};

/// Writes a placement file into an existing folder, and returns its path.
std::string write_placement(const Placed& p, const std::filesystem::path& folder);

/// Expects that all ranks ended without a failure, and that each made at least `least_checks` checks. The failures of
/// each case are one of this test.
void expect_success(const Ended& e, int ranks, long least_checks);

}  // namespace strata::mpix::testing
