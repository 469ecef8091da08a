// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/run.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <hwloc.h>
#include <simgrid/config.h>
#include <simgrid/version.h>
#include <xbt/base.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>

#include "platforms/allocation.h"
#include "platforms/error.h"
#include "platforms/progress_placement.h"
#include "platforms/what_if.h"
#include "records/exchange/words.h"
#include "records/folder.h"
#include "records/output_error.h"
#include "records/placement.h"
#include "records/trace/program_hash.h"
#include "sim/launcher/build_program.h"
#include "sim/launcher/measurements.h"
#include "sim/launcher/progress.h"
#include "sim/launcher/recordings.h"
#include "sim/launcher/simulation.h"
#include "sim/launcher/workers.h"

namespace strata::sim {
namespace {

namespace fs = std::filesystem;

std::string text_of(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

std::string describe(const Json& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters.items()) text += (text.empty() ? "" : " ") + name + "=" + text_of(value);
  return text.empty() ? "(no parameters)" : text;
}

struct Found {
  std::set<int> done;           // points
  std::vector<Record> records;  // theirs
  std::string start;            // of the run that is continued
  std::optional<double> reference;
};

// How many records a point has, by the output that is kept of it; `recorded` where it was removed.
size_t expected_records(const fs::path& out, const Study& study, int point, size_t recorded) {
  const fs::path printed = out / (output_path(point) + ".out");
  return fs::exists(printed) ? count_measured(study.metrics(), text_of(printed)) : recorded;
}

// Where ranks run: the placements of a study, by their files in the results' folder, and which of them each point has.
struct Placements {
  std::vector<fs::path> files;
  std::vector<RankPlacement> placements;
  std::vector<size_t> of_point;

  const RankPlacement& at(int point) const { return placements[of_point[static_cast<size_t>(point)]]; }
};

// Ranks by the scenario's mapping on the job's nodes; 0: one for each core.
std::vector<Binding> map_ranks(const Scenario& scenario, const Machine& machine, const std::string& allocation,
                               int ranks, PlacementOptions mapping) {
  mapping.seed = scenario.seed;
  return place_job(machine, allocation, ranks, mapping, kAllocationAxis);
}

RankPlacement place_point(const Scenario& scenario, const Machine& machine, const Json& parameters) {
  const Topology& t = *machine.topology;
  const int ranks = parameters.value(kRanksAxis, scenario.study.ranks);
  const std::string allocation = parameters.value(kAllocationAxis, scenario.study.allocation);
  PlacementOptions mapping = scenario.mapping;
  if (parameters.contains(kMapByAxis)) mapping.map_by = MapBy(parameters[kMapByAxis].get<std::string>());
  RankPlacement placement{scenario.bindings.empty() ? map_ranks(scenario, machine, allocation, ranks, mapping)
                                                    : read_bindings(scenario.bindings, t, ranks)};
  const std::string policy =
      parameters.contains(kProgressAxis) ? text_of(parameters[kProgressAxis]) : scenario.study.progress;
  if (!policy.empty()) placement.progress = place_progress(t, placement.ranks, policy, kProgressAxis);
  return placement;
}

Placements placements_of(const Scenario& scenario, const Machine& machine, const std::vector<Json>& points) {
  Placements all;
  for (const Json& point : points) {
    const fs::path file = bindings_file(scenario.study, point);
    const auto at = std::find(all.files.begin(), all.files.end(), file);
    all.of_point.push_back(static_cast<size_t>(at - all.files.begin()));
    if (at != all.files.end()) continue;
    all.files.push_back(file);
    all.placements.push_back(place_point(scenario, machine, scenario.study.parameters_of(point)));
  }
  return all;
}

// Looks at the folder's content. Refuses a folder that this run must not touch.
Found look_into(const Manifest& ours, const Placements& placements, const RunOptions& options) {
  std::error_code ignored;
  if (!fs::exists(options.out / kManifestFile, ignored)) {
    if (fs::exists(options.out / kRecordsFile, ignored)) {
      throw InputError(options.out.string(), "holds records without a manifest", "choose another --out");
    }
    return {};
  }
  const Results there = load_results(options.out);
  const Manifest& theirs = there.manifest;
  bool placed = true;
  for (size_t i = 0; i < placements.files.size(); ++i) {
    placed = placed && text_of(options.out / placements.files[i]) == format_placement(placements.placements[i]);
  }
  const char* other = to_json(theirs.study) != to_json(ours.study) ? "study"
                      : theirs.machine_hash != ours.machine_hash   ? "machine"
                      : theirs.seed != ours.seed                   ? "seed"
                      : !placed                                    ? "placement of ranks"
                                                                   : nullptr;
  if (other != nullptr) {
    throw InputError(
        options.out.string(),
        "holds another run (" + theirs.study.scenario + " on " + theirs.machine + "): its " + other + " differs",
        "choose another --out");
  }
  if (!options.resume) {
    if (theirs.end.empty()) {
      throw InputError(options.out.string(), "holds an unfinished run",
                       "continue it with --resume, or choose another --out");
    }
    return {};
  }
  // A kill in the middle of a write may have left some records of a point: it is done where all are there.
  std::map<int, size_t> recorded;
  for (const Record& r : there.records) ++recorded[r.point];
  Found found{.done = {}, .records = {}, .start = theirs.start, .reference = theirs.reference};
  for (const auto& [point, count] : recorded) {
    if (expected_records(options.out, ours.study, point, count) == count) found.done.insert(point);
  }
  for (const Record& r : there.records) {
    if (found.done.count(r.point) != 0) found.records.push_back(r);
  }
  return found;
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw OutputError(folder.string(), "cannot be made: " + error.message(), "choose another --out");
}

// Throws SimulationFailed if a program's line is not a measurement.
void require_measurement(const Json& line, const std::string& who) {
  const bool sound = line.is_object() && line.contains("metric") && line["metric"].is_string() &&
                     line.contains("value") && line["value"].is_number() && line.contains("unit") &&
                     line["unit"].is_string() && (!line.contains("parameters") || line["parameters"].is_object());
  if (sound && std::isfinite(line["value"].get<double>())) return;
  throw SimulationFailed(who + ": the program printed " + line.dump().substr(0, 80) +
                         " where {\"metric\":NAME,\"value\":NUMBER,\"unit\":UNIT} was expected");
}

// The message of a failed simulation.
struct Failure {
  std::string text;  // empty: none did
  bool bad_usage = false;

  void raise(const std::string& scenario) const {
    if (bad_usage) throw InputError("scenario " + scenario, text, "correct arguments or sweep");
    if (!text.empty()) throw SimulationFailed(text);
  }
};

Failure failure_of(const std::string& who, const Outcome& outcome, const fs::path& output) {
  return {who + ": " + outcome.failure + " (output: " + output.string() + ".err)", outcome.bad_usage};
}

Failure failure_of(const std::string& who, const Measured& measured, const fs::path& output) {
  return {who + ": " + measured.failure + " (output: " + output.string() + ".out)"};
}

// The value of the study's reference: given, or measured now, alone, on ranks mapped as the points' are. Their progress
// threads, where the points have some, run on the ranks' own cores: with one rank a core no others are left.
double reference_value(const Scenario& scenario, const Machine& machine, const Installation& installation,
                       const RunOptions& options) {
  const Reference& r = *scenario.study.reference;
  if (r.given) return *r.given;
  RankPlacement placement{map_ranks(scenario, machine, scenario.study.allocation, r.ranks, scenario.mapping)};
  if (scenario.study.has_progress_threads()) placement.progress = placement.ranks;
  const ScratchFolder scratch;
  const Stage stage =
      prepare_stage(machine, placement, scratch.path(), installation, scenario.program, scenario.time_limit_s);
  Study study = scenario.study;
  study.ranks = static_cast<int>(placement.ranks.size());
  study.arguments.insert(study.arguments.end(), r.arguments.begin(), r.arguments.end());
  const Simulation s{.arguments = study.arguments_at(Json::object()),
                     .folder = scenario.folder,
                     .shim = study.shim,
                     .output = fs::absolute(options.out) / "output" / "reference"};
  std::vector<Metric> wanted = study.metrics();
  std::erase_if(wanted, [&](const Metric& m) { return m.name != r.metric; });
  if (!options.quiet) {
    tell(fmt::format("{}: reference run for --{} on {} ranks\n", scenario.study.scenario, r.option,
                     placement.ranks.size()));
  }
  std::optional<double> value;
  Failure failure;
  run_simulations({stage}, {s}, 1, [&](size_t, const Outcome& outcome) {
    const fs::path output = options.out / "output" / "reference";
    if (!outcome.failure.empty()) failure = failure_of("reference", outcome, output);
    if (!failure.text.empty()) return true;
    const Measured found = measured(wanted, outcome);
    if (!found.failure.empty()) failure = failure_of("reference", found, output);
    for (const Json& line : found.lines) {
      require_measurement(line, "reference");
      if (!value && line["metric"] == r.metric) value = line["value"].get<double>();
    }
    return true;
  });
  failure.raise(scenario.study.scenario);
  if (!value) throw SimulationFailed("reference: the program printed no '" + r.metric + "'");
  return *value;
}

bool is_there(const fs::path& program) {
  std::error_code ignored;
  return fs::exists(program, ignored);
}

// Throws InputError where the program or its folder is missing.
void require_program(const Scenario& scenario, const Installation& installation) {
  installation.program(scenario.program, scenario.source);
  std::error_code ignored;
  if (!scenario.folder.empty() && !fs::is_directory(scenario.folder, ignored))
    throw InputError("folder '" + scenario.folder.string() + "'", "is not a folder", "make it, or name another");
}

// The points of a run.
class Points {
 public:
  Points(const Scenario& scenario, const Machine& machine, const Installation& installation, const RunOptions& options,
         const Manifest& manifest, const std::vector<Json>& points, const Placements& placements)
      : scenario_(scenario),
        machine_(machine),
        installation_(installation),
        options_(options),
        manifest_(manifest),
        points_(points),
        placements_(placements) {}

  /// Runs the program at those that are not done.
  void simulate(const std::set<int>& done) {
    if (!options_.record.empty()) make_folder(options_.record);
    const Traffic traffic = *traffic_of(manifest_.study.traffic);
    std::vector<Simulation> simulations;
    const std::vector<int> point_of = without(done);
    for (const int p : point_of) {
      Simulation s = simulation_of(p);
      s.stage = stage_of(p);
      s.output = fs::absolute(options_.out) / output_path(p);
      if (manifest_.study.traces) {
        s.trace = fs::absolute(options_.out) / trace_path(p);
        s.events = fs::absolute(options_.out) / events_path(p);
      }
      if (!options_.record.empty()) s.record = fs::absolute(options_.record) / fmt::format("point-{}.strace", p);
      if (traffic.kept) {
        s.traffic = traffic;
        s.traffic_folder = fs::absolute(options_.out) / traffic_path(p);
        make_folder(s.traffic_folder);
      }
      simulations.push_back(std::move(s));
    }
    RecordWriter writer(options_.out);
    Progress progress(manifest_.study.scenario, points_.size(), done.size(), options_.quiet);
    Failure failure;
    run_simulations(stages_, simulations, jobs(), [&](size_t i, const Outcome& outcome) {
      const int p = point_of[i];
      const std::string who = "point " + describe(at(p));
      if (!outcome.failure.empty()) {
        failure = failure_of(who, outcome, options_.out / output_path(p));
        return false;
      }
      const Measured found = measured(manifest_.study.metrics(), outcome);
      if (!found.failure.empty()) {
        failure = failure_of(who, found, options_.out / output_path(p));
        return false;
      }
      keep(p, found.lines, writer, progress);
      return true;
    });
    failure.raise(manifest_.study.scenario);
  }

  /// Records the program once for each of its inputs, and replays those that are not done.
  void replay(const std::set<int>& done) {
    const fs::path folder = options_.record.empty() ? options_.out / kRecordingsFolder : options_.record;
    const std::vector<fs::path> recordings = record(folder);
    const std::vector<int> point_of = without(done);
    RecordWriter writer(options_.out);
    Progress progress(manifest_.study.scenario, points_.size(), done.size(), options_.quiet);
    Failure failure;
    Replays replays;
    const SignalGuard guard;
    run_in_workers(
        point_of.size(), options_.jobs, scenario_.time_limit_s,
        [&](size_t i) {
          const int p = point_of[i];
          return fmt::format(
              "{:.17g}", replays.simulated_time(recordings[static_cast<size_t>(p)], machine_at(p), placements_.at(p)));
        },
        [&](size_t i, const Answer& answer) {
          const int p = point_of[i];
          if (!answer.failure.empty()) {
            failure = {"point " + describe(at(p)) + ": " + answer.failure, answer.bad_usage};
            return false;
          }
          const double value = std::strtod(answer.text.c_str(), nullptr);
          keep(p, {{{"metric", manifest_.study.metric}, {"value", value}, {"unit", manifest_.study.unit}}}, writer,
               progress);
          return true;
        });
    failure.raise(manifest_.study.scenario);
  }

 private:
  const Json& at(int p) const { return points_[static_cast<size_t>(p)]; }
  // They would write the same files in the scenario's folder.
  int jobs() const { return scenario_.folder.empty() ? options_.jobs : 1; }
  std::vector<int> without(const std::set<int>& done) const {
    std::vector<int> left;
    for (int p = 0; p < static_cast<int>(points_.size()); ++p) {
      if (done.count(p) == 0) left.push_back(p);
    }
    return left;
  }
  Machine machine_at(int p) const {
    return what_if(machine_, what_ifs_at(scenario_, scenario_.study.parameters_of(at(p))));
  }

  // The simulation of a point; its stage and where its files go are still to be said.
  Simulation simulation_of(int p) const {
    const Study& study = manifest_.study;
    const Json parameters = study.parameters_of(at(p));
    Simulation s{
        .arguments = study.arguments_at(parameters), .folder = scenario_.folder, .shim = study.shim, .output = {}};
    const auto add = [&](const std::string& name, const Json& value) {
      s.arguments.push_back("--" + name);
      s.arguments.push_back(text_of(value));
    };
    if (manifest_.reference) add(study.reference->option, *manifest_.reference);
    const std::set<std::string> named = study.named_in_arguments();
    for (const auto& [name, value] : parameters.items()) {
      if (!is_for_launcher(name) && !named.contains(name) && !study.figures.contains(name)) add(name, value);
      if (name == kShimAxis) s.shim = value;
    }
    return s;
  }

  // Points that have the machine and the placement in common share a stage.
  size_t stage_of(int p) {
    const Json parameters = scenario_.study.parameters_of(at(p));
    std::string figures;
    for (const auto& [parameter, figure] : manifest_.study.figures) figures += parameters.at(parameter).dump() + " ";
    return stage_of(p, machine_at(p), figures);
  }
  size_t stage_of(int p, const Machine& machine, const std::string& figures) {
    const auto [known, is_new] =
        stage_by_.emplace(std::pair(placements_.of_point[static_cast<size_t>(p)], figures), stages_.size());
    if (is_new) {
      const fs::path folder = scratch_.path() / std::to_string(stages_.size());
      make_folder(folder);
      stages_.push_back(
          prepare_stage(machine, placements_.at(p), folder, installation_, scenario_.program, scenario_.time_limit_s));
    }
    return known->second;
  }

  // By point, its recording; those that are not in the folder are made, on the machine as it is.
  std::vector<fs::path> record(const fs::path& folder) {
    make_folder(folder);
    const std::string program = program_hash(installation_.program(scenario_.program));
    std::vector<fs::path> recordings;
    std::map<fs::path, Simulation> missing;
    std::set<fs::path> there;
    for (int p = 0; p < static_cast<int>(points_.size()); ++p) {
      Simulation s = simulation_of(p);
      recordings.push_back(folder / recording_name(scenario_.program, s.arguments, s.shim, placements_.at(p)));
      const fs::path& file = recordings.back();
      if (missing.contains(file) || there.contains(file)) continue;
      if (is_recording_of(file, program)) {
        there.insert(file);
        continue;
      }
      s.stage = stage_of(p, machine_, "");
      s.record = fs::absolute(file);
      s.output = fs::absolute(options_.out) / kOutputFolder / file.stem();
      missing.emplace(file, std::move(s));
    }
    std::vector<Simulation> simulations;
    for (auto& [file, simulation] : missing) simulations.push_back(std::move(simulation));
    Progress progress(manifest_.study.scenario + ": recordings", simulations.size() + there.size(), there.size(),
                      options_.quiet || simulations.empty());
    Failure failure;
    run_simulations(stages_, simulations, jobs(), [&](size_t i, const Outcome& outcome) {
      const Simulation& s = simulations[i];
      const std::string who = fmt::format("{} {}", manifest_.study.program, fmt::join(s.arguments, " "));
      if (!outcome.failure.empty()) failure = failure_of(who, outcome, s.output);
      if (failure.text.empty() && prints(outcome.lines, manifest_.study.metric))
        failure = {who + ": it prints '" + manifest_.study.metric + "' itself, which a replay cannot give", true};
      if (failure.text.empty())
        progress.point_done(fmt::format("{}: {:.6g} s", who, outcome.simulated_time.value_or(0)));
      return failure.text.empty();
    });
    failure.raise(manifest_.study.scenario);
    return recordings;
  }

  void keep(int p, const std::vector<Json>& lines, RecordWriter& writer, Progress& progress) const {
    const std::vector<Record> records = records_of(manifest_.study, lines, p, at(p), scenario_.seed);
    writer.append(records);
    const auto of_study = [&](const Record& r) { return r.metric == manifest_.study.metric; };
    const Record& told = *std::find_if(records.begin(), records.end(), of_study);
    progress.point_done(fmt::format("{}: {:.6g} {}", describe(at(p)), told.value, told.unit));
  }

  const Scenario& scenario_;
  const Machine& machine_;
  const Installation& installation_;
  const RunOptions& options_;
  const Manifest& manifest_;
  const std::vector<Json>& points_;
  const Placements& placements_;
  const ScratchFolder scratch_;
  std::vector<Stage> stages_;
  std::map<std::pair<size_t, std::string>, size_t> stage_by_;  // by placement and figures
};

}  // namespace

std::string timestamp() {
  std::time_t now = std::time(nullptr);
  if (const char* fixed = std::getenv("SOURCE_DATE_EPOCH")) now = std::strtoll(fixed, nullptr, 10);
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

std::map<std::string, std::string> versions() {
  return {{"strata", STRATA_VERSION},
          {"simgrid", fmt::format("{}.{}.{}", SIMGRID_VERSION_MAJOR, SIMGRID_VERSION_MINOR, SIMGRID_VERSION_PATCH)},
          {"hwloc", fmt::format("{}.{}.{}", HWLOC_API_VERSION >> 16, (HWLOC_API_VERSION >> 8) & 0xff,
                                HWLOC_API_VERSION & 0xff)}};
}

Machine machine_of(const Scenario& scenario, const Installation& installation) {
  Machine machine = scenario.xml.empty() ? find_machine(scenario.machine, installation.machines)
                                         : machine_from_xml(scenario.xml, scenario.nodes);
  return what_if(std::move(machine), scenario.what_ifs);
}

std::vector<Record> records_of(const Study& study, const std::vector<Json>& lines, int point, const Json& parameters,
                               std::uint64_t seed) {
  std::vector<Record> records;
  std::vector<Metric> missing = study.metrics();
  for (const Json& line : lines) {
    require_measurement(line, "point " + describe(parameters));
    Record r{.scenario = study.scenario,
             .point = point,
             .parameters = parameters,
             .metric = line["metric"],
             .value = line["value"],
             .unit = line["unit"],
             .seed = seed};
    if (line.contains("parameters")) {
      for (const auto& [name, value] : line["parameters"].items()) r.parameters[name] = value;
    }
    std::erase_if(missing, [&](const Metric& m) { return m.name == r.metric && m.unit == r.unit; });
    records.push_back(std::move(r));
  }
  if (!missing.empty()) {
    throw SimulationFailed("point " + describe(parameters) + ": the program printed no '" + missing.front().name +
                           "' in " + missing.front().unit + " (a line `" + words::kMark +
                           "{\"metric\":...}` on stdout)");
  }
  return records;
}

Results run_scenario(const Scenario& scenario, const Machine& machine, const Installation& installation,
                     const RunOptions& options) {
  const std::vector<Json> points = scenario.study.points();
  const Placements placements = placements_of(scenario, machine, points);
  Manifest manifest;
  manifest.study = scenario.study;
  if (!scenario.study.sweeps_ranks()) {
    manifest.study.ranks = static_cast<int>(placements.placements.front().ranks.size());
  }
  manifest.machine = machine.name;
  manifest.machine_hash = machine_hash(machine);
  manifest.versions = versions();
  manifest.command_line = options.command_line;
  manifest.seed = scenario.seed;
  if (manifest.study.build.empty()) require_program(scenario, installation);  // before anything is written

  make_folder(options.out);
  const FolderLock lock(options.out);
  const Found found = options.replace ? Found() : look_into(manifest, placements, options);
  const std::set<int>& done = found.done;
  make_folder(options.out / kOutputFolder);
  if (!manifest.study.build.empty()) {
    // All points of a run are of the same program, even if its sources have changed since the first.
    if (!options.resume || !is_there(scenario.program)) build_program(scenario, options.compilers, options.out);
    require_program(scenario, installation);
  }
  if (manifest.study.traces) make_folder(options.out / kTracesFolder);
  // In this order a kill in between leaves no records beside a manifest that is not theirs, and no manifest without the
  // machine and the bindings that it speaks of.
  if (done.empty()) {
    std::error_code ignored;  // there may be none
    fs::remove(options.out / kRecordsFile, ignored);
  } else {
    write_records(options.out, found.records);
  }
  save_machine(machine, options.out);
  for (size_t i = 0; i < placements.files.size(); ++i) {
    make_folder((options.out / placements.files[i]).parent_path());
    write_whole(options.out / placements.files[i], format_placement(placements.placements[i]));
  }
  manifest.start = found.start.empty() ? timestamp() : found.start;
  manifest.reference = found.reference;
  write_manifest(options.out, manifest);
  if (manifest.study.reference) {
    manifest.reference = reference_value(scenario, machine, installation, options);
    if (!done.empty() && found.reference != manifest.reference) {
      throw InputError(options.out.string(), "its points were run with another reference value",
                       "choose another --out");
    }
    write_manifest(options.out, manifest);
  }
  Points run(scenario, machine, installation, options, manifest, points, placements);
  scenario.study.engine == Engine::kReplay ? run.replay(done) : run.simulate(done);
  write_records(options.out, load_results(options.out).records);
  manifest.end = timestamp();
  write_manifest(options.out, manifest);
  return load_results(options.out);
}

}  // namespace strata::sim
