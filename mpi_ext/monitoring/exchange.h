// SPDX-License-Identifier: LGPL-2.1-only
// How the processes of a session agree, and bring their rows together. All are collective over the session's own
// communicator and throw Unreported.
#pragma once

#include <mpi.h>

#include <optional>
#include <vector>

#include "mpi_ext/monitoring/counters.h"

namespace strata::mpix::monitoring {

/// What a process says before anything is done.
struct Opinion {
  int code = MPI_SUCCESS;         // its error
  std::optional<int> flags = {};  // where all must name the same
  std::optional<int> root = {};
  bool has_results = false;  // results of gets that belong to others
  bool fits = true;          // its session is in the state that is asked for
};

struct Agreement {
  int code = MPI_SUCCESS;    // the caller's
  bool has_results = false;  // somebody has
  bool fits_somebody = true, fits_all = true;
};

/// A process in error has its own code, the others MPI_M_OTHER_PROCESS where there is one.
Agreement agree(MPI_Comm comm, const Opinion& mine);

/// Everybody's numbers, by rank: at `root`, or everywhere where it is -1; nothing elsewhere. They may be more than an
/// int counts: they are sent in pieces.
std::vector<std::vector<std::uint64_t>> gather_numbers(MPI_Comm comm, int root, const std::vector<std::uint64_t>& mine);

/// Gives what others have sent to this process, by peer, to the peers: what was sent by the caller to others, by peer.
std::vector<Entry> hand_over(MPI_Comm comm, const Row& sent_here);

}  // namespace strata::mpix::monitoring
