// SPDX-License-Identifier: LGPL-2.1-only
// Explains in one line why a simulation failed: from what it has left (runner.h). Which rank of a deadlock waits for
// what is in its profile. Without one, the same program, which is deterministic, runs again with SMPI's
// time-independent trace, in which each rank's last line is the call in which it waits.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "records/profile.h"

namespace strata::sim {

/// SMPI's message on stderr for MPI_Abort.
inline constexpr const char* kAbortMessage = "MPI_Abort was called";

/// The evidence that a simulation has left behind.
struct Evidence {
  int status = 0;  // wait status
  bool timed_out = false;
  std::string text;                     // the plugin's report, and stderr or SimGrid's log
  bool profiled = false;                // whether its ranks were profiled; if so, the exit status is the program's own
  std::optional<Profile> profile = {};  // missing if the simulator ended before it had written the whole profile
};

struct Diagnosis {
  std::string failure = {};  // one line; empty: the simulation did not fail
  bool timed_out = false;
  bool deadlock = false;   // ranks wait for each other
  bool refused = false;    // the plugin or SMPI cannot simulate this
  bool bad_usage = false;  // the program refused its arguments
};

/// `time_limit_s`: of the simulation. If the ranks were profiled, a program that ends early, as by MPI_Abort or with an
/// exit status other than 0, has not failed: see ending_text.
Diagnosis diagnose(const Evidence& evidence, double time_limit_s);

/// "no end after 600 s of wall time, the time limit".
std::string no_end_after(double time_limit_s);

/// "rank 1 called MPI_Abort with 7", "rank 0 waits in MPI_Recv for a message from rank 1 (tag 7)".
std::string ending_text(const Ending& ending);

/// "deadlock: rank 0 waits in MPI_Recv for a message from rank 1 (tag 7); rank 1 waits in ...", from the endings that
/// are kDeadlock. Ranks beyond the first few are only counted.
std::string deadlock_text(const std::vector<Ending>& endings);

/// The failure according to a process's wait status and stderr. Sets `deadlock` if ranks wait for each other.
std::string describe_failure(int wait_status, const std::string& standard_error, bool& deadlock);

/// "rank 0 waits in recv from rank 1 (tag 7); rank 1 waits in ..." from a folder of trace files, one per rank. Finished
/// ranks are left out; ranks beyond the first `most` are only counted.
std::string who_waits(const std::filesystem::path& trace_files, int most = 8);

/// Renames SMPI's ranks from `application` on, which are the progress threads, in a text: "rank 64", with 62 ranks,
/// becomes "the progress thread of rank 2".
std::string name_threads(const std::string& text, int application);

/// The same for one rank's trace lines: "waits in recv from rank 1 (tag 7)"; empty if it has finished. Public for
/// tests.
std::string waits_in(const std::vector<std::string>& trace);

}  // namespace strata::sim
