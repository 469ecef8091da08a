// SPDX-License-Identifier: LGPL-2.1-only
// `strata check` of MPI programs: the protocols of mpi_ext and a user's own, in all orders of their messages.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "check/messages/exploration.h"
#include "platforms/machine.h"
#include "records/json.h"

namespace strata::command {

/// A program to explore, once, with one buffering of messages.
struct ProgramQuestion {
  check::Exploration exploration;
  std::string command, after;  // a command line that runs it again: COMMAND --replay KEY AFTER

  std::string again(const std::string& key) const { return command + " --replay " + key + after; }
};

struct ProgramResult {
  ProgramQuestion question;
  check::Explored explored;

  bool holds() const { return explored.verdict == check::Verdict::kHolds; }
};

/// Explores them one after another, with progress on stderr. Once something is wrong with a program, its other
/// bufferings are left out. Calls `done` with each result. Throws InputError, sim::Interrupted, check::CheckerFailed.
std::vector<ProgramResult> check_programs(const std::vector<ProgramQuestion>& questions,
                                          const std::function<void(const ProgramResult&)>& done);

std::string text_of(const ProgramResult& result);
/// The same from a result's document, without its counter-example.
std::string program_text(const Json& result);
Json json_of(const ProgramResult& result);
/// The verdict on all of them in one line.
std::string verdict_of(const std::vector<ProgramResult>& results);

/// Runs the steps of a key again, in gdb if `debugger`. Returns the exit code.
int replay_program(const ProgramQuestion& question, const std::string& key, bool debugger, bool json);

}  // namespace strata::command
