// SPDX-License-Identifier: LGPL-2.1-only
// For MPIs other than Open MPI.
#include "mpi_ext/adapter/openmpi_provider.h"

namespace strata::mpix::openmpi {

bool available() { return false; }
int sees() { return 0; }
bool snapshot(Counts& /*counts*/) { return false; }
void close() {}

}  // namespace strata::mpix::openmpi
