// SPDX-License-Identifier: LGPL-2.1-only
// Barrier by recursive doubling: in step k, partners at distance 2^k exchange empty messages
// (ompi_coll_base_barrier_intra_recursivedoubling).
//
// Let 2^n be the largest power of two up to p. Each of the other p - 2^n ranks sends a message to the rank 2^n below it
// when it arrives, and waits for the reply at the end.
//
// Cost in Hockney's model: log2(p) alpha, plus 2 alpha if p is not a power of two.
#include <bit>

#include "mpi_ext/coll/barrier.h"
#include "mpi_ext/context/message.h"
#include "mpi_ext/ranks.h"

namespace strata::mpix {

void barrier_recursive_doubling(MPI_Comm comm) {
  const int rank = rank_in(comm), size = size_of(comm);
  const int power = static_cast<int>(std::bit_floor(static_cast<unsigned>(size)));
  const auto meet = [&](int partner) { exchange(nullptr, 0, MPI_BYTE, partner, nullptr, 0, MPI_BYTE, partner, comm); };
  if (rank >= power) return meet(rank - power);
  const bool stands_for_another = rank + power < size;
  if (stands_for_another) receive(nullptr, 0, MPI_BYTE, rank + power, comm);
  for (int distance = 1; distance < power; distance *= 2) meet(rank ^ distance);
  if (stands_for_another) send(nullptr, 0, MPI_BYTE, rank + power, comm);
}

}  // namespace strata::mpix
