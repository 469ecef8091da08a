// SPDX-License-Identifier: LGPL-2.1-only
// Explains in one line why a simulation failed: from its output, and for a deadlock from a second, traced run of the
// same program (which is deterministic), in which each rank's last line of SMPI's time-independent trace is the call in
// which it waits.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace strata::sim {

/// SMPI's message on stderr for MPI_Abort.
inline constexpr const char* kAbortMessage = "MPI_Abort was called";

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
