// SPDX-License-Identifier: LGPL-2.1-only
// Runs simulations: each is one smpimain process (group) in a temporary folder of its own. Several simulations of our
// own programs are forked from one smpimain (fork_server.h).
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "platforms/machine.h"
#include "records/json.h"
#include "records/launch.h"
#include "records/placement.h"
#include "sim/launcher/child.h"
#include "sim/launcher/installation.h"
#include "sim/launcher/mappings.h"
#include "sim/launcher/scratch.h"

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
/// For users' programs: functions that SMPI lacks (mpi_ext/supply).
inline constexpr const char* kSupplyLibrary = "libmpix_supply_smpi.so";
/// For all programs: SMPI's two-level algorithms are set up without messages (mpi_ext/supply/two_level.cc).
inline constexpr const char* kTwoLevelLibrary = "libmpix_two_level_smpi.so";

/// The send overhead of the level where it is smallest, s; 0 on a machine with one core.
double least_overhead(const Machine& machine);

/// SimGrid's options for every simulation on the stage: "smpi/wtime:0".
std::vector<std::string> options_of(const Stage& stage);

/// The value of words::kFewMappings.
std::optional<std::string> few_mappings_of(const Stage& stage);

/// The environment variables of every program on the stage: its machine and placement.
Variables environment_of(const Stage& stage);

/// Writes these files into `scratch`. Throws OutputError, and InputError for more ranks, or a larger machine, than this
/// computer can simulate.
Stage prepare_stage(const Machine& machine, const RankPlacement& placement, const std::filesystem::path& scratch,
                    const Installation& installation, const std::string& program, double time_limit_s);

struct Simulation {
  size_t stage = 0;                    // index of its stage
  std::vector<std::string> arguments;  // of the program
  std::filesystem::path folder = {};   // where the program runs; empty: in an empty folder of its own
  std::string shim = kShimOff;         // whether the Cartesian shim is preloaded, and its method (study.h)
  std::filesystem::path output;        // stdout and stderr are kept in files of this name + ".out" and ".err"
  std::filesystem::path trace = {};    // a file for the activity of each core (Paje); empty: none
  std::filesystem::path events = {};   // the same for events (records/events.h)
  std::filesystem::path record = {};   // the same for each rank's steps (records/trace/trace_file.h)
  Traffic traffic = {};                // which traffic to record, and in which existing folder
  std::filesystem::path traffic_folder = {};
};

struct Outcome {
  std::string printed;                        // the program's stdout
  std::vector<Json> lines;                    // its lines there after words::kMark, in order
  std::optional<double> simulated_time = {};  // s: when the last rank ended
  std::string failure;     // empty on success; otherwise one line: what happened, which rank waits for what
  bool bad_usage = false;  // the program refused its arguments: bad input, not a failed simulation
  double wall_s = 0;       // from the simulation's start to its end
};

/// Runs simulations on their stages, at most `jobs` at a time, each in its own process group. `done(i, outcome)` is
/// called as each ends, on the caller's thread; if it returns false, all are stopped. Throws Interrupted on SIGINT,
/// SIGTERM and SIGHUP. No child outlives the call.
void run_simulations(const std::vector<Stage>& stages, const std::vector<Simulation>& simulations, int jobs,
                     const std::function<bool(size_t, const Outcome&)>& done);

}  // namespace strata::sim
