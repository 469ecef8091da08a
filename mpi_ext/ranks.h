// SPDX-License-Identifier: LGPL-2.1-only
// Ranks of an intracommunicator as values: the caller's rank, their number, and their ranks in another one. Local.
#pragma once

#include <mpi.h>

#include <numeric>
#include <vector>

#include "mpi_ext/report_error.h"

namespace strata::mpix {

/// Throws ReportedByMpi.
inline int rank_in(MPI_Comm comm) {
  int rank = 0;
  call(MPI_Comm_rank(comm, &rank));
  return rank;
}

/// Throws ReportedByMpi.
inline int size_of(MPI_Comm comm) {
  int size = 0;
  call(MPI_Comm_size(comm, &size));
  return size;
}

/// All ranks: 0, 1, ... Throws ReportedByMpi.
inline std::vector<int> all_ranks_of(MPI_Comm comm) {
  std::vector<int> ranks(size_of(comm));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

/// The ranks in `to` of `ranks` of `from`; MPI_UNDEFINED for a rank that is not in `to`. Throws ReportedByMpi.
inline std::vector<int> translate_ranks(const std::vector<int>& ranks, MPI_Comm from, MPI_Comm to) {
  std::vector<int> there(ranks.size());
  if (ranks.empty()) return there;
  MPI_Group group = MPI_GROUP_NULL, other = MPI_GROUP_NULL;
  call(MPI_Comm_group(from, &group));
  call(MPI_Comm_group(to, &other));
  const int error = MPI_Group_translate_ranks(group, static_cast<int>(ranks.size()), ranks.data(), other, there.data());
  MPI_Group_free(&group);
  MPI_Group_free(&other);
  call(error);
  return there;
}

}  // namespace strata::mpix
