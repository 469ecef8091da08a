// SPDX-License-Identifier: LGPL-2.1-only
// Runs a scenario into a results folder.
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
  /// A folder for traces of the ranks of each simulated point, point-0.mpitrace; empty: not recorded. If the scenario
  /// is replayed, the folder for its recordings (recordings.h); empty: recordings/ in `out`.
  std::filesystem::path record = {};
  std::filesystem::path compilers = {};   // a folder that comes first on the PATH of the scenario's build command
  std::optional<Shard> shard = {};        // run only its points (balance_shards.h)
  std::filesystem::path balance = {};     // an earlier run whose times are used as costs of points; empty: estimated
  std::vector<std::string> command_line;  // for the manifest: the arguments that determine the results, not their
                                          // location
};

/// Runs every point of the sweep that is not yet in `out`, and returns the folder's results. Records are appended as
/// points finish and sorted at the end, so that neither `jobs` nor an interruption affects them.
///
/// A folder with an unfinished run is rejected without `resume`; one of another study, machine, placement or seed
/// always. A finished run of the same study is made again; `replace` makes any run again. A shard that is continued
/// keeps its points, and must be of the same program and version. Throws InputError, OutputError, SimulationFailed,
/// Interrupted.
Results run_scenario(const Scenario& scenario, const Machine& machine, const Installation& installation,
                     const RunOptions& options);

/// The scenario's machine, with its what-ifs. Throws InputError.
Machine machine_of(const Scenario& scenario, const Installation& installation);

/// Records from a program's output for one point. Throws SimulationFailed if it contains no measurement of the study's
/// metric.
std::vector<Record> records_of(const Study& study, const std::vector<Json>& lines, int point, const Json& parameters,
                               std::uint64_t seed);

/// The versions of strata, simgrid, smpi's MPI and hwloc in this build.
std::map<std::string, std::string> versions();

/// The current time in UTC, ISO 8601; the time of SOURCE_DATE_EPOCH if it is set, which makes manifests reproducible.
std::string timestamp();

}  // namespace strata::sim
