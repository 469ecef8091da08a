// SPDX-License-Identifier: LGPL-2.1-only
// The threads of a rank take turns: one at a time uses the board and what this library keeps, and the order of turns is
// the same in each run. For example, with MPI_THREAD_MULTIPLE, two threads that each receive a message:
//
//   thread 0: MPI_Recv   has the turn, waits for a message      -> passes the turn on
//   thread 1: MPI_Recv   gets the turn, waits too               -> no thread can go on: the rank blocks
//   a message arrives    both look, thread 0 first
//
// A thread keeps its turn until it waits in this library, also while it computes. The turn is passed on only when every
// other thread has come to rest: it wants the turn or a mutex, waits in this library, or sleeps in the kernel, as in
// pthread_join(). Among those that want the turn, the next one after the last gets it, by the order in which threads
// were created. However the kernel schedules them, calls of MPI and mutexes have one order, and a rank blocks only when
// none of its threads can go on. Other work between calls of MPI is left to the threads.
//
// A thread that wants a mutex passes its turn on instead of sleeping, and gets it back when the mutex is free. So
// threads that hand a mutex to each other, as MPICH's do while they wait, need not ask the kernel who sleeps.
//
// A thread that keeps computing while others wait for the turn may be waiting for them in a loop. After a while it no
// longer counts, and Slot::lost_order says so.
//
// With a lower level than MPI_THREAD_MULTIPLE, only threads that come here count.
//
// Thread-safety: all functions.
#pragma once

#include <pthread.h>

#include "native/board/board.h"

namespace strata::native {

/// Returns when this thread has the turn. The first thread that calls it is the rank's first.
void take_turn();

/// As wait_for() of process.h: passes the turn on, and returns with it when the wait has ended, or may have. `seconds`
/// after now: the end of kPoll and kSleep.
void wait_in_turn(Block what, double seconds);

/// Lets the others go first, if this thread has the turn.
void yield_turn();

/// pthread_mutex_lock() by a thread that takes turns: it waits for its turn, and others that wait for the mutex go
/// first.
int lock_in_turn(pthread_mutex_t* mutex);

/// Whether more than one thread takes turns.
bool takes_turns();
/// Whether this thread is the rank's first, or the only one.
bool is_first_thread();
/// Whether this thread need not call MPI: it has not been here, and the level is below MPI_THREAD_MULTIPLE.
bool is_bystander();

/// The MPI function that this thread is in, for messages about deadlocks.
void set_call(const Call& call);

/// While in scope, this thread sleeps with the turn and keeps it.
class KeepsTurn {
 public:
  KeepsTurn();
  ~KeepsTurn();
  KeepsTurn(const KeepsTurn&) = delete;
  KeepsTurn& operator=(const KeepsTurn&) = delete;
};

/// While in scope, if `waits`, this thread may sleep until the launcher, or a thread of the launcher's library, wakes
/// it: it is not at rest.
class WaitsForLauncher {
 public:
  explicit WaitsForLauncher(bool waits);
  ~WaitsForLauncher();
  WaitsForLauncher(const WaitsForLauncher&) = delete;
  WaitsForLauncher& operator=(const WaitsForLauncher&) = delete;

 private:
  void set(bool on) const;
  bool is_set_;
};

/// Threads have turns in the order in which they were created, so each is known before it begins:
///
///   Thread& child = announce_thread();    in its creator, which gets the turn
///   begin_thread(child);                  in the child; or forget_thread(child), if it could not be created
struct Thread;
Thread& announce_thread();
void begin_thread(Thread& thread);
void forget_thread(Thread& thread);

}  // namespace strata::native
