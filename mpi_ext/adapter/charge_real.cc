#include "mpi_ext/adapter/charge.h"

namespace strata::mpix {

void charge_combine(std::size_t) {}

}  // namespace strata::mpix
