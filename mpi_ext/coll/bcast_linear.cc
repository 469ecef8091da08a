// SPDX-License-Identifier: LGPL-2.1-only
// Linear broadcast: the root starts the sends to all other ranks, in the order of the ranks, and waits for all of them
// (ompi_coll_base_bcast_intra_basic_linear).
//
// Cost: the messages share the root's links. If these carry one message at full speed, it is about alpha + (p - 1) m
// beta. In Hockney's model, the root sends one message after another: (p - 1)(alpha + m beta), as for the flat tree of
// RR-9077, Section 6.
#include <vector>

#include "mpi_ext/coll/bcast.h"
#include "mpi_ext/context/message.h"
#include "mpi_ext/ranks.h"

namespace strata::mpix {

void bcast_linear(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  const int rank = rank_in(comm), size = size_of(comm);
  if (rank != root) return receive(buffer, count, datatype, root, comm);
  std::vector<Send> sent(size - 1);
  for (int to = 0; to < size; ++to) {
    if (to != root) sent[to < root ? to : to - 1].post(buffer, count, datatype, to, comm);
  }
  for (Send& one : sent) one.wait();
}

}  // namespace strata::mpix
