// SPDX-License-Identifier: LGPL-2.1-only
// Reports that the sanitizers suppress: faults in libraries that are not ours, each with its reason. The sanitizers'
// runtimes call these functions.

extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __tsan_default_options();
extern "C" const char* __tsan_default_suppressions();

/// libhwloc 2.9 leaks memory when it refuses XML or a synthetic description.
const char* __lsan_default_suppressions() { return "leak:libhwloc.so\n"; }

/// Open MPI 4.1 is built without ThreadSanitizer, which therefore does not see the atomics that synchronise Open MPI's
/// threads. While one thread waits, Open MPI also receives messages of the other threads, into their buffers. Seen with
/// progress_mpi_program. Not called_from_lib: that also ignores half of the locks, and then reports the unlocking.
const char* __tsan_default_suppressions() {
  return
      // Communicator ids, and the completion of requests.
      "race:libmpi.so.40\n"
      // Copies of received messages.
      "race:libopen-pal.so.40\n"
      // Matching of messages, and transport through shared memory.
      "race:mca_pml_ob1.so\n"
      "race:mca_btl_vader.so\n"
      // The locks of waiting threads, which ompi_sync_wait_mt takes one after the other around a ring.
      "deadlock:libopen-pal.so.40\n";
}

/// ThreadSanitizer keeps the history of a limited number of accesses; this is the maximum. A suppression matches only
/// an access whose stack is still in the history.
const char* __tsan_default_options() { return "history_size=7"; }
