// SPDX-License-Identifier: LGPL-2.1-only
#include <simgrid/s4u.hpp>

#include "mpi_ext/adapter/core_activities.h"
#include "records/exchange/address.h"
#include "records/exchange/exchanged_words.h"

namespace strata::mpix {
namespace {

using simgrid::s4u::Engine;

// Null if no trace is written.
TimelineRecorder* recorder() {
  static auto* const found =
      address_in<TimelineRecorder>(Engine::get_instance()->get_netzone_root()->get_property(words::kTimelineProperty));
  return found;
}

}  // namespace

void record(Doing what, double start) {
  if (TimelineRecorder* r = recorder())
    r->interval(simgrid::s4u::this_actor::get_pid(), what, start, Engine::get_clock());
}

void record_phase(const char* name, double start) {
  if (TimelineRecorder* r = recorder()) r->phase(name, start, Engine::get_clock());
}

}  // namespace strata::mpix
