// SPDX-License-Identifier: LGPL-2.1-only
// strata run, report and quickstart: run a study from its scenario, and make its tables and plots.
#include "sim/launcher/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>

#include "analysis/compare.h"
#include "analysis/reproduction.h"
#include "analysis/write_report.h"
#include "base/error.h"
#include "base/output_error.h"
#include "command/command.h"
#include "command/fit_table.h"
#include "command/program_library.h"
#include "command/run_study.h"
#include "command/summary.h"
#include "command/write_page.h"
#include "models/crosscheck.h"
#include "records/folder.h"
#include "scenarios/scenario.h"

namespace strata::command {
namespace {

namespace fs = std::filesystem;

struct RunCommand {
  std::vector<std::string> scenarios, settings;
  std::string out;
  int jobs = default_jobs();
  std::string record, shard, balance;
  bool resume = false, list = false, error_bars = false;
};

// Does not print a table, because a shard has only some of the points.
void tell_shard(const Results& results, const fs::path& out) {
  const ShardContent& shard = *results.manifest.shard;
  fmt::print("{}: shard {}, {} of {} points\n", results.manifest.study.scenario, text_of(shard.shard),
             shard.points.size(), results.manifest.study.points().size());
  std::fprintf(stderr, "records: %s\nnext, with the folders of all %d shards: strata submit merge %s ... --out DIR\n",
               (out / kRecordsFile).c_str(), shard.shard.of, out.c_str());
}

// Whose collectives the points have.
std::string collectives_of(const Study& study) {
  const auto sweeps = [&](const char* parameter) {
    return study.parameters_of(study.points().front()).contains(parameter);
  };
  if (sweeps(kMpiAxis)) return "as mpi says at each point";
  if (study.mpi.empty()) return "SMPI's own; `mpi: openmpi-4.1` and the like have those of a library";
  return text_of_collectives(study.mpi, sweeps(kMpiRulesAxis) ? "the file of each point" : study.mpi_rules);
}

int run(RunCommand o) {
  if (o.error_bars) o.settings.emplace_back("error_bars=true");
  const sim::Installation installation = sim::find_installation();
  if (o.list) {
    const std::vector<std::string> names = scenario_names(installation.scenarios);
    size_t width = 0;
    for (const std::string& name : names) width = std::max(width, name.size());
    for (const std::string& name : names) {
      fmt::print("{:<{}}  {}\n", name, width, load_scenario(installation.scenarios / (name + ".yaml")).study.title);
    }
    return 0;
  }
  if (o.scenarios.empty())
    throw InputError("command line", "no scenario is given", "name one; `strata run --list` shows the catalog");
  std::optional<Shard> shard;
  if (!o.shard.empty()) shard = read_shard(o.shard);
  if (!shard && !o.balance.empty())
    throw InputError("--balance", "says how points are dealt to shards", "give --shard too, or leave it out");
  if (o.jobs < 1) throw InputError("--jobs", fmt::format("{} simulations at a time", o.jobs), "give at least 1");
  const bool several = o.scenarios.size() > 1;
  std::vector<Scenario> scenarios;  // all are read before the first is run
  std::map<fs::path, std::string> results_of;
  for (const std::string& name : o.scenarios) {
    scenarios.push_back(load_study(name, o.settings, installation));
    const fs::path folder = results_folder(name, o.out, several);
    if (!results_of.emplace(folder, name).second) {
      throw InputError("command line", name + " and " + results_of[folder] + " would both go to " + folder.string(),
                       "run them one at a time with --out");
    }
  }
  int code = 0;
  for (size_t i = 0; i < scenarios.size(); ++i) {
    const fs::path out = results_folder(o.scenarios[i], o.out, several);
    if (i > 0) fmt::print("\n");
    const Results results =
        run_study(scenarios[i], o.scenarios[i], o.settings,
                  {.out = out,
                   .jobs = o.jobs,
                   .resume = o.resume,
                   .record = o.record.empty() ? fs::path() : results_folder(o.scenarios[i], o.record, several),
                   .shard = shard,
                   .balance = o.balance.empty() ? fs::path() : results_folder(o.scenarios[i], o.balance, several),
                   .command_line = {}},
                  installation);
    if (shard) {
      tell_shard(results, out);
    } else {
      code = std::max(code, summarise(results, models::cross_check(results)));
      std::fflush(stdout);
      std::fprintf(stderr, "collectives: %s\nrecords: %s\nnext: strata report %s\n",
                   collectives_of(results.manifest.study).c_str(), (out / kRecordsFile).c_str(), out.c_str());
    }
  }
  return code;
}

struct ReportCommand {
  std::vector<std::string> folders, bases;
  std::vector<int> points;
  std::string into, reproduction, html;
};

// Reports if the last record was truncated.
Results load_finished(const std::string& folder) {
  Results results = load_results(folder);
  if (results.truncated) {
    std::fprintf(stderr, "%s: the last record was cut off and is left out; complete it with strata run --resume\n",
                 folder.c_str());
  }
  return results;
}

int disagreement() {
  std::fputs("strata: a model disagrees with the simulation where it should not; see the report\n", stderr);
  return 1;
}

// Writes only the page, without the report.
int report_html(const ReportCommand& o) {
  if (!o.into.empty()) throw InputError("--out", "does not go with --report, which writes one file", "leave one out");
  if (!o.reproduction.empty())
    throw InputError("--reproduction", "does not go with --report, which writes one file",
                     "give them one after the other");
  std::vector<Results> runs;
  for (const std::string& folder : o.folders) runs.push_back(load_finished(folder));
  for (const std::string& folder : o.bases) runs.push_back(load_finished(folder));
  return write_study_page(o.html, runs, o.points) ? 0 : disagreement();
}

int report(const ReportCommand& o) {
  if (!o.html.empty()) return report_html(o);
  if (!o.into.empty() && o.folders.size() != 1)
    throw InputError("--out", "needs exactly one results folder", "give one DIR");
  if (!o.bases.empty() && o.folders.size() != 1) {
    throw InputError("--against", "needs exactly one results folder", "give one DIR, and the base after --against");
  }
  bool all_agree = true;
  std::vector<Results> runs, bases;
  for (const std::string& folder : o.bases) bases.push_back(load_results(folder));
  for (const std::string& folder : o.folders) {
    runs.push_back(load_finished(folder));
    const fs::path into = o.into.empty() ? fs::path(folder) / "report" : fs::path(o.into);
    const analysis::ReportFiles files = analysis::write_report(runs.back(), models::cross_check(runs.back()), into);
    all_agree = all_agree && files.all_agree;
    fmt::print("{}\n", files.markdown.string());
    for (const fs::path& plot : files.plots) fmt::print("{}\n", plot.string());
  }
  if (!o.bases.empty()) {
    const fs::path into = (o.into.empty() ? fs::path(o.folders.front()) / "report" : fs::path(o.into)) / "against";
    const analysis::ReportFiles files = analysis::write_report(analysis::compare(runs.front(), bases), {}, into);
    fmt::print("{}\n", files.markdown.string());
    for (const fs::path& plot : files.plots) fmt::print("{}\n", plot.string());
  }
  if (!o.reproduction.empty()) {
    write_whole(o.reproduction, analysis::reproduction_page(runs));
    fmt::print("{}\n", o.reproduction);
  }
  return all_agree ? 0 : disagreement();
}

struct QuickstartCommand {
  std::string out = "strata-out/quickstart";
  int jobs = default_jobs();
};

int quickstart(const QuickstartCommand& o) {
  const sim::Installation installation = sim::find_installation();
  const Machine machine = find_machine("ntw10e5", installation.machines);
  fmt::print("Machine: {}\n\n", machine.description);
  std::fputs("1. Is the simulated machine the described one? Ping-pongs at each level, fitted (Hockney):\n\n", stdout);
  std::fflush(stdout);
  const std::vector<models::LevelFit> fits = fit_machine(machine, installation);
  fmt::print("{}\n2. Broadcast from one rank to 239 others, native and over the hierarchy of communicators:\n\n",
             fit_table(fits));
  std::fflush(stdout);
  const Results results = run_study(load_study("quickstart", {}, installation), "quickstart", {},
                                    {.out = o.out,
                                     .jobs = o.jobs,
                                     .resume = false,
                                     .replace = true,
                                     .quiet = false,
                                     .record = {},
                                     .command_line = {}},
                                    installation);
  const std::vector<models::CheckRow> checks = models::cross_check(results);
  const int code = summarise(results, checks);
  fmt::print("\nReport and plots:\n");
  write_report_into(fs::path(o.out) / "report", results, checks, "  ");
  fmt::print(
      "\nNext:\n  {0} topo ntw10e5                        the machine\n"
      "  {0} hsplit --machine ntw10e5 --np 48    the communicators\n"
      "  {0} run rr9077/fig5-bcast-ntw10e5       a figure of the paper\n"
      "  {0} run quickstart --set machine=FOLDER/machine.yaml --out mine    your machine\n",
      installation.command);
  return fits_agree(fits) ? code : 1;
}

}  // namespace

void add_run(cli::App& app, Action& action) {
  auto o = std::make_shared<RunCommand>();
  cli::App* sub = app.add_subcommand("run", "Run a scenario: simulate every point of its sweep");
  sub->add_option("SCENARIO", o->scenarios, "scenarios of the catalog or YAML files; several run one after another");
  sub->add_option("--set", o->settings,
                  "change KEY=VALUE for this run: an axis of the sweep, machine, program, ranks, map_by, bind_to, ...");
  sub->add_option("--jobs", o->jobs, "simulations or replays at a time (default: processors)");
  sub->add_option("--out", o->out,
                  "results folder (default strata-out/SCENARIO); several scenarios get a folder each inside it")
      ->writes(cli::Written::kFolder);
  sub->add_option("--record", o->record,
                  "write what the ranks of each point that is simulated do into this folder, point-0.mpitrace: strata "
                  "replay runs it on other machines; with --resume that is the missing points. For a scenario with "
                  "`engine: replay`: use the recordings in this folder, and leave new ones there")
      ->writes(cli::Written::kFolder);
  sub->add_flag("--resume", o->resume, "continue an interrupted run: simulate only the missing points");
  sub->add_option(
         "--shard", o->shard,
         "run part I of N only, for as many machines: 3/8 is the third of eight; strata submit merge puts the parts "
         "together")
      ->type_name("I/N");
  sub->add_option("--balance", o->balance,
                  "with --shard: deal the points by the seconds that they took in this results folder of an earlier "
                  "run (default: by ranks and sizes)")
      ->type_name("DIR");
  sub->add_flag("--error-bars", o->error_bars,
                "say how far times and rates may be off, by the intervals of the machine's figures that strata "
                "calibrate writes; each point also runs with each of these figures at both ends of its interval");
  sub->add_flag("--list", o->list, "list the scenarios of the catalog");
  sub->footer(
      "Examples:\n  strata run --list\n  strata run rr9077/fig5-bcast-ntw10e5 --out fig5 && strata report fig5\n"
      "  strata run quickstart --set machine=my/machine.yaml --set elements=1,1000 --out mine\n"
      "  strata run scenarios/catalog/rr9077/*.yaml --out rr9077 && strata report rr9077/*\n"
      "  strata run my-scenario.yaml --jobs 1 --resume\n"
      "  strata run my-scenario.yaml --set machine=my-cluster --error-bars --out mine && strata report mine\n"
      "  strata run my-scenario.yaml --shard 3/8 --out part3    on the third of eight machines");
  sub->callback([o, &action] { action = [o] { return run(*o); }; });
}

void add_report(cli::App& app, Action& action) {
  auto o = std::make_shared<ReportCommand>();
  cli::App* sub = app.add_subcommand("report", "Make tables and plots from results, and compare results");
  sub->add_option("DIR", o->folders, "results folders")->required();
  sub->add_option("--out", o->into, "folder for the report (default DIR/report)")
      ->writes(cli::Written::kFolder)
      ->formerly("--into");
  sub->add_option("--against", o->bases,
                  "compare DIR with this results folder, point by point; the comparison goes to DIR/report/against")
      ->allow_extra_args(false);
  auto* html =
      sub->add_option("--report", o->html,
                      "write one self-contained page into this file instead; several DIRs are shown side by side")
          ->writes(cli::Written::kFile)
          ->formerly("--html");
  sub->add_option("--point", o->points, "with --report: show the traffic and events of point N of the sweep alone")
      ->allow_extra_args(false)
      ->needs(html);
  sub->add_option("--reproduction", o->reproduction,
                  "write a page into this file that compares the results in all DIRs with the claims of papers")
      ->writes(cli::Written::kFile);
  sub->footer(
      "Examples:\n  strata report strata-out/quickstart\n"
      "  strata report strata-out/quickstart --report quickstart.html\n"
      "  strata report before after --report both.html\n"
      "  strata report strata-out/what-if-fast-network --against strata-out/fig5-bcast-ntw10e5 --against "
      "strata-out/fig8-reduce-ntw10e5\n"
      "  strata report fig5 fig6 --reproduction docs/reproduction.md");
  sub->callback([o, &action] { action = [o] { return report(*o); }; });
}

void add_quickstart(cli::App& app, Action& action) {
  auto o = std::make_shared<QuickstartCommand>();
  cli::App* sub = app.add_subcommand(
      "quickstart", "Run a first study: a broadcast on 240 cores, with and without the machine's hierarchy");
  sub->add_option("--jobs", o->jobs, "simulations at a time (default: processors)")->check(cli::PositiveNumber);
  sub->add_option("--out", o->out, "results folder (default strata-out/quickstart); replaces an older run there")
      ->writes(cli::Written::kFolder);
  sub->footer("Example:\n  strata quickstart");
  sub->callback([o, &action] { action = [o] { return quickstart(*o); }; });
}

}  // namespace strata::command
