// SPDX-License-Identifier: LGPL-2.1-only
// GNU parallel instead of a scheduler: the shards on computers that ssh reaches, one at a time on each.
//
//   parallel --jobs 1 --sshloginfile hosts --joblog logs/parallel.joblog 'bash job.sh {}' ::: 1 2 5
//
// A file of hosts has a line for each, as --sshloginfile takes it: "user@host"; ":" is this computer, without ssh.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "campaign/runs.h"

namespace strata::campaign {

/// How a job ended, by parallel's account.
struct LoggedJob {
  std::string host;
  int code = 0, signal = 0;
};
/// Of --joblog, by the job's place in the list, from 1. Lines that are not whole are left out.
std::map<int, LoggedJob> parse_joblog(const std::string& text);

/// How many hosts a file has. Throws InputError where it cannot be read or has none.
int count_hosts(const std::filesystem::path& file);

/// Runs what is missing until all shards are done or given up, and returns where they are. Needs a sim::SignalGuard in
/// scope; throws InputError where there is no parallel, sim::Interrupted when its jobs have ended.
std::vector<ShardStatus> run_on_hosts(const Job& job, const std::filesystem::path& hosts, const RunOptions& options);

}  // namespace strata::campaign
