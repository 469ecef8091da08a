// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/whole_file.h"
#include "console/number.h"
#include "platforms/what_if.h"
#include "records/folder.h"
#include "records/trace/program_hash.h"
#include "sim/launcher/failure.h"
#include "sim/launcher/measurements.h"
#include "sim/launcher/parameters_text.h"
#include "sim/launcher/recordings.h"
#include "sim/launcher/workers.h"

namespace strata::sim {

namespace fs = std::filesystem;

void Points::simulate(const std::set<int>& done, RunFolder& folder) {
  if (!options_.record.empty()) make_folder(options_.record);
  const Traffic traffic = *traffic_of(manifest_.study.traffic);
  std::vector<Simulation> simulations;
  std::map<int, fs::path> outputs;  // by point
  const std::vector<int> left = without(done);
  const std::vector<PointRun> runs = runs_of(left);
  for (const PointRun& run : runs) {
    const int p = run.point;
    Simulation s = simulation_of(p);
    s.stage = stage_of(run);
    if (run.run > 0) {  // only its measurements are of interest
      simulations.push_back(std::move(s));
      continue;
    }
    s.output = outputs[p] = folder.output_of(p);
    if (manifest_.study.traces) {
      s.trace = fs::absolute(options_.out) / trace_path(p);
      s.events = fs::absolute(options_.out) / events_path(p);
    }
    if (!options_.record.empty()) s.record = fs::absolute(options_.record) / fmt::format("point-{}.mpitrace", p);
    if (traffic.kept) {
      s.traffic = traffic;
      s.traffic_folder = fs::absolute(options_.out) / traffic_path(p);
      make_folder(s.traffic_folder);
    }
    simulations.push_back(std::move(s));
  }
  compute(left, folder, [&](const Report& report) {
    run_simulations(stages_, simulations, jobs(), [&](size_t i, const Outcome& outcome) {
      const PointRun& run = runs[i];
      const fs::path output = run.run > 0 ? fs::path() : shown(simulations[i].output);
      if (!outcome.failure.empty()) return report(run, {.failure = failure_of(name_of(run), outcome, output)});
      const Measured found = measured(manifest_.study.metrics(), outcome);
      if (!found.failure.empty()) return report(run, {.failure = failure_of(name_of(run), found, output)});
      report(run, {.lines = found.lines, .wall_s = outcome.wall_s});
      if (!bars_.contains(run.point)) folder.settle_output(run.point, outputs.at(run.point));  // the point is kept
      return true;
    });
  });
}

void Points::replay(const std::set<int>& done, RunFolder& folder) {
  const std::map<int, fs::path> recordings =
      record(options_.record.empty() ? options_.out / kRecordingsFolder : options_.record);
  const std::vector<int> left = without(done);
  const std::vector<PointRun> runs = runs_of(left);
  Replays replays;
  const SignalGuard guard;
  compute(left, folder, [&](const Report& report) {
    run_in_workers(
        runs.size(), options_.jobs, scenario_.time_limit_s,
        [&](size_t i) {
          const int p = runs[i].point;
          return fmt::format("{:.17g}",
                             replays.simulated_time(recordings.at(p), machine_at(runs[i]), placements_.at(p)));
        },
        [&](size_t i, const Answer& answer) {
          if (!answer.failure.empty())
            return report(runs[i], {.failure = {name_of(runs[i]) + ": " + answer.failure, answer.bad_usage}});
          const double value = std::strtod(answer.text.c_str(), nullptr);
          const Json line = {{"metric", manifest_.study.metric}, {"value", value}, {"unit", manifest_.study.unit}};
          return report(runs[i], {.lines = {line}, .wall_s = answer.wall_s});
        });
  });
}

void Points::compute(const std::vector<int>& left, RunFolder& folder, const std::function<void(const Report&)>& run) {
  console::Progress progress({.what = manifest_.study.scenario,
                              .total = own_.size(),
                              .already = own_.size() - left.size(),
                              .quiet = options_.quiet});
  Failure failure;
  std::map<int, double> wall_s;  // by point
  run([&](const PointRun& of, const Computed& computed) {
    failure = computed.failure;
    if (!failure.text.empty()) return false;
    PointBars& bars = bars_.try_emplace(of.point, ends_at(of.point)).first->second;
    bars.add(of.run, computed.lines);
    wall_s[of.point] += computed.wall_s;
    if (!bars.is_complete()) return true;
    keep(of.point, bars, wall_s[of.point], folder, progress);
    bars_.erase(of.point);
    wall_s.erase(of.point);
    return true;
  });
  folder.sync();
  failure.raise(manifest_.study.scenario);
}

// The user gave the results folder's path, and reads it again in messages.
fs::path Points::shown(const fs::path& output) const { return options_.out / kOutputFolder / output.filename(); }

std::vector<int> Points::without(const std::set<int>& done) const {
  std::vector<int> left;
  for (const int p : own_) {
    if (done.count(p) == 0) left.push_back(p);
  }
  return left;
}

Machine Points::machine_at(int p) const {
  return what_if(machine_, what_ifs_at(scenario_, scenario_.study.parameters_of(at(p))));
}

Machine Points::machine_at(const PointRun& run) const {
  return run.run == 0 ? machine_at(run.point) : PointBars(ends_at(run.point)).machine(run.run);
}

std::string Points::name_of(const PointRun& run) const {
  const std::string name = "point " + describe(at(run.point));
  return run.run == 0 ? name : name + " with " + PointBars(ends_at(run.point)).change(run.run);
}

std::vector<Points::PointRun> Points::runs_of(const std::vector<int>& points) {
  std::vector<PointRun> runs;
  for (const int p : points) {
    const auto [known, is_new] = ends_.try_emplace(figures_at(p));
    if (is_new) {
      known->second = std::make_shared<const replay::Ends>(
          manifest_.study.error_bars ? replay::ends_of_intervals(machine_at(p)) : replay::Ends());
    }
    const std::size_t count = PointBars(known->second).runs();
    for (std::size_t run = 0; run < count; ++run) runs.push_back({p, run});
    // The last run in the scenario's folder leaves its files there.
    if (!scenario_.folder.empty()) std::swap(runs[runs.size() - count], runs.back());
  }
  return runs;
}

Simulation Points::simulation_of(int p) const {
  const Study& study = manifest_.study;
  const Json parameters = study.parameters_of(at(p));
  Simulation s{.arguments = study.arguments_at(parameters),
               .folder = scenario_.folder,
               .shim = study.shim,
               .mpi = study.mpi,
               .output = {}};
  const auto add = [&](const std::string& name, const Json& value) {
    s.arguments.push_back("--" + name);
    s.arguments.push_back(text_of(value));
  };
  if (manifest_.reference) add(study.reference->option, *manifest_.reference);
  const std::set<std::string> named = study.named_in_arguments();
  for (const auto& [name, value] : parameters.items()) {
    if (!is_for_launcher(name) && !named.contains(name) && !study.figures.contains(name)) add(name, value);
    if (name == kShimAxis) s.shim = value;
    if (name == kMpiAxis) s.mpi = value;
  }
  const std::string rules = parameters.value(kMpiRulesAxis, study.mpi_rules);
  if (const auto known = rules_.find(rules); known != rules_.end() && has_other_collectives(s.mpi))
    s.rules = known->second;
  return s;
}

std::string Points::figures_at(int p) const {
  const Json parameters = scenario_.study.parameters_of(at(p));
  std::string figures;
  for (const auto& [parameter, figure] : manifest_.study.figures) figures += parameters.at(parameter).dump() + " ";
  return figures;
}

size_t Points::stage_of(const PointRun& run) {
  const std::string change = run.run == 0 ? "" : std::to_string(run.run);
  return stage_of(run.point, machine_at(run), figures_at(run.point) + change);
}

size_t Points::stage_of(int p, const Machine& machine, const std::string& figures) {
  const auto [known, is_new] = stage_by_.emplace(std::pair(placements_.of_point[p], figures), stages_.size());
  if (is_new) {
    const fs::path folder = scratch_.path() / std::to_string(stages_.size());
    make_folder(folder);
    stages_.push_back(
        prepare_stage(machine, placements_.at(p), folder, installation_, scenario_.program, scenario_.time_limit_s));
  }
  return known->second;
}

std::map<int, fs::path> Points::record(const fs::path& folder) {
  make_folder(folder);
  const std::string program = program_hash(installation_.program(scenario_.program));
  std::map<int, fs::path> recordings;
  std::map<fs::path, Simulation> missing;
  std::set<fs::path> there;
  std::set<std::string> foreign;  // machines of recordings that were made on another machine
  for (const int p : own_) {
    Simulation s = simulation_of(p);
    const fs::path file =
        recording_file(folder, scenario_.program, s.arguments, s.shim, s.mpi, s.rules.text, placements_.at(p));
    recordings.emplace(p, file);
    if (missing.contains(file) || there.contains(file)) continue;
    if (const std::optional<RecordedOn> on = recording_of(file, program)) {
      there.insert(file);
      if (on->hash != manifest_.machine_hash) foreign.insert(on->name);
      continue;
    }
    s.stage = stage_of(p, machine_, "");
    s.record = fs::absolute(file);
    s.output = fs::absolute(options_.out) / kOutputFolder / file.stem();
    missing.emplace(file, std::move(s));
  }
  if (!foreign.empty() && !options_.quiet) {
    console::tell(
        fmt::format("{}: {} has recordings that were made on another machine ({}): what the program asked "
                    "about that machine stays\n",
                    manifest_.study.scenario, folder.string(), fmt::join(foreign, ", ")));
  }
  std::vector<Simulation> simulations;
  for (auto& [file, simulation] : missing) simulations.push_back(std::move(simulation));
  console::Progress progress({.what = manifest_.study.scenario + ": recordings",
                              .total = simulations.size() + there.size(),
                              .already = there.size(),
                              .quiet = options_.quiet || simulations.empty()});
  Failure failure;
  run_simulations(stages_, simulations, jobs(), [&](size_t i, const Outcome& outcome) {
    const Simulation& s = simulations[i];
    const std::string who = fmt::format("{} {}", manifest_.study.program, fmt::join(s.arguments, " "));
    if (!outcome.failure.empty()) failure = failure_of(who, outcome, s.output);
    if (failure.text.empty() && prints(outcome.lines, manifest_.study.metric))
      failure = {who + ": it prints '" + manifest_.study.metric + "' itself, which a replay cannot give", true};
    if (failure.text.empty())
      progress.point_done(who + ": " + console::with_unit(outcome.simulated_time.value_or(0), "s", 4));
    return failure.text.empty();
  });
  failure.raise(manifest_.study.scenario);
  return recordings;
}

void Points::keep(int p, const PointBars& bars, double wall_s, RunFolder& folder, console::Progress& progress) const {
  std::vector<Record> records = records_of(manifest_.study, bars.lines(), p, at(p), scenario_.seed);
  const std::vector<std::optional<RecordedBar>> of_lines = bars.bars();
  for (size_t i = 0; i < records.size(); ++i) records[i].bar = of_lines[i];
  folder.append(p, records, wall_s);
  const auto of_study = [&](const Record& r) { return r.metric == manifest_.study.metric; };
  const Record& shown = *std::find_if(records.begin(), records.end(), of_study);
  progress.point_done(describe(at(p)) + ": " + console::with_unit(shown.value, shown.unit, 4));
}

}  // namespace strata::sim
