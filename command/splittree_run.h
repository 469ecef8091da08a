// SPDX-License-Identifier: LGPL-2.1-only
// Simulates the split-tree algorithm: what `strata splittree` measures with the program nbc, on one machine with one
// placement.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "platforms/machine.h"
#include "records/rank_placements.h"
#include "sim/launcher/installation.h"

namespace strata::command {

/// The times reported by nbc, s; `overlapped` is its metric time.
struct NbcTimes {
  double blocking = 0, nonblocking = 0, overlapped = 0, computation = 0;
};

struct NbcRun {
  std::vector<std::string> collective;  // nbc's options that select it: --collective, --bytes, --arity
  std::string steps;                    // a number, or "blocking"
  std::filesystem::path trace;          // output file; empty: no trace
  double time_limit_s = 600;            // of wall time, for each of the two simulations
};

/// Runs two simulations. The first is the blocking collective on all cores of the machine, one rank each, whose time is
/// the amount of computation (IJHPCA'19, Section 6.2: C(N_proc) = T_blocking(N_proc)). The second is the collective
/// beside that computation, with the ranks and threads of `placement`. Throws SimulationFailed, InputError,
/// OutputError, Interrupted.
NbcTimes simulate_nbc(const Machine& machine, const RankPlacement& placement, const NbcRun& run,
                      const sim::Installation& installation);

}  // namespace strata::command
