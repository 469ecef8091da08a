// SPDX-License-Identifier: LGPL-2.1-only
// The work that the calling rank does in simulated time besides messages, between the code that charges it
// (mpi_ext/adapter) and the library that records a trace (sim/profile, which is preloaded into the simulator). For
// example a copy of 1 MiB:
//
//   const TracedWork copy(TracedWork::kCopy, 1 << 20);
//   ... the time that it takes on this machine ...
//
// A trace keeps the copy and not its time, which differs from machine to machine.
#pragma once

extern "C" {

/// Weak: null where no library records. `kind` is a TracedWork::Kind; what takes time until the end is part of it.
__attribute__((weak)) void strata_work_begin(int kind, double amount, double moved, double working_set);
__attribute__((weak)) void strata_work_end();
/// The rank reads the clock, as all of these ranks of MPI_COMM_WORLD do, for the next one.
__attribute__((weak)) void strata_read_clock(const int* ranks, int count);
/// Until strata_work_end the rank waits for a second after the last of them has read the clock.
__attribute__((weak)) void strata_start_together(const int* ranks, int count);
}

namespace strata {

class TracedWork {
 public:
  enum Kind {
    kSleep,        // amount: s of simulated time
    kFlops,        // flop
    kSeconds,      // s of a core
    kWork,         // flop; moved: B
    kStream,       // the same
    kCopy,         // B
    kMessageCopy,  // B
    kCombine,      // B
    kPoll,         // messages that a progress thread polls for from now on; takes no time
    kPolled,       // messages that it polls for no longer; takes no time
    kLook,         // the same: a look at each message that threads poll for on its core
  };
  TracedWork(Kind kind, double amount, double moved = 0, double working_set = 0) {
    if (strata_work_begin != nullptr) strata_work_begin(kind, amount, moved, working_set);
  }
  ~TracedWork() {
    if (strata_work_end != nullptr) strata_work_end();
  }
  TracedWork(const TracedWork&) = delete;
  TracedWork& operator=(const TracedWork&) = delete;
};

}  // namespace strata
