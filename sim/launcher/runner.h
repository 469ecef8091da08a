// SPDX-License-Identifier: LGPL-2.1-only
// Runs a stage's program in the simulator, once. The points of a scenario (simulation.h) and a user's program
// (execution.h) both run in this way; they differ in what a Launch asks for.
//
//   Child child = Runner(stage, launch, folder).start();
//   await(child);
//   const Diagnosis d = diagnose(evidence_of(child, launch, folder));
//
// The simulator writes into the folder, into files of fixed names.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/child.h"
#include "records/launch.h"
#include "sim/launcher/diagnosis.h"
#include "sim/launcher/smpimain.h"
#include "sim/launcher/stage.h"

namespace strata::sim {

/// Files in the folder of a run. Programs and the simulator know the names of others
/// (records/exchange/exchanged_words.h).
inline constexpr const char* kReportFile = "report";         // lines of the plugin after words::kMark
inline constexpr const char* kProfileFile = "profile.json";  // Launch::profile
inline constexpr const char* kCallsFolder = "calls_files";   // Launch::calls: a file for each rank
inline constexpr const char* kFindingsFile = "findings";     // Launch::checks

struct Launch {
  std::vector<std::string> arguments = {};  // of the program; any characters
  std::filesystem::path folder = ".";       // where it runs
  Variables environment = {};               // more variables
  std::string shim = kShimOff;              // whether the Cartesian shim is preloaded, and its method (study.h)
  std::string mpi = {};                     // whose collectives SMPI has (study.h)
  GivenRules rules = {};                    // by which that library chooses algorithms
  double host_speed = 0;                    // flop/s of a core of this computer; 0: computation takes no simulated time
  // It keeps our terminal and our process group. Otherwise its stdout and stderr go to files `out` and `err`.
  bool interactive = false;
  std::filesystem::path input = {};  // if interactive: a file for stdin instead of ours
  bool silent = false;               // if interactive: its stdout is discarded
  bool profile = false;              // write how each rank spends its time, and how it ends (records/profile.h)
  bool timeline = false;             // record the activity of each core (Paje)
  bool events = false;               // record events (records/events.h)
  bool trace = false;                // record a trace (records/trace/trace_file.h)
  bool calls = false;                // write SMPI's time-independent trace
  Traffic traffic = {};              // which traffic to record
  size_t most_pairs = 0;             // of ranks: with more, the matrices of messages are dropped; 0: no limit
  // Actions for SMPI's replayer, which is then the program: one file for all ranks, or one each
  // (records/foreign/actions.h).
  std::vector<std::filesystem::path> actions = {};
  bool checks = false;  // write the mistakes that the checks of its calls find (records/exchange/finding.h)
};

/// A run that is ready to start.
class Runner {
 public:
  /// Writes the files that the run needs into `folder`, which is the stage's own if that has only one run. Throws
  /// OutputError, InputError for an argument that SimGrid would drop, std::runtime_error if a library is missing.
  Runner(const Stage& stage, const Launch& launch, const std::filesystem::path& folder);

  /// The libraries that the command preloads.
  const std::vector<std::filesystem::path>& libraries() const { return libraries_; }
  const Command& command() const { return command_; }

  Child start() const { return adopt(strata::start(command_)); }
  /// The child, if a fork server has started the command.
  Child adopt(pid_t pid) const;

 private:
  Alias alias_;  // of the folder
  std::vector<std::filesystem::path> libraries_;
  Command command_;
  double time_limit_s_;
};

/// The evidence in the folder of a run that has ended.
Evidence evidence_of(const Child& child, const Launch& launch, const std::filesystem::path& folder);

}  // namespace strata::sim
