// SPDX-License-Identifier: LGPL-2.1-only
#include "campaign/parallel.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <chrono>
#include <fstream>
#include <limits>
#include <sstream>
#include <system_error>

#include "base/error.h"
#include "base/own_file.h"
#include "base/shell_text.h"
#include "campaign/attempts.h"
#include "sim/launcher/scratch.h"

namespace strata::campaign {

namespace fs = std::filesystem;

namespace {

// Calls parallel once for these shards. Returns its stderr.
std::string run_parallel(const Job& job, const fs::path& hosts, const std::vector<int>& shards,
                         const std::function<void()>& meanwhile) {
  const fs::path joblog = job.folder / "logs" / "parallel.joblog";
  std::error_code ignored;
  fs::remove(joblog, ignored);
  std::vector<std::string> words = {"parallel", "--will-cite", "--jobs", "1"};
  words.insert(words.end(), {"--sshloginfile", fs::absolute(hosts), "--joblog", joblog});
  words.insert(words.end(), {"bash " + shell_text({job.folder / kScriptFile}) + " {}", ":::"});
  for (const int shard : shards) words.push_back(std::to_string(shard));
  const sim::ScratchFolder scratch;
  const Ended ended = strata::run({.words = words, .folder = job.working_folder, .output = scratch.path()},
                                  std::numeric_limits<double>::max(), meanwhile);
  if (WIFEXITED(ended.status) && WEXITSTATUS(ended.status) == 127 && !fs::exists(joblog, ignored))
    throw InputError("parallel", "is not on the PATH", "install GNU parallel (Debian: parallel)");
  return read_whole(scratch.path() / "err");
}

}  // namespace

std::map<int, LoggedJob> parse_joblog(const std::string& text) {
  std::map<int, LoggedJob> jobs;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line) && !lines.eof();) {
    std::istringstream fields(line);
    int number = 0;
    LoggedJob logged;
    std::string start, runtime, sent, received;
    if (fields >> number >> logged.host >> start >> runtime >> sent >> received >> logged.code >> logged.signal)
      jobs[number] = logged;
  }
  return jobs;
}

int count_hosts(const fs::path& file) {
  std::ifstream in(file);
  if (!in)
    throw InputError(file.string(), "cannot be read", "name a file with a host on each line; ':' is this computer");
  int hosts = 0;
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    hosts += first != std::string::npos && line[first] != '#';
  }
  if (hosts == 0) throw InputError(file.string(), "has no hosts", "write one on each line; ':' is this computer");
  return hosts;
}

std::vector<ShardStatus> run_on_hosts(const Job& job, const fs::path& hosts, const RunOptions& options) {
  using Clock = std::chrono::steady_clock;
  Watch watch(job.folder, job.submission);
  Attempts attempts(job.submission.shards(), options.retries, 1);
  while (true) {
    std::vector<ShardStatus> shards = watch.look(nullptr, false);
    const std::vector<int> due = attempts.due(shards);
    options.show(shards);
    if (due.empty()) return shards;
    forget(job.folder, due);
    auto next = Clock::now();
    const std::string said = run_parallel(job, hosts, due, [&] {
      if (Clock::now() < next) return;
      options.show(watch.look(nullptr, true));
      next = Clock::now() + std::chrono::seconds(job.site.poll_s);
    });
    // If a job never began, only parallel knows why.
    shards = watch.look(nullptr, false);
    const std::map<int, LoggedJob> logged = parse_joblog(read_whole(job.folder / "logs" / "parallel.joblog"));
    for (std::size_t i = 0; i < due.size(); ++i) {
      if (shards[due[i] - 1].state != State::kMissing) continue;
      const auto at = logged.find(static_cast<int>(i) + 1);
      std::string where;
      if (at != logged.end())
        where = at->second.signal != 0 ? fmt::format(" on {}: killed by signal {}", at->second.host, at->second.signal)
                                       : fmt::format(" on {}: exit code {}", at->second.host, at->second.code);
      options.tell(fmt::format("shard {} did not start{}; {}", due[i], where, last_line(said)));
    }
  }
}

}  // namespace strata::campaign
