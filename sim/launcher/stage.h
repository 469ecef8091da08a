// SPDX-License-Identifier: LGPL-2.1-only
// The common part of all simulations with one machine, placement and program: files in a folder, libraries, SimGrid's
// options and the environment.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/child.h"
#include "platforms/machine.h"
#include "records/rank_placements.h"
#include "sim/launcher/installation.h"
#include "sim/launcher/mappings.h"

namespace strata::sim {

/// The common part of all simulations with one placement, prepared once in a folder: machine, placement and hosts.
struct Stage {
  std::filesystem::path folder;  // holds machine.yaml (node.xml), bindings.txt, placement, hosts
  std::filesystem::path plugin;
  std::filesystem::path preload;  // Installation's
  std::filesystem::path profile;  // the same
  std::filesystem::path loader;   // libstrata_loader.so, of its toolchain
  std::filesystem::path program;
  bool catalog_program = true;     // ours: has no mutable globals, so its ranks may share one image
  bool progress_threads = false;   // these access their ranks' buffers, so even a user's program needs one image
  int ranks = 0;                   // including progress threads, which are SMPI's ranks too
  std::vector<double> cores = {};  // by rank: those of its threads, where computation is measured; empty: one each
  double eager_limit_bytes = 0;
  double poll_s = 0;          // simulated time of an MPI_Test or MPI_Iprobe without a result; 0: SMPI's default
  double time_limit_s = 600;  // of wall time
  Mappings mappings;
};

/// SMPI's option for the stack size of a catalog program's ranks, in KiB; a user's may need SMPI's 8 MiB.
inline constexpr const char* kCatalogStack = "--cfg=contexts/stack-size:1024";

/// Observes the messages of programs that monitor themselves (mpi_ext/MPI_Monitoring.h); preloaded, from
/// Stage::preload.
inline constexpr const char* kMonitoringLibrary = "libmpix_monitoring_smpi.so";
/// The Cartesian shim.
inline constexpr const char* kShimLibrary = "libmpix_cart_shim_smpi.so";
/// The collectives of another MPI library (mpi_ext/preload/algorithms).
inline constexpr const char* kCollectivesLibrary = "libmpix_collectives_smpi.so";
/// For users' programs: functions that SMPI lacks (mpi_ext/preload/supply).
inline constexpr const char* kSupplyLibrary = "libmpix_supply_smpi.so";
/// The checks of a program's calls (mpi_ext/preload/checks).
inline constexpr const char* kChecksLibrary = "libmpix_checks_smpi.so";
/// For all programs: SMPI's two-level algorithms are set up without messages (mpi_ext/preload/supply/two_level.cc).
inline constexpr const char* kTwoLevelLibrary = "libmpix_two_level_smpi.so";

/// The send overhead of the level where it is smallest, s; 0 on a machine with one core.
double least_overhead(const Machine& machine);

/// The machine for a trace (records/trace/recorded_machine.h), from the files that save_machine has written into the
/// folder.
std::string packed_machine(const Machine& machine, const std::filesystem::path& folder);

/// SimGrid's options for every simulation on the stage: "smpi/wtime:0".
std::vector<std::string> options_of(const Stage& stage);

/// The value of words::kFewMappings.
std::optional<std::string> few_mappings_of(const Stage& stage);

/// The environment variables that give the simulator the stage's machine and placement.
Variables machine_variables(const Stage& stage);

/// The environment of a program that must not depend on ours: these variables, no method of the Cartesian shim, the
/// C locale, and temporary files in the current folder.
Variables environment_of(const Stage& stage);

/// Writes these files into `scratch`. Throws OutputError, and InputError for more ranks, or a larger machine, than this
/// computer can simulate.
Stage prepare_stage(const Machine& machine, const RankPlacement& placement, const std::filesystem::path& scratch,
                    const Installation& installation, const std::string& program, double time_limit_s);

}  // namespace strata::sim
