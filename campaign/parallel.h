// SPDX-License-Identifier: LGPL-2.1-only
// Runs shards with GNU parallel instead of a scheduler, on computers that are reachable by ssh, one shard at a time on
// each:
//
//   parallel --jobs 1 --sshloginfile hosts --joblog logs/parallel.joblog 'bash job.sh {}' ::: 1 2 5
//
// The hosts file has the format of --sshloginfile, one host per line: "user@host"; ":" is this computer, without ssh.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "campaign/runs.h"

namespace strata::campaign {

/// How a job ended, according to parallel.
struct LoggedJob {
  std::string host;
  int code = 0, signal = 0;
};
/// Parses a --joblog. The keys are the jobs' positions in the list, from 1. Incomplete lines are skipped.
std::map<int, LoggedJob> parse_joblog(const std::string& text);

/// The number of hosts in a file. Throws InputError if it cannot be read or has none.
int count_hosts(const std::filesystem::path& file);

/// Runs the missing shards until all are done or given up, and returns their states. Needs a SignalGuard in scope.
/// Throws InputError if GNU parallel is not installed, and Interrupted after its jobs have ended.
std::vector<ShardStatus> run_on_hosts(const Job& job, const std::filesystem::path& hosts, const RunOptions& options);

}  // namespace strata::campaign
