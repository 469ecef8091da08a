// SPDX-License-Identifier: LGPL-2.1-only
// MPI_Win_post must not wait for MPI_Win_start, nor MPI_Win_complete for MPI_Win_wait (MPI 4.0, Section 12.5.2). SMPI
// uses empty messages for both, and these wait for their receive if all sends do (smpi/send-is-detached-thresh:0, which
// `strata check` tries). Two processes that each post and then start would wait for each other. Here, these messages
// never wait.
#include <mpi.h>

#include "mpi_ext/preload/supply/behind.h"
#include "sim/simgrid/request.h"

namespace simgrid::smpi {

Request* Request::send_init(const void* buffer, int count, MPI_Datatype type, int receiver, int tag, MPI_Comm comm) {
  static auto* const smpis = strata::mpix::behind<decltype(Request::send_init)>(kSendInit);
  auto* const init = tag == kPostTag || tag == kCompleteTag ? Request::bsend_init : smpis;
  return init(buffer, count, type, receiver, tag, comm);
}

}  // namespace simgrid::smpi
