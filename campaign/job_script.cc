// SPDX-License-Identifier: LGPL-2.1-only
#include "campaign/job_script.h"

#include <fmt/format.h>

#include <numeric>

#include "base/shell_text.h"
#include "campaign/queue.h"

namespace strata::campaign {
namespace {

// Escapes % in a path, which sbatch would replace.
std::string pattern_of(const std::string& path) {
  std::string text;
  for (const char c : path) text += c == '%' ? std::string("%%") : std::string(1, c);
  return text;
}

// A line in the head of the script. sbatch understands the shell's double quotes.
std::string sbatch_line(const std::string& option) {
  if (option.find_first_of(" \t'") == std::string::npos) return "#SBATCH " + option + "\n";
  const std::size_t equals = option.find('=');
  return "#SBATCH " + option.substr(0, equals + 1) + "\"" + option.substr(equals + 1) + "\"\n";
}

std::vector<int> all_shards(const Submission& submission) {
  std::vector<int> shards(submission.shards());
  std::iota(shards.begin(), shards.end(), 1);
  return shards;
}

std::string slurm_head(const Job& job) {
  const Site& site = job.site;
  std::string head;
  for (const std::string& option : array_options(job, all_shards(job.submission))) head += sbatch_line(option);
  head += sbatch_line("--requeue");
  head += sbatch_line(fmt::format("--signal=B:TERM@{}", site.grace_s));
  head += sbatch_line("--nodes=1") + sbatch_line("--ntasks=1");
  head += sbatch_line(job.submission.whole_nodes ? "--exclusive" : fmt::format("--cpus-per-task={}", site.cpus));
  if (!site.partition.empty()) head += sbatch_line("--partition=" + site.partition);
  if (!site.account.empty()) head += sbatch_line("--account=" + site.account);
  if (!site.time.empty()) head += sbatch_line("--time=" + site.time);
  for (const std::string& option : site.sbatch) head += "#SBATCH " + option + "\n";
  if (!job.sbatch_options.empty()) head += "#SBATCH " + job.sbatch_options + "\n";
  return head;
}

std::string run_words(const Job& job) {
  const Submission& s = job.submission;
  std::vector<std::string> words = {"run", s.scenario};
  for (const std::string& setting : s.settings) words.insert(words.end(), {"--set", setting});
  if (!s.balance.empty()) words.insert(words.end(), {"--balance", s.balance});
  return job.strata + " " + shell_text(words) +
         fmt::format(" --shard \"$shard/{}\" --jobs \"$jobs\" --resume --out \"$out\"", s.shards());
}

// Before strata runs: copies the shard's results to the node.
constexpr const char* kStageIn = R"(
# Computes on the node. An earlier attempt may have been killed between the two renamings below.
scratch=$(mktemp -d "${TMPDIR:-/tmp}/strata-shard.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
out=$scratch/results
mkdir "$out"
[ -d "$results" ] || [ ! -d "$results.old" ] || mv "$results.old" "$results"
[ ! -d "$results" ] || cp -R "$results/." "$out"
)";

// Afterwards: copies them back. Sets `code` if the copy fails.
constexpr const char* kStageOut = R"(
rm -rf "$results.new" "$results.old"
if cp -R "$out" "$results.new" && { [ ! -d "$results" ] || mv "$results" "$results.old"; } && mv "$results.new" "$results"; then
  rm -rf "$results.old"
else
  echo "the results of shard $shard could not be copied to $results" >&2
  [ "$code" -ne 0 ] || code=1
fi
)";

}  // namespace

std::vector<std::string> array_options(const Job& job, const std::vector<int>& shards) {
  return {"--job-name=" + job_name(job.submission, job.folder), "--array=" + array_of(shards),
          "--chdir=" + job.working_folder.string(),
          "--output=" + pattern_of((job.folder / "logs").string()) + "/%a.log", "--open-mode=append"};
}

std::string job_script(const Job& job) {
  const bool slurm = job.submission.runner == Runner::kSlurm;
  std::string script = fmt::format(
      "#!/bin/bash\n"
      "# Runs one of {} shards of {}. Written by strata submit.\n{}\n",
      job.submission.shards(), job.submission.study, slurm ? slurm_head(job) : "");
  script += slurm ? "shard=${1:-${SLURM_ARRAY_TASK_ID:?is not set; submit this script with sbatch}}\n"
                    "jobs=${SLURM_CPUS_ON_NODE:-$(nproc)}\n"
                  : "shard=${1:?give the number of a shard}\njobs=$(nproc)\n";
  script += fmt::format("folder={}\n", shell_text({job.folder}));
  script += "results=$folder/shards/$shard state=$folder/states/$shard\n";
  if (!slurm) {
    script += fmt::format("cd {} || exit 1\n", shell_text({job.working_folder}));
    script += "exec >>\"$folder/logs/$shard.log\" 2>&1\n";
  }
  script += R"(
# A signal to this script ends strata, which keeps its finished points.
stopped= child=
trap 'stopped=yes; [ -z "$child" ] || kill -TERM "$child"' TERM INT HUP
echo "started $(date +%s) $(hostname)${SLURM_ARRAY_JOB_ID:+ ${SLURM_ARRAY_JOB_ID}_$shard}" >"$state"
echo resumed $(sed -n 's/.*"point":\([0-9]*\).*/\1/p' "$results/records.jsonl" 2>/dev/null | sort -u | wc -l) >>"$state"
)";
  for (const std::string& line : job.site.prologue) script += line + "\n";
  script += job.site.staged ? kStageIn : "\nout=$results\n";
  script += R"(code=143
if [ -z "$stopped" ]; then
  )" + run_words(job) +
            R"( &
  child=$!
  while wait "$child"; code=$?; kill -0 "$child" 2>/dev/null; do :; done
fi
)";
  if (job.site.staged) script += kStageOut;
  script += "echo \"ended $(date +%s) $code\" >>\"$state\"\nexit \"$code\"\n";
  return script;
}

}  // namespace strata::campaign
