// SPDX-License-Identifier: LGPL-2.1-only
// Simulated time that SMPI or our own code charges to a rank, for the trace: sleeping, computation, and work of which
// the trace keeps amounts instead of a time.
#include <mpi.h>

#include <simgrid/s4u/Actor.hpp>
#include <xbt/config.hpp>

#include "records/exchange/traced_work.h"
#include "sim/profile/functions.h"
#include "sim/profile/profiled_run.h"
#include "sim/profile/tracing.h"

namespace strata::sim {
namespace {

// Notes that the program reads the clock through SMPI's replacement of a C library function. Such a call goes directly
// to libsimgrid, not through this library, and takes simulated time outside MPI's functions.
void note_clock(double sleep_s) {
  static const double looking_s = simgrid::config::get_value<double>("smpi/wtime");
  Tracing* t = tracing();
  if (t != nullptr && sleep_s == looking_s && current()->call() < 0) t->doubt("gettimeofday or clock_gettime");
}

void note_step(const TraceStep& step) {
  if (Tracing* t = tracing()) t->add(step);
}

}  // namespace
}  // namespace strata::sim

extern "C" {

// Work charged by our own code.
void strata_work_begin(int kind, double amount, double moved, double working_set) {
  if (strata::sim::Tracing* t = strata::sim::tracing())
    t->begin_work(static_cast<strata::TracedWork::Kind>(kind), amount, moved, working_set);
}
void strata_work_end() {
  if (strata::sim::Tracing* t = strata::sim::tracing()) t->end_work();
}
void strata_read_clock(const int* ranks, int count) {
  if (strata::sim::Tracing* t = strata::sim::tracing()) t->read_clock(ranks, count);
}
void strata_start_together(const int* ranks, int count) {
  if (strata::sim::Tracing* t = strata::sim::tracing()) t->start_together(ranks, count);
}
}

namespace simgrid::s4u::this_actor {

// Time spent within SMPI: in MPI_Test, or in the program's sleep() and gettimeofday().
void sleep_for(double seconds) {
  static const auto next = strata::sim::behind<void(double)>("_ZN7simgrid3s4u10this_actor9sleep_forEd");
  strata::sim::note_clock(seconds);
  strata::sim::note_step({.kind = strata::TraceStep::Kind::kSleep, .amount = seconds});
  next(seconds);
}

// Computation, charged or measured.
ExecPtr exec_init(double flops) {
  static const auto next = strata::sim::behind<ExecPtr(double)>("_ZN7simgrid3s4u10this_actor9exec_initEd");
  strata::sim::note_step({.kind = strata::TraceStep::Kind::kExecute, .amount = flops});
  return next(flops);
}

}  // namespace simgrid::s4u::this_actor
