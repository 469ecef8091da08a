// SPDX-License-Identifier: LGPL-2.1-only
// This process as a rank of a run: its place on the board, its time, and how it waits. Everything in native/rank/ is
// preloaded into an unmodified program, beside an unmodified MPI library. For example, a send and a wait:
//
//   post({.kind = Kind::kEager, .peer = 1, .bytes = 8, .data = block});
//   wait_for(Block::kMessage);        returns when something has been delivered
//   while (!slot().delivered.empty()) take(slot().delivered.take());
//
// A program that strata did not start, or a child that a rank has forked, has no board: everything then works as if
// this library were not there.
//
// Thread-safety: callers hold lock(), except for is_virtual() and attached().
#pragma once

#include <pthread.h>

#include "native/board/board.h"

namespace strata::native {

/// Whether this process has a place on a board.
bool attached();
/// The board, and this process' place on it; only if attached.
Board& board();
int my_rank();
Slot& slot();
/// Whether the library is MPICH; known from the end of MPI_Init on.
bool is_mpich();

/// This process is the rank: it, and not its parent, calls MPI. No effect the second time.
void claim();

/// Whether clocks show virtual time: between MPI_Init and MPI_Finalize of a rank that has claimed its place.
bool is_virtual();

/// A rank that MPI_Comm_spawn has started counts as running from then on, so that time waits for it, and is in real
/// time until it joins: with its first message or receive, when it asks the launcher for other jobs, or at the end of
/// MPI_Init.
bool has_joined();
void join();
/// Its job has ended before the others, and does what is left of MPI_Finalize in real time.
void leave();

/// Whether time is virtual and the run is recorded.
bool is_recorded();

/// One lock for everything, which a thread may take several times. While threads take turns (turns.h), it waits for the
/// thread's turn and does nothing else: a library's function that is called back may wait for another thread.
class Lock {
 public:
  Lock();
  ~Lock() {
    if (is_locked_) ::pthread_mutex_unlock(&mutex());
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  static pthread_mutex_t& mutex();
  bool is_locked_ = false;
};

/// Tells the coordinator. `message` gets the computation since the last post.
void post(Message message);
/// The rank computes for this time, s.
void compute(double seconds);
/// The rank's time, s.
double clock_now();
/// The same without the costs of sends since its last wait, for threads that leave MPI to others; without lock().
double clock_seen();

/// The messages without which the rank only waits: as many of Slot::open_receives, and completions. Empty: not known.
struct Needed {
  std::uint32_t open = 0, completions = 0;
};

/// Blocks the rank. Other threads of this process that come here wait until it continues. Not called with lock() held.
/// `seconds`: of kPoll and kSleep. `needed`: of kMessage.
void wait_for(Block block, double seconds = 0, const Needed& needed = {});

/// As wait_for(), for a thread that has the turn and does not pass it on.
void block(Block what, double seconds, const Needed& needed = {});

/// Ends the process because the run cannot continue, and leaves one line for the coordinator that says why.
[[noreturn]] void fail(const char* format, ...) __attribute__((format(printf, 1, 2)));

}  // namespace strata::native
