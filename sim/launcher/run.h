// SPDX-License-Identifier: LGPL-2.1-only
// Running a scenario into a results folder.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "platforms/machine.h"
#include "records/record.h"
#include "records/shard.h"
#include "scenarios/scenario.h"
#include "sim/launcher/installation.h"

namespace strata::sim {

/// A simulation failed: deadlock, crash, time limit. The command exits with 3.
class SimulationFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct RunOptions {
  std::filesystem::path out;
  int jobs = 1;  // simulations at a time
  bool resume = false;
  bool replace = false;  // start again, even if the folder has a run
  bool quiet = false;
  /// A folder for what the ranks of each simulated point do, point-0.strace; empty: not kept. For a scenario that is
  /// replayed, where its recordings are taken from and left (recordings.h); empty: recordings/ in `out`.
  std::filesystem::path record = {};
  std::filesystem::path compilers = {};   // a folder that comes first on the PATH of the scenario's build command
  std::optional<Shard> shard = {};        // run its points alone (deal.h)
  std::filesystem::path balance = {};     // of an earlier run, whose seconds say what points cost; empty: estimated
  std::vector<std::string> command_line;  // for the manifest: what decides the results, not where they go
};

/// Runs every point of the sweep that is not yet in `out`, and returns the folder's results. Records are appended as
/// points finish and ordered at the end, so that neither `jobs` nor an interruption shows in them.
///
/// A folder that holds an unfinished run is refused without `resume`; one of another study, machine, placement or seed
/// always; a finished run of the same is made again; `replace` makes any run again. A shard that is continued keeps its
/// points, and must be of the same program and version. Throws InputError, OutputError,
/// SimulationFailed, Interrupted.
Results run_scenario(const Scenario& scenario, const Machine& machine, const Installation& installation,
                     const RunOptions& options);

/// The scenario's machine, with its what-ifs. Throws InputError.
Machine machine_of(const Scenario& scenario, const Installation& installation);

/// Records from what a program printed for one point. Throws SimulationFailed where it printed no measurement of the
/// study's metric.
std::vector<Record> records_of(const Study& study, const std::vector<Json>& lines, int point, const Json& parameters,
                               std::uint64_t seed);

/// strata, simgrid, smpi's MPI and hwloc, as they were built in.
std::map<std::string, std::string> versions();

/// Now in UTC, ISO 8601; what SOURCE_DATE_EPOCH says where that is set, so that a manifest can be reproduced too.
std::string timestamp();

}  // namespace strata::sim
