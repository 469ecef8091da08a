// SPDX-License-Identifier: LGPL-2.1-only
// Writes the script that runs a shard. Slurm starts it for each index of a job array, GNU parallel with the shard's
// number as argument.
//
// Slurm sends a signal before the time limit. The script passes it on to `strata run`, which keeps its finished points
// and ends; the next attempt continues from there. With `staged`, results are computed in the node's $TMPDIR and then
// copied back. The copy replaces the shard's folder by renaming when it is complete, so a kill at any moment leaves
// either the old results or the new ones.
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
  std::filesystem::path working_folder = {};  // to which relative paths in scenario and settings refer; absolute
  std::string strata = {};                    // shell command that starts strata
  std::string sbatch_options = {};            // further options, as on the command line
};

/// The options of sbatch by which a shard's job can be found again. On sbatch's command line they override those in the
/// script.
std::vector<std::string> array_options(const Job& job, const std::vector<int>& shards);

std::string job_script(const Job& job);

}  // namespace strata::campaign
