// SPDX-License-Identifier: LGPL-2.1-only
// Runs an MPI program for a test: a described machine and placement as files, SMPI or a real MPI's mpirun as a child
// process with a time limit, and what came out.
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
  int exit_code = -1;  // 128 + the signal's number where a signal ended it; -1: out of time; 127: no such program
  std::string output;  // stdout and stderr
};

/// Runs `command` in `folder` with `environment` added to a bare one (PATH, LC_ALL=C, HOME and TMPDIR = `folder`).
/// After `limit_s` of wall time, or when this returns, none of its processes lives.
Ended run(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment,
          const std::filesystem::path& folder, double limit_s);

/// The file of a Bazel target, by its path from the workspace's root.
std::filesystem::path runfile(const std::string& path);

/// What the test program says last: "RANKS ranks, N checks, at least M a rank, F failures".
struct Verdict {
  int ranks = -1;
  long checks = -1, least = -1, failures = -1;
};

/// Of a program's output; as initialised where the line is not there.
Verdict verdict_of(const std::string& output);

/// A machine and the ranks on it.
struct Placed {
  Machine machine;
  std::vector<Binding> ranks;
  std::vector<Binding> threads = {};  // of each rank's progress thread, a rank of SMPI's; or nobody has one
};

/// `machine` with the ranks dealt over its objects of type `map_by`, bound to those of type `bind_to`.
Placed placed(Machine machine, int np, const std::string& map_by, const std::string& bind_to);

/// The same with a progress thread for each rank, by a policy of platforms/progress_placement.h.
Placed with_threads(Placed p, const std::string& policy);

/// "nodes=A,B,...": the ranks' nodes, for a program.
std::string nodes_word(const Placed& p);

/// `machine` with ranks bound as a bindings file's lines say ("rank node cpuset").
Placed bound(Machine machine, const std::string& lines);

/// Nodes of RR-9077, Figure 1: two packages with a NUMA node and an L3 each, four cores, an L2 and L1 for two cores.
Machine figure_1(int nodes);

/// Section 5.2: ranks 0 and 1 on cores 0 and 1, 2 and 3 on L2 number 1, 4 to 7 on NUMA node 1.
inline constexpr const char* kSection52 = "0 0 0\n1 0 1\n2 0 2-3\n3 0 2-3\n4 0 4-7\n5 0 4-7\n6 0 4-7\n7 0 4-7\n";

/// Nodes of two packages of four cores under switches of 3, 1 and 2 nodes, the last two in a pod.
Machine uneven_switches();

/// How long these let a program run, s of wall time: many times what the longest takes alone.
inline constexpr double kLimit = 300;

/// A test program under SMPI.
struct Simulated {
  std::string program;  // the target, without its MPI; its path from the root where it is not of these tests
  std::vector<std::string> words = {};
  bool privatize = false;                 // a copy of the program's globals for each rank
  std::vector<std::string> preload = {};  // libraries, into the simulator
  std::vector<std::string> options = {};  // more of SimGrid's, said last
  int unbound_ranks = 0;                  // ranks more than the placement binds, on the same cores
  std::map<std::string, std::string> environment = {};
};
Ended run_under_smpi(const Placed& p, const Simulated& s);

/// A test program under a real MPI.
struct Started {
  std::string program;  // the target, without its MPI; its path from the root where it is not of these tests
  std::vector<std::string> words = {};
  std::map<std::string, std::string> environment = {};
  std::vector<std::string> options = {};    // of mpirun
  std::vector<std::string> variables = {};  // "NAME=VALUE" for each rank, where the ranks' environments differ
};
/// `mpi` is "openmpi" or "mpich".
Ended run_under_mpi(const std::string& mpi, int ranks, Started s);
/// Ranks that all read the placement file of `p`; they may be more than it binds.
Ended run_under_mpi(const std::string& mpi, const Placed& p, int ranks, Started s);

/// A placement with a name, as a parameter of a test.
struct PlacedCase {
  const char* name;
  std::function<Placed()> place;
  friend void PrintTo(const PlacedCase& c, std::ostream* out) { *out << c.name; }
};

/// Writes a placement file into a folder that is there; returns its path.
std::string write_placement(const Placed& p, const std::filesystem::path& folder);

/// Expects that all ranks came to the end without a failure, and that each made so many checks.
void expect_success(const Ended& e, int ranks, long least_checks);

}  // namespace strata::mpix::testing
