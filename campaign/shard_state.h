// SPDX-License-Identifier: LGPL-2.1-only
// Determines the state of a shard from its results folder, its job's state file and the queue. The first line that
// applies decides:
//
//   the results are complete      done
//   it is in the queue            running, or waiting
//   its job has started           failed: with its exit code, or killed without one
//   otherwise                     missing: not submitted
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

/// A job writes to its state file when it starts, how many points earlier attempts had done, and when it ends
/// (job_script.h):
///
///   started 1700000000 n1 123_4
///   resumed 12
///   ended 1700000100 143
struct JobNote {
  std::optional<long> started_s, ended_s;  // seconds since 1970
  std::string host, job;                   // job: empty without Slurm
  int resumed = 0;                         // points done by earlier attempts
  std::optional<int> code;                 // exit code of strata
};
/// May be called while the file is being written.
JobNote parse_note(const std::string& text);

struct ShardStatus {
  int number = 0;  // from 1
  State state = State::kMissing;
  int points = 0, done = 0;
  int resumed = 0;  // of `done`, by earlier attempts
  std::string job = {}, host = {};
  std::string reason = {};  // why it waits or failed
  std::optional<int> code = {};
  std::optional<long> started_s = {}, ended_s = {};
};

/// The state of a shard from these sources. `queue`: null if it could not be asked; a job that has started but not
/// ended then counts as running if `alive`.
ShardStatus shard_of(int number, int points, int done, bool finished, const JobNote& note,
                     const std::map<int, QueuedShard>* queue, bool alive);

struct Counts {
  int missing = 0, waiting = 0, running = 0, done = 0, failed = 0;
  int points = 0, points_done = 0;
};
Counts count(const std::vector<ShardStatus>& shards);

/// Estimates how many seconds are left, from the mean time per point so far, the number of missing points and the
/// number of running shards. Uses only the latest attempt of each shard, because the times of the others are unknown.
/// Empty if no such attempt has done a point or no shard is running. `now_s`: seconds since 1970.
std::optional<double> seconds_left(const std::vector<ShardStatus>& shards, long now_s);

/// Counts the points in a records.jsonl to which other processes append. Each call reads only the new part.
class PointCounter {
 public:
  std::size_t count(const std::filesystem::path& records);

 private:
  std::size_t read_ = 0;  // bytes
  std::set<int> points_;
};

/// Reads a submission's folder repeatedly. Shards that are done are read only once.
class Watch {
 public:
  Watch(std::filesystem::path folder, Submission submission);
  /// The states of all shards, as by shard_of. Not thread-safe.
  std::vector<ShardStatus> look(const std::map<int, QueuedShard>* queue, bool alive);

 private:
  std::filesystem::path folder_;
  Submission submission_;
  std::vector<PointCounter> counters_;
  std::vector<std::optional<JobNote>> finished_;  // for shards that are done: their jobs' final notes
};

}  // namespace strata::campaign
