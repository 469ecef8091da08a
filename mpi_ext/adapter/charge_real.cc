#include "mpi_ext/adapter/charge.h"

namespace strata::mpix {

void charge_combine(std::size_t) {}

void charge_flops(double) {}

}  // namespace strata::mpix
