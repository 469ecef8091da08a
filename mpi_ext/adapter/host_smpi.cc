// SPDX-License-Identifier: LGPL-2.1-only
#include <mpi.h>

#include <array>

#include "mpi_ext/adapter/host.h"

namespace strata::mpix {

std::string simulated_host() {
  std::array<char, MPI_MAX_PROCESSOR_NAME + 1> name{};
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  return name.data();
}

}  // namespace strata::mpix
