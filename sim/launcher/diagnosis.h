// SPDX-License-Identifier: LGPL-2.1-only
// Why a simulation failed, in one line: from its output, and for a deadlock from a second, traced run of the same (it
// is deterministic), in which each rank's last line of SMPI's time-independent trace is the call that it waits in.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace strata::sim {

/// What SMPI says on stderr of MPI_Abort.
inline constexpr const char* kAbortMessage = "MPI_Abort was called";

/// The failure that a process's wait status and stderr show. `deadlock` is set where ranks wait for each other.
std::string describe_failure(int wait_status, const std::string& standard_error, bool& deadlock);

/// "rank 0 waits in recv from rank 1 (tag 7); rank 1 waits in ..." from a folder of trace files, one a rank; ranks that
/// have finished are left out, those beyond the first `most` are counted.
std::string who_waits(const std::filesystem::path& trace_files, int most = 8);

/// A text that names SMPI's ranks, with those from `application` on, the progress threads, as such: "rank 64", of 62,
/// becomes "the progress thread of rank 2".
std::string name_threads(const std::string& text, int application);

/// The same for one rank's trace lines: "waits in recv from rank 1 (tag 7)"; empty where it has finished. Exposed for
/// tests.
std::string waits_in(const std::vector<std::string>& trace);

}  // namespace strata::sim
