// SPDX-License-Identifier: LGPL-2.1-only
// Parses SimGrid's output and translates it to MPI terms. Pure functions on text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/engine/counter_example.h"

namespace strata::check {

/// The steps of a replay in order, and the output of the program itself, from the replay's stderr.
CounterExample read_replay(const std::string& standard_error);

/// The verdict on a replay, from its wait status and stderr; sets the message. Throws InputError if the program did not
/// follow the path.
Verdict judge_replay(int wait_status, const std::string& standard_error, CounterExample& run);

/// The numbers in the last line of the checker's statistics.
struct Statistics {
  long states = 0, transitions = 0, replayed = 0, executions = 0, redundant = 0, cut = 0;
  bool end = false;  // the exploration has ended
};
std::optional<Statistics> read_statistics(const std::string& standard_error);

/// The record of the path to the error, "1;3;3;1"; no value if no error was found.
std::optional<std::string> read_path(const std::string& standard_error);

/// For a shard: the number of the path's prefix.
std::optional<long> read_prefix(const std::string& log);

}  // namespace strata::check
