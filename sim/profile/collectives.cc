// SPDX-License-Identifier: LGPL-2.1-only
// MPI_Alltoallv on communicators of 3, 96 or 120 ranks. For less than 4 ranks, and from 64 to 127 and from 256 to 1023,
// Open MPI exchanges in pairs: in step i each rank sends to the one i after it and receives from the one i before it.
// SMPI's choice in Open MPI's place is an algorithm that is only for powers of 2, and ends the program elsewhere. Its
// `ring` does what Open MPI does.
#include "sim/simgrid/collectives.h"

#include <mpi.h>

#include "sim/profile/functions.h"

namespace simgrid::smpi {

int alltoallv__pair(const void* sent, const int* send_counts, const int* send_places, MPI_Datatype send_type,
                    void* received, const int* receive_counts, const int* receive_places, MPI_Datatype receive_type,
                    MPI_Comm communicator) {
  static const auto next = strata::sim::behind(alltoallv__pair, kAlltoallvPair);
  static const auto size_of = strata::sim::behind(PMPI_Comm_size, "PMPI_Comm_size");  // not a call of the program's
  int size = 0;
  size_of(communicator, &size);
  const bool power_of_2 = (size & (size - 1)) == 0;
  return (power_of_2 ? next : alltoallv__ring)(sent, send_counts, send_places, send_type, received, receive_counts,
                                               receive_places, receive_type, communicator);
}

}  // namespace simgrid::smpi
