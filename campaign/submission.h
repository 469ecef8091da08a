// SPDX-License-Identifier: LGPL-2.1-only
// A study that was cut into shards and handed to a cluster, in a folder that all nodes see:
//
//   submission.json   what it is of: the study, how many shards, by Slurm or by GNU parallel
//   job.sh            what runs a shard (job_script.h)
//   shards/3/         the results of shard 3
//   states/3          what its job said of itself: where and when it started, how it ended (shard_state.h)
//   logs/3.log        what it printed
//   results/          all shards together, once they are done
//
// submission.json holds nothing that changes: what runs and what is done is seen in the queue and in the shards.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "platforms/words.h"

namespace strata::campaign {

/// The program that starts the shards.
enum class Runner { kSlurm, kParallel };
inline constexpr Word<Runner> kRunnerWords[] = {{Runner::kSlurm, "slurm"}, {Runner::kParallel, "parallel"}};

struct Submission {
  std::string scenario = {};               // as the command line names it: a name of the catalog or a path
  std::vector<std::string> settings = {};  // of --set
  std::string study = {};                  // its name
  std::string identity = {};               // differs where study, machine, placement or seed do
  std::vector<int> points = {};            // of each shard
  Runner runner = Runner::kSlurm;
  bool whole_nodes = false;  // a shard has a node to itself
  std::string balance = {};  // results of an earlier run, by whose seconds points were dealt; absolute, or empty

  int shards() const { return static_cast<int>(points.size()); }
  int all_points() const;
};

/// Paths in the folder; shards count from 1.
std::filesystem::path shard_folder(const std::filesystem::path& folder, int shard);
std::filesystem::path state_file(const std::filesystem::path& folder, int shard);
std::filesystem::path log_file(const std::filesystem::path& folder, int shard);
inline constexpr const char* kSubmissionFile = "submission.json";
inline constexpr const char* kScriptFile = "job.sh";
inline constexpr const char* kResultsFolder = "results";

/// The name of its jobs in the queue: of the folder's path and the study, "strata-quickstart-5f0c6a1b".
std::string job_name(const Submission& submission, const std::filesystem::path& folder);

/// Throws OutputError.
void write_submission(const std::filesystem::path& folder, const Submission& submission);
/// Nothing where the folder has none. Throws InputError for a damaged one.
std::optional<Submission> read_submission(const std::filesystem::path& folder);

/// Throws InputError unless `ours` may go on in the folder of `theirs`: the same study, shards and runner.
void require_same(const std::filesystem::path& folder, const Submission& theirs, const Submission& ours);

}  // namespace strata::campaign
