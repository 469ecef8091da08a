// SPDX-License-Identifier: LGPL-2.1-only
// Runs a program once, as it is, with the MPI library to which it is linked, on a simulated machine:
//
//   const sim::Executed e = run_natively({.machine = theta, .ranks = bindings, .words = {"/home/me/app", "-x"}, ...});
//   e.profile.simulated_time          s
//
// The ranks are processes of this computer. Their library's transport is ours (native/rank), which knows the machine's
// time; the launcher (native/launch) tells them where they are.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "native/board/board.h"
#include "native/launch/library.h"
#include "platforms/machine.h"
#include "platforms/placement.h"
#include "sim/launcher/execution.h"

namespace strata::native {

struct NativeRequest {
  const Machine& machine;
  std::vector<Binding> ranks;
  std::vector<Binding> room = {};                                     // for ranks that they start: MPI_Comm_spawn
  std::vector<std::string> words;                                     // the program's path, and its arguments
  std::filesystem::path folder;                                       // where it runs
  std::filesystem::path input = {};                                   // a file for rank 0's stdin instead of ours
  bool silent = false;                                                // its stdout is discarded
  std::vector<std::pair<std::string, std::string>> environment = {};  // further variables
  std::filesystem::path transport;                                    // libucp.so.0 of ours
  std::filesystem::path scratch;                                      // an empty folder for the run
  Library library;                                                    // of the program
  Computation computation = Computation::kFree;
  double computation_s = 0;  // as in Board
  /// With kMeasured: where the times are kept; with kRecorded: where they are from. Empty: nowhere.
  std::filesystem::path computation_file = {};
  bool events = false;
  bool trace = false;  // a recording for replays
  double limit_s = 0;  // of wall time; 0: none
};

/// Needs a SignalGuard in scope. Throws Interrupted, InputError if the program cannot run, SystemError.
sim::Executed run_natively(const NativeRequest& request);

}  // namespace strata::native
