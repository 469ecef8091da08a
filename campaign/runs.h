// SPDX-License-Identifier: LGPL-2.1-only
// The common parts of slurm.h and parallel.h.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/child.h"
#include "campaign/job_script.h"
#include "campaign/shard_state.h"

namespace strata::campaign {

struct RunOptions {
  int retries = 3;                                                 // attempts.h
  std::function<void(const std::vector<ShardStatus>&)> show = {};  // called repeatedly
  std::function<void(const std::string&)> tell = {};               // receives a line for the user
};

/// A finished command: its exit code (127 if the command does not exist, -1 if it was killed) and its output.
struct Answered {
  int code = -1;
  std::string out, err;
};

/// Runs a command, and kills it after a minute.
Answered ask(const std::vector<std::string>& words);

/// The last line that is not empty.
std::string last_line(const std::string& text);

/// Removes the state files that earlier jobs of these shards have written.
void forget(const std::filesystem::path& folder, const std::vector<int>& shards);

}  // namespace strata::campaign
