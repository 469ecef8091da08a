// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/profile/request_message.h"

#include <mpi.h>
#include <simgrid/version.h>

#include <cstdio>
#include <cstdlib>

#include "records/ledger.h"
#include "sim/profile/calling_rank.h"
#include "sim/profile/profiled_run.h"
#include "sim/simgrid/activity.h"

namespace strata::sim {

using simgrid::smpi::Request;

void refuse_version() {
  std::fprintf(stderr,
               "libstrata_profile: SMPI's messages are not those of SimGrid %d.%d: run with the one that the library "
               "was built for\n",
               SIMGRID_VERSION_MAJOR, SIMGRID_VERSION_MINOR);
  std::abort();
}

double began(const Request* request) {
  if (request == MPI_REQUEST_NULL || request->message() == nullptr) return kNotYet;
  const double start = request->message()->start_time();
  if (start == -1) return kNotYet;
  if (start < 0 || start > now()) refuse_version();
  return start;
}

Cause cause(const Request* request) {
  if (recording() == nullptr || request == MPI_REQUEST_NULL || request->message() == nullptr) return {};
  return {recording()->messages.number(request->message())};
}

}  // namespace strata::sim
