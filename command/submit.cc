// SPDX-License-Identifier: LGPL-2.1-only
// strata submit and strata submit status: run a study in shards on a cluster, with Slurm or GNU parallel.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "base/child.h"
#include "base/error.h"
#include "base/output_error.h"
#include "base/own_file.h"
#include "base/shell_text.h"
#include "base/whole_file.h"
#include "campaign/job_script.h"
#include "campaign/parallel.h"
#include "campaign/site.h"
#include "campaign/slurm.h"
#include "campaign/status.h"
#include "command/command.h"
#include "command/merge_runs.h"
#include "command/print.h"
#include "command/run_study.h"
#include "command/summary.h"
#include "console/progress.h"
#include "models/crosscheck.h"
#include "records/folder.h"
#include "sim/launcher/run.h"
#include "sim/launcher/run_start.h"

namespace strata::command {
namespace {

namespace fs = std::filesystem;
using campaign::Job;
using campaign::Runner;
using campaign::ShardStatus;
using campaign::State;
using campaign::Submission;

struct SubmitCommand {
  std::string scenario, out, with = "slurm", hosts, site_file, sbatch_options, balance;
  std::vector<std::string> settings;
  int nodes = 0, shards = 0, retries = 3;
  std::vector<std::pair<std::string, std::string>> site_keys;  // from options: key, value
  bool staged = false, dry_run = false;
};

fs::path folder_of(const SubmitCommand& o) {
  if (!o.out.empty()) return o.out;
  return "strata-out/" + fs::path(o.scenario).stem().string() + "-shards";
}

// The command line that continues where this one was interrupted.
std::string again(const SubmitCommand& o) {
  std::vector<std::string> words = {"strata", "submit", o.scenario};
  const auto add = [&](const std::string& option, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {option, value});
  };
  for (const std::string& setting : o.settings) add("--set", setting);
  add("--out", o.out);
  if (o.with != "slurm") add("--with", o.with);
  add("--hosts", o.hosts);
  add("--site", o.site_file);
  for (const auto& [key, value] : o.site_keys) add("--" + key, value);
  if (o.retries != SubmitCommand().retries) add("--retries", std::to_string(o.retries));
  if (o.staged) words.emplace_back("--staged");
  if (!o.sbatch_options.empty()) words.push_back("--sbatch-args=" + o.sbatch_options);
  return shell_text(words);
}

campaign::Site site_of(const SubmitCommand& o) {
  const fs::path file = o.site_file.empty() ? campaign::user_site() : fs::path(o.site_file);
  campaign::Site site = file.empty() ? campaign::Site() : campaign::load_site(file);
  for (const auto& [key, value] : o.site_keys) campaign::set_key(site, key, "--" + key, value);
  if (o.staged) site.staged = true;
  return site;
}

// The number of shards from the command line, or else from the folder.
int shards_of(const SubmitCommand& o, const std::optional<Submission>& earlier, Runner runner, int points) {
  const int asked = std::max(o.nodes, o.shards);
  if (asked == 0 && earlier) return earlier->shards();
  // With several shards per host, fast hosts can take more of them.
  constexpr int kShardsOfHost = 4;
  if (asked == 0 && runner == Runner::kParallel)
    return std::min(points, kShardsOfHost * campaign::count_hosts(o.hosts));
  if (asked == 0)
    throw InputError("command line", "does not say into how many shards",
                     "give --shards N, for N jobs, or --nodes N, for N jobs with a node each");
  if (asked > points && !earlier)
    console::tell(fmt::format("{} points: {} shards instead of {}\n", points, points, asked));
  return std::min(asked, points);
}

Submission submission_of(const SubmitCommand& o, Runner runner, const std::optional<Submission>& earlier) {
  const sim::Installation installation = sim::find_installation();
  const Scenario scenario = load_study(o.scenario, o.settings, installation);
  Submission s{.scenario = o.scenario,
               .settings = o.settings,
               .study = scenario.study.scenario,
               .runner = runner,
               .whole_nodes = o.nodes > 0};
  if (earlier && o.nodes + o.shards == 0) s.whole_nodes = earlier->whole_nodes;
  s.balance = !o.balance.empty() ? fs::absolute(o.balance).string() : earlier ? earlier->balance : "";
  const int shards = shards_of(o, earlier, runner, static_cast<int>(scenario.study.points().size()));
  const sim::RunParts parts =
      sim::parts_of(scenario, sim::machine_of(scenario, installation), installation, shards, s.balance);
  s.identity = parts.identity;
  s.points = parts.points;
  return s;
}

void make_folders(const fs::path& folder) {
  for (const char* part : {"shards", "states", "logs"}) {
    std::error_code error;
    fs::create_directories(folder / part, error);
    if (error)
      throw OutputError((folder / part).string(), "cannot be made: " + error.message(), "choose another --out");
  }
}

std::string this_program() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).string();
}

// Shows the progress of the shards: a line that is redrawn, or a line for each change of state.
class Shown {
 public:
  explicit Shown(const Submission& submission)
      : progress_({.what = submission.study, .total = static_cast<std::size_t>(submission.all_points())}) {}
  void shards(const std::vector<ShardStatus>& shards) {
    const campaign::Counts counts = campaign::count(shards);
    progress_.points_done(static_cast<std::size_t>(counts.points_done), campaign::describe(counts),
                          campaign::seconds_left(shards, std::time(nullptr)));
  }
  void line(const std::string& text) { progress_.note("strata: " + text); }

 private:
  console::Progress progress_;
};

// Fails with a line about the shards that were given up.
[[noreturn]] void fail(const std::vector<ShardStatus>& shards, const fs::path& folder) {
  std::string numbers;
  const ShardStatus* first = nullptr;
  for (const ShardStatus& s : shards) {
    if (s.state == State::kDone) continue;
    if (first == nullptr) first = &s;
    numbers += (numbers.empty() ? "" : ", ") + std::to_string(s.number);
  }
  const fs::path log = campaign::log_file(folder, first->number);
  constexpr long kEnd_bytes = 4096;
  const std::string said = campaign::last_line(read_end(log, kEnd_bytes));
  throw sim::SimulationFailed(fmt::format(
      "shards {} of {} are not done; shard {}: {}{}; its log is {}, and the same command submits them again", numbers,
      shards.size(), first->number, first->reason.empty() ? "its job never started" : first->reason,
      said.empty() ? "" : ": " + said, log.string()));
}

// Merges all shards into one results folder, and prints the table and report.
int finish(const fs::path& folder, const Submission& submission) {
  const fs::path out = folder / campaign::kResultsFolder;
  std::error_code ignored;
  if (!fs::exists(out / kManifestFile, ignored)) {
    std::vector<fs::path> folders;
    for (int shard = 1; shard <= submission.shards(); ++shard) folders.push_back(campaign::shard_folder(folder, shard));
    const SignalGuard guard;
    merge_with_progress(load_shards(folders), out);
  }
  const Results results = load_results(out);
  const std::vector<models::CheckRow> checks = models::cross_check(results);
  const int code = summarise(results, checks);
  fmt::print("\n");
  write_report_into(out / "report", results, checks);
  std::fflush(stdout);
  console::tell("records: " + (out / kRecordsFile).string() + "\n");
  return code;
}

int submit(const SubmitCommand& o) {
  const std::optional<Runner> runner = find_word(campaign::kRunnerWords, o.with);
  if (!runner) throw InputError("--with", "'" + o.with + "' is not known", "give slurm or parallel");
  if (*runner == Runner::kParallel && o.hosts.empty())
    throw InputError("--with parallel", "needs the computers to use", "give --hosts FILE, with a host on each line");
  if (*runner == Runner::kSlurm && !o.hosts.empty())
    throw InputError("--hosts", "is for --with parallel", "leave it out, or give --with parallel");
  const fs::path out = folder_of(o), folder = fs::absolute(out).lexically_normal();
  std::error_code ignored;
  if (fs::exists(folder / kManifestFile, ignored))
    throw InputError(out.string(), "holds the results of strata run", "choose another --out");
  const std::optional<Submission> earlier = campaign::read_submission(folder);
  Job job{.submission = submission_of(o, *runner, earlier),
          .site = site_of(o),
          .folder = folder,
          .working_folder = fs::current_path(),
          .sbatch_options = o.sbatch_options};
  job.strata = job.site.strata.empty() ? shell_text({this_program()}) : job.site.strata;
  if (earlier) campaign::require_same(out, *earlier, job.submission);
  if (o.dry_run) {
    std::fputs(campaign::job_script(job).c_str(), stdout);
    return 0;
  }
  {
    const SignalGuard guard;
    std::string fault;  // ask before anything is written
    if (*runner == Runner::kSlurm && !campaign::ask_queue(campaign::job_name(job.submission, folder), fault))
      throw InputError("squeue", fault, "try again when Slurm answers");
    make_folders(folder);
    const FolderLock lock(folder);
    if (!earlier) campaign::write_submission(folder, job.submission);
    write_whole(folder / campaign::kScriptFile, campaign::job_script(job));
    try {
      Shown shown(job.submission);
      const campaign::RunOptions options{.retries = o.retries,
                                         .show = [&](const std::vector<ShardStatus>& shards) { shown.shards(shards); },
                                         .tell = [&](const std::string& line) { shown.line(line); }};
      const std::vector<ShardStatus> shards = *runner == Runner::kSlurm ? campaign::run_on_slurm(job, options)
                                                                        : campaign::run_on_hosts(job, o.hosts, options);
      if (campaign::count(shards).done < static_cast<int>(shards.size())) fail(shards, out);
    } catch (const Interrupted& e) {
      const std::string kept = *runner == Runner::kSlurm ? fmt::format("the jobs go on: `{}` shows them",
                                                                       shell_text({"strata", "submit", "status", out}))
                                                         : "finished points are kept";
      std::fprintf(stderr, "strata: interrupted; %s; `%s` continues\n", kept.c_str(), again(o).c_str());
      return 128 + e.signal;
    }
  }
  return finish(folder, job.submission);
}

struct StatusCommand {
  std::string folder;
  bool json = false;
};

// Whether another strata submit is active in the folder.
bool is_watched(const fs::path& folder) {
  try {
    const FolderLock lock(folder);
    return false;
  } catch (const OutputError&) {
    return true;
  }
}

int status(const StatusCommand& o) {
  const fs::path folder = fs::absolute(o.folder).lexically_normal();
  const std::optional<Submission> submission = campaign::read_submission(folder);
  if (!submission)
    throw InputError(o.folder, "is not a folder of strata submit", "name one that has a submission.json");
  // Ask the queue before looking at the files: the files then show a shard that ends in between.
  std::optional<std::map<int, campaign::QueuedShard>> queue;
  bool alive = true;
  if (submission->runner == Runner::kSlurm) {
    const SignalGuard guard;
    std::string fault;
    try {
      queue = campaign::ask_queue(campaign::job_name(*submission, folder), fault);
    } catch (const InputError&) {
      fault = "squeue is not on the PATH";
    }
    if (!queue) console::tell("strata: " + fault + "; the table shows the last state that the jobs have written\n");
  } else {
    alive = is_watched(folder);
  }
  campaign::Watch watch(folder, *submission);
  campaign::Status s{
      .folder = o.folder, .submission = *submission, .shards = watch.look(queue ? &*queue : nullptr, alive)};
  s.left_s = campaign::seconds_left(s.shards, std::time(nullptr));
  if (o.json) {
    print(campaign::status_json(s));
  } else {
    print(campaign::status_table(s), {{"shard", console::Style::kHeading}});
  }
  return 0;
}

}  // namespace

void add_submit(cli::App& app, Action& action) {
  auto o = std::make_shared<SubmitCommand>();
  cli::App* sub = app.add_subcommand(
      "submit", "Run a scenario on a cluster, in shards: a Slurm job array, or GNU parallel over ssh");
  sub->add_option("SCENARIO", o->scenario, "a scenario of the catalog or a YAML file")->required();
  sub->add_option("--set", o->settings, "as strata run --set")->allow_extra_args(false);
  auto* nodes = sub->add_option("--nodes", o->nodes, "cut the points into N shards, each with a node to itself");
  auto* shards = sub->add_option("--shards", o->shards, "cut them into N shards of --cpus processors each");
  nodes->check(cli::PositiveNumber)->type_name("N");
  shards->check(cli::PositiveNumber)->type_name("N")->excludes(nodes);
  sub->add_option("--out", o->out,
                  "folder that all nodes see (default strata-out/SCENARIO-shards); its results/ gets the results")
      ->writes(cli::Written::kFolder);
  const auto add_key = [&](const std::string& key, const std::string& meaning) {
    return sub->add_option(
        "--" + key, [o, key](const std::string& value) { o->site_keys.emplace_back(key, value); }, meaning);
  };
  add_key("partition", "partition of Slurm");
  add_key("account", "account that jobs are charged to");
  add_key("time",
          "time limit of a shard: minutes, or hours:minutes:seconds; a shard that reaches it is submitted again");
  add_key("cpus", "processors of a shard with --shards (default 1)");
  add_key("poll", "seconds between two looks at the queue (default 10)");
  sub->add_flag("--staged", o->staged,
                "compute in the node's $TMPDIR; copy results to the shared folder when a shard ends");
  sub->add_option("--sbatch-args", o->sbatch_options, "more options of sbatch: --sbatch-args=\"--mem=4G --qos=long\"");
  sub->add_option("--site", o->site_file,
                  "site file with these settings and more (default ~/.config/strata/site.yaml, if it is there)");
  sub->add_option("--balance", o->balance,
                  "deal the points by the seconds that they took in this results folder of an earlier run")
      ->type_name("DIR");
  sub->add_option("--retries", o->retries,
                  "how often to submit a shard again that fails without a new point (default 3)")
      ->check(cli::Range(0, 1000));
  sub->add_option("--with", o->with, "slurm (default), or parallel: GNU parallel, on the computers of --hosts")
      ->suggests({"slurm", "parallel"});
  sub->add_option("--hosts", o->hosts, "file with a host on each line, as ssh takes it; ':' is this computer");
  sub->add_flag("--dry-run", o->dry_run, "print the job script and submit nothing");
  sub->footer(
      "Examples:\n  strata submit my.yaml --nodes 20 --partition compute --time 04:00:00\n"
      "  strata submit my.yaml --shards 100 --staged --out /scratch/me/study\n"
      "  strata submit my.yaml --shards 8 --dry-run\n"
      "  strata submit my.yaml --with parallel --hosts hosts.txt\n"
      "  strata submit status strata-out/my-shards\n"
      "Ctrl-C leaves Slurm's jobs running; the same command comes back to them. docs/clusters.md has more.");
  sub->require_subcommand(0, 1);
  add_status(*sub, action);
  add_merge(*sub, action);
  sub->callback([o, &action] { action = [o] { return submit(*o); }; });
}

void add_status(cli::App& app, Action& action) {
  auto o = std::make_shared<StatusCommand>();
  cli::App* sub = app.add_subcommand("status", "Show how far the shards of strata submit are");
  sub->add_option("DIR", o->folder, "the folder of strata submit")->required();
  sub->add_flag("--json", o->json, "print one JSON document (strata.status/1)");
  sub->footer(
      "Examples:\n  strata submit status strata-out/my-shards\n  strata submit status /scratch/me/study --json");
  sub->callback([o, &action] { action = [o] { return status(*o); }; });
}

}  // namespace strata::command
