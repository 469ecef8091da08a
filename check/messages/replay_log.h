// SPDX-License-Identifier: LGPL-2.1-only
// Reads what SimGrid prints, and tells it in the words of MPI. Pure functions on text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/engine/counter_example.h"

namespace strata::check {

/// The steps of a replay in order, and what the program itself printed, from the replay's stderr.
CounterExample read_replay(const std::string& standard_error);

/// How a replay ended, from its wait status and stderr; sets the message. Throws InputError where the program did not
/// follow the path.
Verdict judge_replay(int wait_status, const std::string& standard_error, CounterExample& run);

/// The numbers in the checker's last line of statistics.
struct Statistics {
  long states = 0, transitions = 0, replayed = 0, executions = 0, redundant = 0, cut = 0;
  bool end = false;  // the exploration is over
};
std::optional<Statistics> read_statistics(const std::string& standard_error);

/// The record of the path to what the checker found, "1;3;3;1"; nothing where it found nothing.
std::optional<std::string> read_path(const std::string& standard_error);

/// The number of the prefix that the path begins with, of a shard's exploration.
std::optional<long> read_prefix(const std::string& log);

}  // namespace strata::check
