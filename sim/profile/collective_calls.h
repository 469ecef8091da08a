// SPDX-License-Identifier: LGPL-2.1-only
// The communicator and the size of a collective that the program calls, for a recording (CollectiveCalls in
// records/trace/trace.h). For example, with the arguments of MPI_Bcast of 100 doubles:
//
//   collective_of(Called<kMPI_Bcast>(), buffer, 100, MPI_DOUBLE, 0, comm)       comm, 800 B
//
// The size is that of a block (collectives/rules/call.h); if blocks differ, that of the mean one. MPI_Alltoallv is an
// exception: its mean is over the blocks that this rank gets.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>

#include "sim/profile/functions.h"

namespace strata::sim {

struct CalledCollective {
  MPI_Comm comm;
  std::int64_t bytes;  // of a block
};
using PerhapsCollective = std::optional<CalledCollective>;

template <Function kFunction>
using Called = std::integral_constant<Function, kFunction>;

inline std::int64_t bytes_of(std::int64_t count, MPI_Datatype type) {
  static const auto size_of = behind(PMPI_Type_size, "PMPI_Type_size");
  int size = 0;
  return count > 0 && size_of(type, &size) == MPI_SUCCESS ? count * size : 0;
}

inline std::int64_t mean_bytes(const int* counts, MPI_Datatype type, MPI_Comm comm) {
  static const auto size_of = behind(PMPI_Comm_size, "PMPI_Comm_size");
  int ranks = 0;
  if (counts == nullptr || size_of(comm, &ranks) != MPI_SUCCESS || ranks == 0) return 0;
  std::int64_t sum = 0;
  for (int r = 0; r < ranks; ++r) sum += counts[r];
  return bytes_of(sum, type) / ranks;
}

// The last parameter of each is the communicator. If a rank passes MPI_IN_PLACE, its other buffer has the block.

inline PerhapsCollective collective_of(Called<kMPI_Barrier>, MPI_Comm comm) { return {{comm, 0}}; }

inline PerhapsCollective collective_of(Called<kMPI_Bcast>, void*, int count, MPI_Datatype type, int, MPI_Comm comm) {
  return {{comm, bytes_of(count, type)}};
}
inline PerhapsCollective collective_of(Called<kMPI_Gather>, const void* sent, int send_count, MPI_Datatype send_type,
                                       void*, int count, MPI_Datatype type, int, MPI_Comm comm) {
  return {{comm, sent == MPI_IN_PLACE ? bytes_of(count, type) : bytes_of(send_count, send_type)}};
}
inline PerhapsCollective collective_of(Called<kMPI_Scatter>, const void*, int send_count, MPI_Datatype send_type,
                                       void* received, int count, MPI_Datatype type, int, MPI_Comm comm) {
  return {{comm, received == MPI_IN_PLACE ? bytes_of(send_count, send_type) : bytes_of(count, type)}};
}
inline PerhapsCollective collective_of(Called<kMPI_Allgather>, const void*, int, MPI_Datatype, void*, int count,
                                       MPI_Datatype type, MPI_Comm comm) {
  return {{comm, bytes_of(count, type)}};
}
inline PerhapsCollective collective_of(Called<kMPI_Allgatherv>, const void*, int, MPI_Datatype, void*,
                                       const int* counts, const int*, MPI_Datatype type, MPI_Comm comm) {
  return {{comm, mean_bytes(counts, type, comm)}};
}
inline PerhapsCollective collective_of(Called<kMPI_Alltoall>, const void*, int, MPI_Datatype, void*, int count,
                                       MPI_Datatype type, MPI_Comm comm) {
  return {{comm, bytes_of(count, type)}};
}
inline PerhapsCollective collective_of(Called<kMPI_Alltoallv>, const void*, const int*, const int*, MPI_Datatype, void*,
                                       const int* counts, const int*, MPI_Datatype type, MPI_Comm comm) {
  return {{comm, mean_bytes(counts, type, comm)}};
}
inline PerhapsCollective collective_of(Called<kMPI_Reduce>, const void*, void*, int count, MPI_Datatype type, MPI_Op,
                                       int, MPI_Comm comm) {
  return {{comm, bytes_of(count, type)}};
}
inline PerhapsCollective collective_of(Called<kMPI_Allreduce>, const void*, void*, int count, MPI_Datatype type, MPI_Op,
                                       MPI_Comm comm) {
  return {{comm, bytes_of(count, type)}};
}
inline PerhapsCollective collective_of(Called<kMPI_Scan>, const void*, void*, int count, MPI_Datatype type, MPI_Op,
                                       MPI_Comm comm) {
  return {{comm, bytes_of(count, type)}};
}
inline PerhapsCollective collective_of(Called<kMPI_Exscan>, const void*, void*, int count, MPI_Datatype type, MPI_Op,
                                       MPI_Comm comm) {
  return {{comm, bytes_of(count, type)}};
}
inline PerhapsCollective collective_of(Called<kMPI_Reduce_scatter>, const void*, void*, const int* counts,
                                       MPI_Datatype type, MPI_Op, MPI_Comm comm) {
  return {{comm, mean_bytes(counts, type, comm)}};
}
inline PerhapsCollective collective_of(Called<kMPI_Reduce_scatter_block>, const void*, void*, int count,
                                       MPI_Datatype type, MPI_Op, MPI_Comm comm) {
  return {{comm, bytes_of(count, type)}};
}

/// Collectives whose algorithm no file of rules chooses: recorded with 0 B.
inline constexpr std::array kWithoutRules = {
    kMPI_Gatherv,     kMPI_Scatterv,  kMPI_Alltoallw,  kMPI_Ibarrier,        kMPI_Ibcast,
    kMPI_Igather,     kMPI_Igatherv,  kMPI_Iscatter,   kMPI_Iscatterv,       kMPI_Iallgather,
    kMPI_Iallgatherv, kMPI_Ialltoall, kMPI_Ialltoallv, kMPI_Ialltoallw,      kMPI_Ireduce,
    kMPI_Iallreduce,  kMPI_Iscan,     kMPI_Iexscan,    kMPI_Ireduce_scatter, kMPI_Ireduce_scatter_block};

/// Empty: not a collective.
template <Function kFunction, class... Arguments>
PerhapsCollective collective_of(Called<kFunction>, const Arguments&... arguments) {
  if constexpr (std::find(kWithoutRules.begin(), kWithoutRules.end(), kFunction) != kWithoutRules.end()) {
    return {{std::get<MPI_Comm>(std::tuple<Arguments...>(arguments...)), 0}};
  } else {
    return {};
  }
}

}  // namespace strata::sim
