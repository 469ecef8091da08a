// SPDX-License-Identifier: LGPL-2.1-only
// How the nonblocking collectives of a communicator are split and shaped: the settings of MPIX_Comm_set_progress, and
// the number of steps for "auto".
#pragma once

#include <mpi.h>

#include <limits>

#include "mpi_ext/nbc/rounds.h"
#include "mpi_ext/nbc/team.h"

namespace strata::mpix {

struct Settings {
  static constexpr int kAuto = -1;
  static constexpr int kAll = std::numeric_limits<int>::max();
  int steps = kAuto;
  int arity = 2;
  bool over_nodes = false;  // a tree in each node, one above
  bool check = true;        // whether all have started the same
};

/// The settings of `comm`. Local. Throws ReportedByMpi.
Settings settings_of(MPI_Comm comm);

/// Completes `what`, whose collective, rank, size, root and operation are set: its tree, and the number of levels that
/// application threads do, which is the same on all ranks. "auto" assumes that the computation beside the collective is
/// what the model calls balanced (IJHPCA'19, Section 6.2), on the cores that members' progress threads really have.
void shape(NbcCase& what, const Settings& settings, const Team& team);

}  // namespace strata::mpix
