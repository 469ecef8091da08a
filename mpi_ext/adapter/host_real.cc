// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/adapter/host.h"

namespace strata::mpix {

std::string simulated_host() { return ""; }

}  // namespace strata::mpix
