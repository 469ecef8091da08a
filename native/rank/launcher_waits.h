// SPDX-License-Identifier: LGPL-2.1-only
// The waiting of Open MPI for its launcher. MPI_Init and MPI_Finalize sleep 100 us again and again until libpmix's
// thread has an answer; with 500 ranks on two cores they would do little else. Here such a sleep lasts until that
// thread has handled an event:
//
//   libpmix's thread:  epoll_wait ... handles an answer ... epoll_wait, which wakes the sleeper
//   MPI_Init:          while (no answer) usleep(100);
#pragma once

namespace strata::native {

/// Sleeps until a thread has handled an event since the last return, but not for long. Returns false at once if no
/// thread of this process has waited for events. Called by one thread at a time.
bool wait_for_launcher();

}  // namespace strata::native
