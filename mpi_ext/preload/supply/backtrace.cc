// SPDX-License-Identifier: LGPL-2.1-only
// Replaces SimGrid's backtraces. Before SimGrid aborts, it writes the reason to its log, and a backtrace to stderr,
// which belongs to the program. The platform plugin reports the failure instead, in one line (sim/plugin/plugin.cc).
#include <xbt/asserts.h>

#include <cstdio>

// SimGrid calls it immediately before abort().
extern "C" void xbt_backtrace_display_current() {
  std::fflush(nullptr);  // the reason, even if the plugin is not yet loaded
}
