// SPDX-License-Identifier: LGPL-2.1-only
// How a program uses its threads other than by MPI: it creates them, and they wait for each other at locks and
// condition variables. These functions are found instead of the C library's, so that turns.h knows of it:
//
//   pthread_create()       the new thread has its place in the order of turns before it begins
//   pthread_mutex_lock()   a thread that has the turn lets others have the lock first
//   sched_yield()          the turn goes to the next thread
#pragma once

#include <pthread.h>

namespace strata::native {

/// The C library's pthread_mutex_lock().
int lock_mutex(pthread_mutex_t* mutex);

}  // namespace strata::native
