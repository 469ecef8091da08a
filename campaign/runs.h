// SPDX-License-Identifier: LGPL-2.1-only
// Common parts of the ways to run shards: slurm.h, parallel.h.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "campaign/job_script.h"
#include "campaign/shard_state.h"
#include "sim/launcher/child.h"

namespace strata::campaign {

struct RunOptions {
  int retries = 3;                                                 // attempts.h
  std::function<void(const std::vector<ShardStatus>&)> show = {};  // called again and again
  std::function<void(const std::string&)> tell = {};               // a line for the user
};

/// A command that has ended: its exit code, 127 where it does not exist, -1 where it was killed, and what it printed.
struct Answered {
  int code = -1;
  std::string out, err;
};

/// Runs it to its end, at most a minute; beyond, it is killed.
Answered ask(const std::vector<std::string>& words);

/// The last line of a text that is not empty.
std::string last_line(const std::string& text);

/// Removes what earlier jobs of these shards have written of themselves.
void forget(const std::filesystem::path& folder, const std::vector<int>& shards);

}  // namespace strata::campaign
