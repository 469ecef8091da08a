// SPDX-License-Identifier: LGPL-2.1-only
// `strata check` for MPI programs: explores the protocols of mpi_ext and a user's own program with all orders of
// messages.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/findings.h"
#include "base/json.h"
#include "check/messages/exploration.h"
#include "platforms/machine.h"

namespace strata::command {

/// One exploration of a program, with one buffering of messages.
struct ProgramQuestion {
  check::Exploration exploration;
  std::string command, after;  // a command line that replays a key: COMMAND --replay KEY AFTER
  bool runs_first = false;     // one run with checks of its calls comes before the exploration

  std::string again(const std::string& key) const { return command + " --replay " + key + after; }
};

struct ProgramResult {
  ProgramQuestion question;
  check::Explored explored;
  std::vector<analysis::MergedFinding> findings = {};  // of the run with checks; if there are any, nothing was explored

  bool holds() const { return explored.verdict == check::Verdict::kHolds; }
};

/// Explores the programs one after another, with progress on stderr, and calls `done` with each result. After an error
/// in a program, its remaining bufferings are skipped. A program with `runs_first` runs once with checks of its calls
/// (sim/launcher/execution.h); if they find a mistake, the verdict is kViolated, without an exploration. Throws
/// InputError, Interrupted, check::CheckerFailed.
std::vector<ProgramResult> check_programs(const std::vector<ProgramQuestion>& questions,
                                          const std::function<void(const ProgramResult&)>& done);

std::string text_of(const ProgramResult& result);
/// The same from a result's JSON, without its counter-example.
std::string program_text(const Json& result);
Json json_of(const ProgramResult& result);
/// The overall verdict in one line.
std::string verdict_of(const std::vector<ProgramResult>& results);

/// Replays the steps of a key, in gdb if `debugger`. Returns the exit code.
int replay_program(const ProgramQuestion& question, const std::string& key, bool debugger, bool json);

}  // namespace strata::command
