// SPDX-License-Identifier: LGPL-2.1-only
#include <stdexcept>

#include "mpi_ext/adapter/native_cart.h"

namespace strata::mpix {

bool has_native_cart() { return false; }

MPI_Comm native_cart(MPI_Comm, const std::vector<int>&, const std::vector<bool>&) {
  throw std::logic_error("SMPI's Cartesian communicators are not used");
}

}  // namespace strata::mpix
