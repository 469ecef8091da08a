// SPDX-License-Identifier: LGPL-2.1-only
// Blocks of different lengths for MPI_Allgatherv, MPI_Reduce_scatter and MPI_Alltoallv, some of them empty:
//
//   uneven_blocks(Operation::kAllgatherv, 4, 3)     {3, 0, 2, 4}
//
// collectives_mpi_program.cc has the same.
#pragma once

#include <cstdint>
#include <vector>

#include "collectives/operation.h"

namespace strata::collectives {

/// By rank, or for MPI_Alltoallv by sender and receiver. Empty for operations whose blocks are equal.
inline std::vector<std::int64_t> uneven_blocks(Operation o, int ranks, std::int64_t count) {
  std::vector<std::int64_t> counts;
  if (o != Operation::kAllgatherv && o != Operation::kAlltoallv && o != Operation::kReduceScatter) return counts;
  const int number = o == Operation::kAlltoallv ? ranks * ranks : ranks;
  for (int i = 0; i < number; ++i) counts.push_back((i * 7 + count) % (count + 2));
  return counts;
}

}  // namespace strata::collectives
