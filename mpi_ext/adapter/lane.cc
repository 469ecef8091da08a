// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/adapter/transport.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {

Lane::Lane(MPI_Comm comm) : comm_(comm), tags_(1 << 14) {
  const int* most = nullptr;
  int found = 0;
  call(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&most), &found));
  if (found == 0) return;
  while (tags_ <= *most / 4) tags_ *= 2;  // then 2 * tags_ - 1 <= *most
}

int Lane::next_own_tag() {
  next_ = (next_ + 4) % tags_;
  return tags_ + next_;
}

}  // namespace strata::mpix
