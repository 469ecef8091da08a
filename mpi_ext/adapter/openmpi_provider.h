// SPDX-License-Identifier: LGPL-2.1-only
// The counts of Open MPI's own monitoring component (`mpirun --mca pml_monitoring_enable 1` or `2`), read through
// MPI_T. Never available under another MPI.
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

/// Counts of the calling process; each vector is indexed by rank in MPI_COMM_WORLD.
struct Counts {
  std::array<std::vector<Sent>, kMessageKinds> sent;  // to each, by MessageKind
  std::vector<Sent> results;                          // the data that its gets have fetched from each
};

/// Whether the component is active. Requires an initialised MPI. Open MPI's tool interface stays in use until close().
bool available();

/// The kinds and MPI_M_SEES_* (MPI_Monitoring.h) that it sees. With pml_monitoring_enable 1, kExternal contains the
/// program's messages and those of MPI's collectives; with 2, only the program's. kInternal is empty. Requires
/// available().
int sees();

/// Counts since some moment before the first call, so only differences are meaningful. False if MPI_T fails. Requires
/// available().
bool snapshot(Counts& counts);

/// Call this before MPI_Finalize.
void close();

}  // namespace strata::mpix::openmpi
