// SPDX-License-Identifier: LGPL-2.1-only
// This library is preloaded into the simulator. It writes where the program's time went (records/profile.h) to the file
// that STRATA_PROFILE names, the events (records/events.h) to the file that STRATA_EVENTS names, and what each rank did
// (records/trace/trace.h) to the file that STRATA_TRACE names:
//
//   LD_PRELOAD=libstrata_profile.so STRATA_PROFILE=profile.json STRATA_EVENTS=run.events smpimain ...
//
// It must be the first preloaded library: calls made by the others count as part of the function that the program
// called. README.md describes how it intercepts functions, and what counts as waiting. This file registers what is
// called when ranks and the simulation begin and end; the functions that the library replaces are in
//
//   mpi_functions.cc   MPI's             message_path.cc   a message from its request to its end
//   waits.cc           what blocks       one_sided.cc      windows
//   charged_time.cc    simulated time    phases.cc         marks in the program
//   endings.cc         exit and logs     computation.cc    SMPI's timer
#include <mpi.h>
#include <pthread.h>

#include <cstdlib>
#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Engine.hpp>
#include <string>

#include "records/exchange/exchanged_words.h"
#include "sim/plugin/launcher_lines.h"
#include "sim/profile/calling_rank.h"
#include "sim/profile/endings.h"
#include "sim/profile/profiled_run.h"

namespace strata::sim {
namespace {

using simgrid::s4u::Engine;

const char* g_program = "";  // the first argument of smpimain

std::string value_of(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

// Called before the first rank is created.
void begin_session() {
  const std::string profile = value_of(words::kProfile), events = value_of(words::kEvents),
                    trace = value_of(words::kTrace);
  if (profile.empty() && events.empty() && trace.empty()) return;
  open_report();
  open_session(new Session(g_program, profile, events, trace));
  if (!profile.empty()) {
    ::on_exit(leave_by_exit, nullptr);
  } else {
    std::atexit([] { session()->write(now()); });
  }
  ::pthread_atfork(nullptr, nullptr, [] {
    if (Recording* r = recording()) r->events.abandon();
  });
}

// SMPI creates all ranks before the first of them runs. Actors that a program creates later are not ranks.
void add_rank(const simgrid::s4u::Actor& actor) {
  static const bool once = (begin_session(), true);
  static_cast<void>(once);
  if (session() != nullptr) session()->add_rank(*actor.get_host());
}

void end_rank(const simgrid::s4u::Actor& actor) {
  if (session() == nullptr) return;
  const int number = static_cast<int>(actor.get_pid()) - 1;
  RankLedger* rank = session()->rank(number);
  if (rank == nullptr || rank->ended()) return;
  rank->end(session()->ledger().calls(), now());
  if (Recording* r = recording()) r->events.end_rank(number, now());
  if (Tracing* t = session()->tracing()) t->recorder().end(number, now());
  // Ranks that MPI_Abort ends do not end by themselves.
  if (rank->initialized && !rank->finalized && !session()->ledger().aborted())
    session()->ledger().tell({number, Ending::How::kUnfinalized, 0});
}

// The loader passes the process's arguments to constructors.
[[gnu::constructor]] void listen(int argc, char** argv) {
  g_program = argc > 1 ? argv[1] : "";
  simgrid::s4u::Actor::on_creation_cb(add_rank);
  simgrid::s4u::Actor::on_termination_cb(end_rank);
  Engine::on_deadlock_cb(note_deadlock);
  Engine::on_simulation_end_cb([] {
    if (session() != nullptr) session()->write(now());
  });
}

}  // namespace
}  // namespace strata::sim
