// SPDX-License-Identifier: LGPL-2.1-only
// What Open MPI's own monitoring component has counted (`mpirun --mca pml_monitoring_enable 1` or `2`), by MPI_T.
// Under another MPI it is never there.
//
// Local. Not thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "records/exchange/tap.h"

namespace strata::mpix::openmpi {

struct Sent {
  std::uint64_t messages = 0, bytes = 0;
};

/// Of the calling process; each vector by rank in MPI_COMM_WORLD.
struct Counts {
  std::array<std::vector<Sent>, kMessageKinds> sent;  // to each, by MessageKind
  std::vector<Sent> results;                          // what its gets have brought from each
};

/// Whether the component is at work. MPI is initialised. Until close() Open MPI's tool interface is in use.
bool available();

/// The kinds and MPI_M_SEES_* (MPI_Monitoring.h) that it sees. With pml_monitoring_enable 1 kExternal has the program's
/// messages and those of MPI's collectives together, with 2 the program's alone; kInternal is empty. available() is
/// true.
int sees();

/// All since some moment before the first call: take differences. False where MPI_T fails. available() is true.
bool snapshot(Counts& counts);

/// Before MPI_Finalize.
void close();

}  // namespace strata::mpix::openmpi
