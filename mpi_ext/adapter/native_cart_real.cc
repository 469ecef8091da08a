// SPDX-License-Identifier: LGPL-2.1-only
#include <vector>

#include "mpi_ext/adapter/native_cart.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {

bool has_native_cart() { return true; }

MPI_Comm native_cart(MPI_Comm comm, const Mesh& mesh) {
  const std::vector<int> periods(mesh.periods.begin(), mesh.periods.end());
  MPI_Comm made = MPI_COMM_NULL;
  call(PMPI_Cart_create(comm, mesh.num_dims(), mesh.dims.data(), periods.data(), 0, &made));
  return made;
}

}  // namespace strata::mpix
