// `strata check` of MPI programs: the protocols of mpi_ext and a user's own, in all orders of their messages.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "platforms/machine.h"
#include "check/messages/exploration.h"
#include "records/record.h"

namespace strata::command {

/// A program to explore: once, with one buffering of messages.
struct ProgramQuestion {
  std::string name;   // a protocol's, or that of the program's file; without blanks
  std::string about;  // in one line; may be empty
  std::shared_ptr<const Machine> machine;
  sim::Exploration exploration;
  std::string command, after;  // the command line to which --replay and a key are added between the two

  std::string again(const std::string& key) const { return command + " --replay " + key + after; }
};

struct ProgramResult {
  ProgramQuestion question;
  sim::Explored explored;

  bool holds() const { return explored.verdict == sim::Verdict::kHolds; }
  /// "first_result/deadlock:1,2,2"; empty where there is no counter-example.
  std::string key() const;
};

/// "all", "none", "16384".
std::string text_of(sim::Buffering buffering, double eager_limit_bytes);

/// Explores them one after another, with progress on stderr; of a program (by name) whose messages are buffered in
/// several ways the others are left out once something is wrong. Calls `done` with each. Throws InputError,
/// sim::Interrupted, check::CheckerFailed.
std::vector<ProgramResult> check_programs(const std::vector<ProgramQuestion>& questions,
                                          const std::function<void(const ProgramResult&)>& done);

std::string text_of(const ProgramResult& result);
Json json_of(const ProgramResult& result);
/// The verdict on all of them in one line.
std::string verdict_of(const std::vector<ProgramResult>& results);
/// The counter-example as a picture: a column a rank, a line a step. Empty where there is none.
std::string svg_of(const ProgramResult& result);

/// Runs a path again, in gdb where `debugger` is. Returns the exit code.
int replay_program(const ProgramQuestion& question, const std::string& key, bool debugger, bool json);

}  // namespace strata::command
