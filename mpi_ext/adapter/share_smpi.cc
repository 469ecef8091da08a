// SPDX-License-Identifier: LGPL-2.1-only
#include <atomic>

#include "mpi_ext/adapter/share.h"
#include "mpi_ext/ranks.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {
namespace {

// Exists until the last rank has taken its contents.
struct Offer {
  std::shared_ptr<void> made;
  std::atomic<int> takers;
};

}  // namespace

bool is_maker(MPI_Comm comm) { return rank_in(comm) == 0; }

std::vector<std::byte> gather_for_makers(MPI_Comm comm, const void* mine, int bytes) {
  std::vector<std::byte> all(is_maker(comm) ? static_cast<size_t>(size_of(comm)) * bytes : 0);
  call(MPI_Gather(mine, bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, 0, comm));
  return all;
}

void broadcast_to_makers(MPI_Comm, void*, int) {}

std::shared_ptr<void> shared_with_all(MPI_Comm comm, std::shared_ptr<void> made) {
  Offer* offer = is_maker(comm) ? new Offer{std::move(made), size_of(comm)} : nullptr;
  // NOLINTNEXTLINE(bugprone-sizeof-expression): sends the pointer itself, because all ranks share memory
  call(MPI_Bcast(&offer, sizeof offer, MPI_BYTE, 0, comm));
  std::shared_ptr<void> taken = offer->made;
  if (--offer->takers == 0) delete offer;
  return taken;
}

}  // namespace strata::mpix
