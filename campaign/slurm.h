// SPDX-License-Identifier: LGPL-2.1-only
// Submits the shards of a study with Slurm's commands, and follows them in its queue.
//
// All functions need a SignalGuard in scope, and throw Interrupted.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "campaign/queue.h"
#include "campaign/runs.h"

namespace strata::campaign {

/// Asks squeue for the jobs with this name. If squeue fails, returns nothing, and the reason in `fault`. Throws
/// InputError if squeue is not installed.
std::optional<std::map<int, QueuedShard>> ask_queue(const std::string& name, std::string& fault);

/// Submits the missing shards until all are done or given up, and returns their states. Throws InputError if sbatch is
/// not installed or refuses the job.
std::vector<ShardStatus> run_on_slurm(const Job& job, const RunOptions& options);

}  // namespace strata::campaign
