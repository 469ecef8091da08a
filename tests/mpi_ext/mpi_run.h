// Runs an MPI program for a test: a described machine and placement as files, a launcher as a child process with a time
// limit, and what came out.
#pragma once

#include <filesystem>
#include <map>
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
};

/// `machine` with the ranks dealt over its objects of type `map_by`, bound to those of type `bind_to`.
Placed placed(Machine machine, int np, const std::string& map_by, const std::string& bind_to);

/// `machine` with ranks bound as a bindings file's lines say ("rank node cpuset").
Placed bound(Machine machine, const std::string& lines);

/// Nodes of RR-9077, Figure 1: two packages with a NUMA node and an L3 each, four cores, an L2 and L1 for two cores.
Machine figure_1(int nodes);

/// Section 5.2: ranks 0 and 1 on cores 0 and 1, 2 and 3 on L2 number 1, 4 to 7 on NUMA node 1.
inline constexpr const char* kSection52 = "0 0 0\n1 0 1\n2 0 2-3\n3 0 2-3\n4 0 4-7\n5 0 4-7\n6 0 4-7\n7 0 4-7\n";

/// Nodes of two packages of four cores under switches of 3, 1 and 2 nodes, the last two in a pod.
Machine uneven_switches();

}  // namespace strata::mpix::testing
