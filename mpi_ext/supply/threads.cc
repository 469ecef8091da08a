// SPDX-License-Identifier: LGPL-2.1-only
// Supports programs with threads of which only one calls MPI (MPI 4.0, Section 11.6.2). They request
// MPI_THREAD_FUNNELED and may stop if they get less. SMPI always grants MPI_THREAD_SINGLE, although such threads, for
// example OpenMP's, do not disturb it. Here, at most MPI_THREAD_FUNNELED is granted, because a thread that SimGrid has
// not created cannot call SMPI.
#include <mpi.h>

#include <algorithm>
#include <map>
#include <simgrid/s4u/Actor.hpp>

#include "mpi_ext/supply/behind.h"

namespace {

// The level granted to each rank. SMPI runs one rank at a time.
std::map<aid_t, int>& granted() {
  static std::map<aid_t, int> by_rank;
  return by_rank;
}

}  // namespace

extern "C" {

int PMPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int code = STRATA_BEHIND(Init_thread)(argc, argv, required, provided);
  if (code != MPI_SUCCESS || provided == nullptr) return code;
  *provided = std::clamp<int>(required, MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED);
  granted()[simgrid::s4u::this_actor::get_pid()] = *provided;
  return code;
}

int PMPI_Query_thread(int* provided) {
  const auto found = granted().find(simgrid::s4u::this_actor::get_pid());
  if (found == granted().end() || provided == nullptr) return STRATA_BEHIND(Query_thread)(provided);
  *provided = found->second;
  return MPI_SUCCESS;
}
}
