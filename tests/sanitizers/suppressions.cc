// SPDX-License-Identifier: LGPL-2.1-only
// What the sanitizers' runtimes do not report: faults of libraries that are not ours, each with its reason. The
// runtimes call these functions.

extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __tsan_default_suppressions();

/// libhwloc 2.9 leaves memory behind where it refuses XML or a synthetic description.
const char* __lsan_default_suppressions() { return "leak:libhwloc.so\n"; }

/// Libraries that are built without ThreadSanitizer: it does not see their atomics and locks.
const char* __tsan_default_suppressions() {
  return
      // Open MPI 4.1 and its runtime: progress, and transport through shared memory.
      "called_from_lib:libmpi.so.40\n"
      "called_from_lib:libopen-pal.so.40\n"
      "called_from_lib:libopen-rte.so.40\n"
      // MPICH 4.0: the same.
      "called_from_lib:libmpich.so.12\n"
      // Transports beneath both.
      "called_from_lib:libucp.so.0\n"
      "called_from_lib:libucs.so.0\n"
      "called_from_lib:libfabric.so.1\n";
}
