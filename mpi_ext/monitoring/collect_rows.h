// SPDX-License-Identifier: LGPL-2.1-only
// How the processes of a session agree and collect their rows. All functions are collective over the session's own
// communicator and throw Unreported.
#pragma once

#include <mpi.h>

#include <optional>
#include <vector>

#include "mpi_ext/monitoring/counters.h"

namespace strata::mpix::monitoring {

/// What a process sends before the operation starts.
struct Opinion {
  int code = MPI_SUCCESS;         // its error
  std::optional<int> flags = {};  // if they must be the same on all processes
  std::optional<int> root = {};
  bool has_results = false;  // this process has results of gets that belong to others
  bool fits = true;          // its session is in the required state
};

struct Agreement {
  int code = MPI_SUCCESS;    // the caller's
  bool has_results = false;  // at least one process has
  bool fits_somebody = true, fits_all = true;
};

/// A process in error gets its own code; the others get MPI_M_OTHER_PROCESS if any process is in error.
Agreement agree(MPI_Comm comm, const Opinion& mine);

/// The numbers of all processes, by rank, at `root` (-1: on all processes); empty elsewhere. There may be more numbers
/// than an int can count, so they are sent in pieces.
std::vector<std::vector<std::uint64_t>> gather_numbers(MPI_Comm comm, int root, const std::vector<std::uint64_t>& mine);

/// Exchanges counts that only the receiver knows. The caller passes what each peer has sent to it; the result is what
/// the caller has sent to each peer.
std::vector<Entry> hand_over(MPI_Comm comm, const Row& sent_here);

}  // namespace strata::mpix::monitoring
