// SPDX-License-Identifier: LGPL-2.1-only
// strata replay: replays a recorded program on any machine, without the program. JSON: schemas/replay.schema.json.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "analysis/path_document.h"
#include "analysis/rank_groups.h"
#include "base/error.h"
#include "base/json.h"
#include "command/command.h"
#include "command/error_bar_report.h"
#include "command/mapped_ranks.h"
#include "command/print.h"
#include "command/replay_analysis.h"
#include "command/timeline_file.h"
#include "command/trace_input.h"
#include "command/traced.h"
#include "command/write_page.h"
#include "console/number.h"
#include "mpi_ext/reorder/mapping.h"
#include "platforms/placement.h"
#include "platforms/what_if.h"
#include "records/matrix/matrix_file.h"
#include "records/trace/trace_traffic.h"
#include "replay/engine.h"
#include "replay/replayed_events.h"
#include "replay/replayed_path.h"
#include "replay/sensitivity.h"
#include "replay/slack.h"
#include "scenarios/figure_changes.h"
#include "sim/launcher/scratch.h"

namespace strata::command {
namespace {

constexpr int kDigits = 6;              // of the time in the text, because what-ifs may differ only slightly
constexpr size_t kMostPieces = 10'000;  // of a critical path in JSON
constexpr const char* kWhatIf = "what_if.";

struct Options {
  MachineOptions machine;
  std::string trace, reorder, traffic, timeline, report;
  std::vector<std::string> set;
  bool json = false, strict = false, per_rank = false, critical_path = false, sensitivity = false, error_bars = false;
  double timeout_s = 0;
  int jobs = default_jobs();
  TimelineWords window = {.prefix = "--timeline-"};

  bool has_events() const { return !timeline.empty() || !report.empty(); }
  bool has_history() const { return has_events() || critical_path || sensitivity; }
  bool has_traffic() const { return !traffic.empty() || !report.empty(); }
};

Machine changed(Machine machine, const std::vector<std::string>& settings) {
  std::vector<WhatIf> changes;
  for (const std::string& s : settings) {
    const size_t equal = s.find('=');
    if (!s.starts_with(kWhatIf) || equal == std::string::npos)
      throw InputError("--set " + s, "does not change the machine", "write --set what_if.FIGURE=VALUE or FACTORx");
    const std::string figure = s.substr(std::string(kWhatIf).size(), equal - std::string(kWhatIf).size());
    set_what_if(figure, s.substr(equal + 1), "--set " + s.substr(0, equal), changes);
  }
  return what_if(std::move(machine), changes);
}

// The ranks in the order of --reorder: by a matrix, or by a method and the messages of the trace.
std::vector<Binding> reorder(const Options& o, const Machine& machine, const Trace& trace,
                             const std::vector<Binding>& ranks) {
  const auto order = static_cast<int>(ranks.size());
  const std::optional<mpix::MapMethod> method = mpix::map_method(o.reorder);
  const Pattern pattern = method ? traffic_of(trace).bytes : read_matrix(o.reorder, order);
  return analysis::by_application(
      ranks, processes_by_mapping(machine, ranks, pattern, method.value_or(mpix::MapMethod::kTreeMatch)));
}

// Writes the files of a replay, which are the same as those of a simulation.
void keep_files(const Options& o, const Trace& trace, const Machine& machine, const std::vector<Binding>& ranks,
                const replay::History& history, const replay::Traffic& traffic) {
  if (!o.traffic.empty()) traffic.write(o.traffic);
  if (!o.has_events()) return;
  const EventStore events = EventStore::in_memory();
  const Profile profile = replay::write_events(history,
                                               {.program = trace.program,
                                                .machine = machine.name,
                                                .functions = trace.functions,
                                                .cores = core_indexes(*machine.topology, ranks)},
                                               events);
  if (!o.timeline.empty()) write_timeline_of(events, machine, o.window, o.timeline);
  if (o.report.empty()) return;
  const sim::ScratchFolder folder;  // the page reads a part of each matrix of messages
  traffic.write(folder.path() / "traffic");
  write_program_page(o.report, {.program = std::filesystem::path(trace.program).filename().string(),
                                .machine = machine,
                                .ranks = ranks,
                                .profile = profile,
                                .levels = traffic.levels(),
                                .traffic = folder.path() / "traffic",
                                .events = events});
}

int replay(const Options& o) {
  const sim::Installation installation = sim::find_installation();
  const TraceInput input = read_any_trace(o.trace, o.machine, installation, o.timeout_s);
  const Trace& trace = input.trace;
  const Machine& machine = input.machine;
  const std::vector<std::string> doubts = doubtful(trace);
  if (o.strict && !doubts.empty()) {
    throw InputError(
        o.trace,
        fmt::format("the program asked what another machine may answer otherwise: {}", fmt::join(doubts, ", ")),
        "without --strict the recorded answers are kept");
  }
  std::vector<Binding> ranks = place_trace(o.machine, o.trace, machine, trace);
  const Machine shown = changed(machine, o.set);
  if (!o.timeline.empty()) check_timeline(o.window, static_cast<int>(ranks.size()), o.timeline);
  if (!o.reorder.empty()) ranks = reorder(o, shown, trace, ranks);
  const std::vector<int> cores = core_indexes(*shown.topology, ranks);
  replay::History history;
  replay::Traffic traffic;
  const replay::Replayed result = replay::replay(
      trace, shown, cores,
      {.history = o.has_history() ? &history : nullptr, .traffic = o.has_traffic() ? &traffic : nullptr});
  keep_files(o, trace, shown, ranks, history, traffic);
  std::vector<replay::PathStep> steps;
  if (o.critical_path || o.sensitivity) steps = replay::critical_steps(history);
  std::optional<CriticalPath> path;
  if (o.critical_path) path = replay::critical_path(steps, history, shown, cores, trace.functions);
  std::optional<replay::SlackSummary> slack;
  if (o.critical_path) slack = replay::summary_of(replay::slack_of_messages(history), history, shown, cores);
  std::vector<replay::Sensitivity> sensitivities;
  if (o.sensitivity) {
    sensitivities = replay::sensitivities(
        shown, cores, history, steps, [&](const Machine& m) { return replay::replay(trace, m, cores).simulated_time; },
        o.jobs, progress_of("replays with a percent more or less of each figure"));
  }
  std::optional<replay::ErrorBar> bar;
  if (o.error_bars) bar = error_bar_of(trace, shown, cores, result.simulated_time, o.jobs);
  if (o.json) {
    Json json = {{"schema", "strata.replay/1"}, {"program", trace.program},
                 {"machine", shown.name},       {"machine_hash", machine_hash(shown)},
                 {"ranks", trace.cores.size()}, {"simulated_time", {{"value", result.simulated_time}, {"unit", "s"}}},
                 {"messages", result.messages}, {"bytes", result.bytes},
                 {"order_may_differ", doubts}};
    if (o.per_rank) json["ended"] = result.ended;
    if (o.critical_path) {
      json["critical_path"] = analysis::replay_path_json(*path, kMostPieces);
      json["slack"] = slack_json(*slack);
    }
    if (o.sensitivity) json["sensitivity"] = sensitivity_json(sensitivities);
    if (bar) json["error_bar"] = error_bar_json(*bar, shown);
    print(json);
    return 0;
  }
  print(fmt::format("{}: {} ranks on {}: {}\n", trace.program, trace.cores.size(), shown.name,
                    console::with_unit(result.simulated_time, "s", kDigits)));
  if (o.per_rank) {
    for (size_t r = 0; r < result.ended.size(); ++r) std::printf("rank %zu %.17g\n", r, result.ended[r]);
  }
  std::string text;
  if (bar) text += "\n" + error_bar_text(*bar, result.simulated_time, shown);
  if (o.critical_path) text += "\n" + analysis::replay_path_text(*path) + "\n" + slack_text(*slack);
  if (o.sensitivity) text += "\n" + sensitivity_text(sensitivities, result.simulated_time);
  std::fputs(text.c_str(), stdout);
  tell_doubts(doubts);
  return 0;
}

}  // namespace

void add_replay(cli::App& app, Action& action) {
  auto o = std::make_shared<Options>();
  cli::App* sub = app.add_subcommand("replay", "Run a recorded program again on any machine, without the program");
  sub->add_option("TRACE", o->trace, kTraceFormats)->required();
  o->machine.add_machine(*sub);
  o->machine.add_placement(*sub);
  sub->add_option("--set", o->set, "what_if.FIGURE=VALUE: another figure of the machine, such as what_if.core.speed=2x")
      ->allow_extra_args(false);
  sub->add_option("--reorder", o->reorder,
                  "place the ranks by their messages: treematch or scotch, by those of the trace, or a matrix file "
                  "recorded before (--traffic's size.mtx)");
  sub->add_flag("--critical-path", o->critical_path,
                "say what decides the simulated time: the chain of work and messages from start to end; and the slack "
                "of the other messages");
  sub->add_flag("--sensitivity", o->sensitivity, "say how much a percent of each figure of the machine is worth");
  sub->add_flag("--error-bars", o->error_bars,
                "say how far the simulated time may be off, by the intervals of the machine's figures that strata "
                "calibrate writes");
  sub->add_option("--jobs", o->jobs,
                  "replays at a time, for --sensitivity and --error-bars (default: one per processor)")
      ->check(cli::PositiveNumber);
  sub->add_option("--traffic", o->traffic, "keep matrices of messages, and what links carried, in this folder")
      ->writes(cli::Written::kFolder);
  sub->add_option("--timeline", o->timeline,
                  "write what each rank did, when: .paje (ViTE), .json or .json.gz (ui.perfetto.dev), .otf2 (Vampir)")
      ->writes(cli::Written::kFileOrFolder);
  add_timeline_window(*sub, o->window);
  sub->add_option("--report", o->report, "write a self-contained page (HTML) for exploring the replay into this file")
      ->writes(cli::Written::kFile);
  sub->add_flag("--strict", o->strict, "refuse a program that asked what another machine may answer otherwise");
  sub->add_option("--limit", o->timeout_s, kTraceTimeout)->check(cli::PositiveNumber)->formerly("--timeout");
  sub->add_flag("--per-rank", o->per_rank, "also when each rank ends")->formerly("--ranks");
  sub->add_flag("--json", o->json, "print a JSON document");
  sub->footer(
      "Without --machine it is that of the recording, which carries it, with each rank where it was; GOAL, TI and\n"
      "OTF2 have none.\n"
      "The file's first bytes show its format.\n"
      "Examples:\n  strata exec --machine ntw10e5 -n 48 --record app.mpitrace -- ./app\n"
      "  strata replay app.mpitrace\n"
      "  strata replay app.mpitrace --machine theta\n"
      "  strata replay app.mpitrace --map-by node --set what_if.Package.latency=2x\n"
      "  strata replay app.mpitrace --critical-path --sensitivity\n"
      "  strata replay app.mpitrace --machine my-cluster --error-bars\n"
      "  strata replay app.mpitrace --reorder treematch --timeline app.json.gz --traffic messages --report app.html\n"
      "  strata replay app.goal --machine ntw10e5\n"
      "  smpirun -trace-ti ... ./app && strata replay smpi_simgrid.txt --machine ntw10e5");
  sub->require_subcommand(0, 1);
  add_timeline(*sub, action);
  add_trace(*sub, action);
  sub->callback([o, &action] { action = [o] { return replay(*o); }; });
}

}  // namespace strata::command
