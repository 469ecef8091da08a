// SPDX-License-Identifier: LGPL-2.1-only
// A study that was cut into shards and submitted to a cluster. It is a folder that all nodes can access:
//
//   submission.json   the study, the number of shards, and whether Slurm or GNU parallel runs them
//   job.sh            the script that runs a shard (job_script.h)
//   shards/3/         the results of shard 3
//   states/3          written by its job: when and where it started, how it ended (shard_state.h)
//   logs/3.log        its output
//   results/          the merged results, once all shards are done
//
// submission.json never changes. What is running and what is done follows from the queue and the shards' files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/words.h"

namespace strata::campaign {

/// The program that starts the shards.
enum class Runner { kSlurm, kParallel };
inline constexpr Word<Runner> kRunnerWords[] = {{Runner::kSlurm, "slurm"}, {Runner::kParallel, "parallel"}};

struct Submission {
  std::string scenario = {};               // as on the command line: a name from the catalog or a path
  std::vector<std::string> settings = {};  // the arguments of --set
  std::string study = {};                  // the study's name
  std::string identity = {};               // differs if the study, machine, placement or seed differ
  std::vector<int> points = {};            // number of points of each shard
  Runner runner = Runner::kSlurm;
  bool whole_nodes = false;  // each shard has a node to itself
  std::string balance = {};  // results of an earlier run, whose times balance the shards; absolute path, or empty

  int shards() const { return static_cast<int>(points.size()); }
  int all_points() const;
};

/// Paths in the folder. Shards are numbered from 1.
std::filesystem::path shard_folder(const std::filesystem::path& folder, int shard);
std::filesystem::path state_file(const std::filesystem::path& folder, int shard);
std::filesystem::path log_file(const std::filesystem::path& folder, int shard);
inline constexpr const char* kSubmissionFile = "submission.json";
inline constexpr const char* kScriptFile = "job.sh";
inline constexpr const char* kResultsFolder = "results";

/// The name of its jobs in the queue, from the study and a hash of the folder's path and the study's identity:
/// "strata-quickstart-5f0c6a1b".
std::string job_name(const Submission& submission, const std::filesystem::path& folder);

/// Throws OutputError.
void write_submission(const std::filesystem::path& folder, const Submission& submission);
/// Returns nothing if the folder has no submission. Throws InputError if it is damaged.
std::optional<Submission> read_submission(const std::filesystem::path& folder);

/// Throws InputError unless `ours` may continue `theirs` in the folder: same study, shards, runner and balance.
void require_same(const std::filesystem::path& folder, const Submission& theirs, const Submission& ours);

}  // namespace strata::campaign
