// SPDX-License-Identifier: LGPL-2.1-only
// Lets a rank of MPICH give up its core when no message has come. MPICH on UCX, as Debian builds it, looks for messages
// without a pause and has no option like Open MPI's mpi_yield_when_idle. Five ranks on two cores then wait for the end
// of each other's time slices: a test takes half a minute instead of half a second.
//
// It is linked into a test program, or preloaded. ucp_worker_progress is UCX's function that looks for messages.
#include <dlfcn.h>
#include <sched.h>

extern "C" unsigned ucp_worker_progress(void* worker) {
  using Progress = unsigned (*)(void*);
  static const auto progress = reinterpret_cast<Progress>(::dlsym(RTLD_NEXT, "ucp_worker_progress"));
  const unsigned events = progress(worker);
  if (events == 0) ::sched_yield();
  return events;
}
