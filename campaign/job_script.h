// SPDX-License-Identifier: LGPL-2.1-only
// The script that runs a shard: Slurm for each index of a job array, GNU parallel with the shard's number as argument.
//
// A signal that asks it to end, as Slurm sends before the time limit, ends `strata run`, which keeps its finished
// points; the next attempt continues from there. With `staged` the results are computed in the node's $TMPDIR. They
// take the place of the shard's folder by renaming when all of them are copied, so that a kill at any moment leaves
// either the old ones or the new ones.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "campaign/site.h"
#include "campaign/submission.h"

namespace strata::campaign {

struct Job {
  Submission submission = {};
  Site site = {};
  std::filesystem::path folder = {};          // of the submission; absolute
  std::filesystem::path working_folder = {};  // in which the scenario and its settings name files; absolute
  std::string strata = {};                    // shell words that start it
  std::string sbatch_options = {};            // more of them, as the command line gives them
};

/// The options of sbatch that a shard needs to be found again. Given on its command line they replace others.
std::vector<std::string> array_options(const Job& job, const std::vector<int>& shards);

std::string job_script(const Job& job);

}  // namespace strata::campaign
