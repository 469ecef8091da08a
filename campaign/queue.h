// SPDX-License-Identifier: LGPL-2.1-only
// The formats of Slurm's commands: the output of squeue and sbatch, the argument of --array. For example:
//
//   squeue --noheader --array --name=NAME --format='%F|%K|%T|%N|%r'
//   123|4|RUNNING|n1|None
//   123|5|PENDING||Resources
#pragma once

#include <map>
#include <string>
#include <vector>

namespace strata::campaign {

/// The fields that parse_queue reads: job ID of the array, index in the array, state, nodes, and the reason for
/// waiting.
inline constexpr const char* kQueueFormat = "%F|%K|%T|%N|%r";

struct QueuedShard {
  std::string job = {};  // "123_4"
  bool running = false;
  std::string host = {}, reason = {};
};

/// Queued shards by number. Jobs that have ended are left out, even if squeue still shows them. Throws
/// std::runtime_error for a line that does not have the form of kQueueFormat.
std::map<int, QueuedShard> parse_queue(const std::string& text);

/// The job ID that `sbatch --parsable` prints: "123" for "123" or "123;cluster". Empty if it is not a number.
std::string parse_job(const std::string& text);

/// Formats sorted numbers for --array: "1-3,7".
std::string array_of(const std::vector<int>& shards);

}  // namespace strata::campaign
