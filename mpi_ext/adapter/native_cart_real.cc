// SPDX-License-Identifier: LGPL-2.1-only
#include <vector>

#include "mpi_ext/adapter/native_cart.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {

bool has_native_cart() { return true; }

MPI_Comm native_cart(MPI_Comm comm, const std::vector<int>& dims, const std::vector<bool>& periods) {
  const std::vector<int> as_int(periods.begin(), periods.end());
  MPI_Comm made = MPI_COMM_NULL;
  call(PMPI_Cart_create(comm, static_cast<int>(dims.size()), dims.data(), as_int.data(), 0, &made));
  return made;
}

}  // namespace strata::mpix
