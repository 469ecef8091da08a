#include "mpi_ext/adapter/host.h"

namespace strata::mpix {

std::string simulated_host() { return ""; }

}  // namespace strata::mpix
