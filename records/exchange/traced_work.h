// SPDX-License-Identifier: LGPL-2.1-only
// Reports work other than messages that the calling rank does in simulated time. The code that charges the work
// (mpi_ext/adapter) reports it to the library that records a trace (sim/profile, which is preloaded into the
// simulator). For example, a copy of 1 MiB:
//
//   const TracedWork copy(TracedWork::kCopy, 1 << 20);
//   ... the time that it takes on this machine ...
//
// A trace contains the copy, but not its time, which differs between machines.
#pragma once

extern "C" {

/// Weak: null if no library records. `kind` is a TracedWork::Kind. Simulated time until the end belongs to the work.
__attribute__((weak)) void strata_work_begin(int kind, double amount, double moved, double working_set);
__attribute__((weak)) void strata_work_end();
/// The rank reads the clock, as do all `ranks` of MPI_COMM_WORLD, for strata_start_together.
__attribute__((weak)) void strata_read_clock(const int* ranks, int count);
/// Until strata_work_end, the rank waits until a second after the last of `ranks` has read the clock.
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
    kCopy,         // B; moved: the span of its buffers (buffer_reuse.h), B
    kMessageCopy,  // B
    kCombine,      // B; moved: as kCopy's
    kPoll,         // messages for which a progress thread starts to poll; takes no time
    kPolled,       // messages for which it stops polling; takes no time
    kLook,         // the same as kPolled, after a look at each message for which threads poll on its core
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
