// SPDX-License-Identifier: LGPL-2.1-only
// One-sided communication, for the trace: operations, their completion, and windows.
#include <mpi.h>

#include "sim/profile/functions.h"
#include "sim/profile/profiled_run.h"
#include "sim/profile/tracing.h"
#include "sim/simgrid/window.h"

namespace simgrid::smpi {

using strata::sim::behind;

int Win::put(const void* origin, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
             MPI_Datatype target_type, MPI_Request* request) {
  static const auto next =
      behind<int(Win*, const void*, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype, MPI_Request*)>(kPut);
  const strata::sim::OneSided operation(strata::sim::tracing(), strata::TraceStep::Kind::kPut, *this, target,
                                        request != nullptr);
  return next(this, origin, count, type, target, at, target_count, target_type, request);
}

int Win::get(void* origin, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
             MPI_Datatype target_type, MPI_Request* request) {
  static const auto next =
      behind<int(Win*, void*, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype, MPI_Request*)>(kGet);
  const strata::sim::OneSided operation(strata::sim::tracing(), strata::TraceStep::Kind::kGet, *this, target,
                                        request != nullptr);
  return next(this, origin, count, type, target, at, target_count, target_type, request);
}

int Win::accumulate(const void* origin, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
                    MPI_Datatype target_type, MPI_Op op, MPI_Request* request) {
  static const auto next =
      behind<int(Win*, const void*, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype, MPI_Op, MPI_Request*)>(
          kAccumulate);
  const strata::sim::OneSided operation(strata::sim::tracing(), strata::TraceStep::Kind::kAccumulate, *this, target,
                                        request != nullptr);
  return next(this, origin, count, type, target, at, target_count, target_type, op, request);
}

int Win::finish_comms() {
  static const auto next = behind<int(Win*)>(kFinishAll);
  strata::sim::Tracing* const trace = strata::sim::tracing();
  if (trace != nullptr) trace->flush(this);
  const strata::sim::Deeper part_of_it = strata::sim::quiet(trace);
  return next(this);
}

int Win::finish_comms(int rank) {
  static const auto next = behind<int(Win*, int)>(kFinishOne);
  strata::sim::Tracing* const trace = strata::sim::tracing();
  if (trace != nullptr) trace->flush(this, rank);
  const strata::sim::Deeper part_of_it = strata::sim::quiet(trace);
  return next(this, rank);
}

int Win::del(Win* win) {
  static const auto next = behind(Win::del, kFreeWindow);
  const int code = next(win);
  if (strata::sim::Tracing* t = strata::sim::tracing()) t->free_window(win);
  return code;
}

void Comm::add_rma_win(Win* win) {
  static const auto next = behind<void(Comm*, Win*)>(kAddWindow);
  next(this, win);
  if (strata::sim::Tracing* t = strata::sim::tracing()) t->add_window(win);
}

}  // namespace simgrid::smpi
