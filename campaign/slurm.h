// SPDX-License-Identifier: LGPL-2.1-only
// Slurm's commands, and the shards of a study in its queue.
//
// Functions need a sim::SignalGuard in scope, and throw sim::Interrupted.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "campaign/queue.h"
#include "campaign/runs.h"

namespace strata::campaign {

/// Asks squeue for the jobs of this name; returns nothing where it does not answer, and why in `fault`. Throws
/// InputError if there is no squeue.
std::optional<std::map<int, QueuedShard>> ask_queue(const std::string& name, std::string& fault);

/// Submits what is missing until all shards are done or given up, and returns where they are. Throws InputError where
/// there is no sbatch, or it refuses.
std::vector<ShardStatus> run_on_slurm(const Job& job, const RunOptions& options);

}  // namespace strata::campaign
