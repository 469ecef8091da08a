#include <smpi/smpi.h>

#include <cstdlib>
#include <simgrid/s4u.hpp>

#include "mpi_ext/adapter/charge.h"

namespace strata::mpix {

void charge_combine(std::size_t bytes) {
  const simgrid::s4u::Host* host = simgrid::s4u::this_actor::get_host();
  const char* copy_bandwidth = host->get_property("copy_bandwidth");
  if (copy_bandwidth == nullptr) return;
  // Not this_actor::execute: SMPI must get the rank's globals back afterwards.
  smpi_execute_flops(host->get_speed() * (static_cast<double>(bytes) / std::atof(copy_bandwidth)));
}

void charge_flops(double flops) { smpi_execute_flops(flops); }

}  // namespace strata::mpix
