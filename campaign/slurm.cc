// SPDX-License-Identifier: LGPL-2.1-only
#include "campaign/slurm.h"

#include <fmt/format.h>

#include <chrono>
#include <stdexcept>
#include <thread>

#include "base/error.h"
#include "campaign/attempts.h"

namespace strata::campaign {
namespace {

constexpr int kMissing = 127;

void wait_s(double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::duration<double>(seconds);
  while (Clock::now() < until) {
    SignalGuard::check();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

[[noreturn]] void refuse_without_slurm() {
  throw InputError("sbatch and squeue", "are not on the PATH: this computer does not submit to Slurm",
                   "log in to one that does, use --with parallel --hosts FILE, or see the job script with --dry-run");
}

// Submits these shards, and returns the job ID of the array.
std::string submit(const Job& job, const std::vector<int>& shards) {
  std::vector<std::string> words = {"sbatch", "--parsable"};
  for (const std::string& option : array_options(job, shards)) words.push_back(option);
  words.push_back((job.folder / kScriptFile).string());
  forget(job.folder, shards);
  const Answered answer = ask(words);
  if (answer.code == kMissing) refuse_without_slurm();
  std::string number = parse_job(answer.out);
  if (answer.code == 0 && !number.empty()) return number;
  const std::string said = last_line(answer.err.empty() ? answer.out : answer.err);
  const bool array = said.find("array") != std::string::npos;
  throw InputError("sbatch", said.empty() ? fmt::format("exit code {}", answer.code) : said,
                   array ? "give fewer shards than MaxArraySize of `scontrol show config`"
                         : "correct --partition, --time, --sbatch-args or the site file");
}

}  // namespace

std::optional<std::map<int, QueuedShard>> ask_queue(const std::string& name, std::string& fault) {
  const Answered answer =
      ask({"squeue", "--noheader", "--array", "--name=" + name, std::string("--format=") + kQueueFormat});
  if (answer.code == kMissing) refuse_without_slurm();
  if (answer.code != 0) {
    fault = last_line(answer.err);
    if (fault.empty()) fault = "squeue does not answer";
    return std::nullopt;
  }
  try {
    return parse_queue(answer.out);
  } catch (const std::runtime_error& e) {
    fault = e.what();
    return std::nullopt;
  }
}

std::vector<ShardStatus> run_on_slurm(const Job& job, const RunOptions& options) {
  constexpr int kPatience = 3;
  const std::string name = job_name(job.submission, job.folder);
  Watch watch(job.folder, job.submission);
  Attempts attempts(job.submission.shards(), options.retries, kPatience);
  for (bool answered = true;;) {
    // Ask the queue before looking at the files: the files then show a shard that ends in between.
    std::string fault;
    const auto queue = ask_queue(name, fault);
    if (!queue) {
      if (answered) options.tell(fault + "; asking again");
      answered = false;
      wait_s(job.site.poll_s);
      continue;
    }
    answered = true;
    std::vector<ShardStatus> shards = watch.look(&*queue, true);
    options.show(shards);
    if (const std::vector<int> due = attempts.due(shards); !due.empty()) {
      options.tell(fmt::format("job {}: shards {}", submit(job, due), array_of(due)));
      continue;
    }
    bool over = true;
    for (const ShardStatus& s : shards) over = over && (s.state == State::kDone || attempts.given_up(s.number));
    if (over) return shards;
    wait_s(job.site.poll_s);
  }
}

}  // namespace strata::campaign
