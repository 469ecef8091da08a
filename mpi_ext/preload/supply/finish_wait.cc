// SPDX-License-Identifier: LGPL-2.1-only
// SMPI ends each request, for each function that waits or tests, in Request::finish_wait. It comes here first: for
// messages that end within an element of their type (mapped_type.h), and for generalized requests (generalized.h).
#include "mpi_ext/preload/supply/behind.h"
#include "mpi_ext/preload/supply/generalized.h"
#include "mpi_ext/preload/supply/mapped_type.h"
#include "sim/simgrid/request.h"

namespace simgrid::smpi {

void Request::finish_wait(Request** request, MPI_Status* status) {
  static auto* const smpis = strata::mpix::behind<decltype(Request::finish_wait)>(kRequestFinishWait);
  strata::mpix::unpack_incomplete_element(**request);
  if (!strata::mpix::end_generalized(request, status, smpis)) smpis(request, status);
}

}  // namespace simgrid::smpi
