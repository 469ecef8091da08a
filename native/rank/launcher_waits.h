// SPDX-License-Identifier: LGPL-2.1-only
// The waiting of libraries in MPI_Init and MPI_Finalize, while time is real. With 500 ranks on two cores they would do
// little else.
//
// Open MPI sleeps 100 us again and again until libpmix's thread has an answer. Here such a sleep lasts until that
// thread has handled an event:
//
//   libpmix's thread:  epoll_wait ... handles an answer ... epoll_wait, which wakes the sleeper
//   MPI_Init:          while (no answer) usleep(100);
//
// MPICH calls sched_yield() again and again until all ranks of its node have come. Here it sleeps for a while.
#pragma once

namespace strata::native {

/// Sleeps until a thread has handled an event since the last return, but not for long. Returns false at once if no
/// thread of this process has waited for events. Called by one thread at a time.
bool wait_for_launcher();

/// Sleeps, each time longer, up to 20 ms; shortly again if it has not been called for 5 ms.
void wait_for_node();

}  // namespace strata::native
