// SPDX-License-Identifier: LGPL-2.1-only
// How the nonblocking collectives of a communicator are split and shaped: what MPIX_Comm_set_progress has said, and the
// number of steps where it said "auto".
#pragma once

#include <mpi.h>

#include <limits>

#include "mpi_ext/nbc/schedule.h"
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

/// Those of `comm`. Local. Throws ReportedByMpi.
Settings settings_of(MPI_Comm comm);

/// What `settings` make of `what`, whose collective, rank, size, root and operation are known: its tree, and how many
/// levels application threads do, the same on all ranks. With "auto" the computation beside the collective is taken to
/// be what the model calls balanced (IJHPCA'19, Section 6.2), on the cores that members' progress threads really have.
void shape(NbcCase& what, const Settings& settings, const Team& team);

}  // namespace strata::mpix
