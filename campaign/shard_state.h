// SPDX-License-Identifier: LGPL-2.1-only
// Where a shard is: from its results folder, what its job wrote of itself, and the queue.
//
//   the results are finished                            done
//   else it is in the queue                             running, or waiting
//   else its job has started                            failed: with its exit code, or killed without one
//   else                                                missing: not submitted
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "campaign/queue.h"
#include "campaign/submission.h"

namespace strata::campaign {

enum class State { kMissing, kWaiting, kRunning, kDone, kFailed };
inline constexpr Word<State> kStateWords[] = {{State::kMissing, "missing"},
                                              {State::kWaiting, "waiting"},
                                              {State::kRunning, "running"},
                                              {State::kDone, "done"},
                                              {State::kFailed, "failed"}};

/// A job notes in its state file when it starts and ends (job_script.h):
///
///   started 1700000000 n1 123_4
///   ended 1700000100 143
struct JobNote {
  std::optional<long> started_s, ended_s;  // seconds since 1970
  std::string host, job;                   // job: empty without Slurm
  std::optional<int> code;                 // exit code of strata
};
/// Reads it also while it is being written.
JobNote parse_note(const std::string& text);

struct ShardStatus {
  int number = 0;  // from 1
  State state = State::kMissing;
  int points = 0, done = 0;
  std::string job = {}, host = {};
  std::string reason = {};  // why it waits, or how it failed
  std::optional<int> code = {};
  std::optional<long> started_s = {}, ended_s = {};
};

/// Puts it together. `queue`: nothing where the queue could not be asked; a job that has started and not ended then
/// counts as running, if `alive`.
ShardStatus shard_of(int number, int points, int done, bool finished, const JobNote& note,
                     const std::map<int, QueuedShard>* queue, bool alive);

struct Counts {
  int missing = 0, waiting = 0, running = 0, done = 0, failed = 0;
  int points = 0, points_done = 0;
};
Counts count(const std::vector<ShardStatus>& shards);

/// How many seconds are left: the points that are missing, each as long as those of the last attempts have taken, on as
/// many processors as shards run now. Nothing where no point is done or no shard runs. `now_s`: since 1970.
std::optional<double> seconds_left(const std::vector<ShardStatus>& shards, long now_s);

/// Counts the points in a records.jsonl to which others append, reading only what is new.
class PointCounter {
 public:
  std::size_t count(const std::filesystem::path& records);

 private:
  std::size_t read_ = 0;  // bytes
  std::set<int> points_;
};

/// Reads a submission's folder again and again: what is done is not read again.
class Watch {
 public:
  Watch(std::filesystem::path folder, Submission submission);
  /// As shard_of. Not thread-safe.
  std::vector<ShardStatus> look(const std::map<int, QueuedShard>* queue, bool alive);

 private:
  std::filesystem::path folder_;
  Submission submission_;
  std::vector<PointCounter> counters_;
  std::vector<std::optional<JobNote>> finished_;  // the last word of the jobs of those that are done
};

}  // namespace strata::campaign
