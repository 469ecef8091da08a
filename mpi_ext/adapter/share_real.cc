// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/adapter/share.h"
#include "mpi_ext/ranks.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {

bool is_maker(MPI_Comm) { return true; }

std::vector<std::byte> gather_for_makers(MPI_Comm comm, const void* mine, int bytes) {
  std::vector<std::byte> all(static_cast<size_t>(size_of(comm)) * bytes);
  call(MPI_Allgather(mine, bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, comm));
  return all;
}

void broadcast_to_makers(MPI_Comm comm, void* data, int bytes) { call(MPI_Bcast(data, bytes, MPI_BYTE, 0, comm)); }

std::shared_ptr<void> shared_with_all(MPI_Comm, std::shared_ptr<void> made) { return made; }

}  // namespace strata::mpix
