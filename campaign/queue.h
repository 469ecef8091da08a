// SPDX-License-Identifier: LGPL-2.1-only
// The words of Slurm's commands: what squeue and sbatch print, what --array takes.
//
//   squeue --noheader --array --name=NAME --format='%F|%K|%T|%N|%r'
//   123|4|RUNNING|n1|None
//   123|5|PENDING||Resources
#pragma once

#include <map>
#include <string>
#include <vector>

namespace strata::campaign {

/// The fields that parse_queue reads: the array's job, the index in it, state, nodes and why it waits.
inline constexpr const char* kQueueFormat = "%F|%K|%T|%N|%r";

struct QueuedShard {
  std::string job = {};  // "123_4"
  bool running = false;
  std::string host = {}, reason = {};
};

/// By the number of the shard. A job that has ended is not in the queue, even if squeue still shows it. Throws
/// std::runtime_error for a line that is not as kQueueFormat asks.
std::map<int, QueuedShard> parse_queue(const std::string& text);

/// Of `sbatch --parsable`, "123" or "123;cluster": "123". Empty where it is not a number.
std::string parse_job(const std::string& text);

/// Sorted numbers as --array takes them: "1-3,7".
std::string array_of(const std::vector<int>& shards);

}  // namespace strata::campaign
