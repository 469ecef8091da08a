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

#include "platforms/error.h"
#include "platforms/what_if.h"
#include "sim/launcher/progress.h"
#include "sim/launcher/simulation.h"
#include "sim/record/output_error.h"

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
};

std::string output_name(int point) { return fmt::format("point-{}", point); }

// How many measurements a point's program printed, by the output that is kept of it; `recorded` where it was removed.
size_t printed(const fs::path& out, int point, size_t recorded) {
  std::ifstream in(out / "output" / (output_name(point) + ".out"));
  if (!in) return recorded;
  size_t count = 0;
  for (std::string line; std::getline(in, line);) count += line.rfind(kMeasurementMark, 0) == 0 ? 1 : 0;
  return count;
}

// What is in the folder already. Refuses a folder that this run must not touch.
Found look_into(const Manifest& ours, const std::string& bindings, const RunOptions& options) {
  std::error_code ignored;
  if (!fs::exists(options.out / "manifest.json", ignored)) {
    if (fs::exists(options.out / "records.jsonl", ignored)) {
      throw InputError(options.out.string(), "holds records without a manifest", "choose another --out");
    }
    return {};
  }
  const Results there = load_results(options.out);
  const Manifest& theirs = there.manifest;
  const char* other = to_json(theirs.study) != to_json(ours.study)        ? "study"
                      : theirs.machine_hash != ours.machine_hash          ? "machine"
                      : theirs.seed != ours.seed                          ? "seed"
                      : text_of(options.out / "bindings.txt") != bindings ? "placement of ranks"
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
  Found found{.done = {}, .records = {}, .start = theirs.start};
  for (const auto& [point, count] : recorded) {
    if (printed(options.out, point, count) == count) found.done.insert(point);
  }
  for (const Record& r : there.records) {
    if (found.done.count(r.point) != 0) found.records.push_back(r);
  }
  return found;
}

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
    const bool sound = line.is_object() && line.contains("metric") && line["metric"].is_string() &&
                       line.contains("value") && line["value"].is_number() && line.contains("unit") &&
                       line["unit"].is_string() && (!line.contains("parameters") || line["parameters"].is_object());
    if (!sound || !std::isfinite(line["value"].get<double>())) {
      throw SimulationFailed("point " + describe(parameters) + ": the program printed " + line.dump().substr(0, 80) +
                             " where {\"metric\":NAME,\"value\":NUMBER,\"unit\":UNIT} was expected");
    }
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
                           "' in " + missing.front().unit + " (a line `@strata {\"metric\":...}` on stdout)");
  }
  return records;
}

Results run_scenario(const Scenario& scenario, const Machine& machine, const Installation& installation,
                     const RunOptions& options) {
  Manifest manifest;
  manifest.study = scenario.study;
  if (manifest.study.ranks == 0 && scenario.bindings.empty()) {
    manifest.study.ranks = static_cast<int>(machine.topology->cores().size());
  }
  const std::vector<Binding> ranks = scenario.bindings.empty()
                                         ? place(*machine.topology, manifest.study.ranks, scenario.mapping)
                                         : read_bindings(scenario.bindings, *machine.topology, manifest.study.ranks);
  manifest.study.ranks = static_cast<int>(ranks.size());
  manifest.machine = machine.name;
  manifest.machine_hash = machine_hash(machine);
  manifest.versions = versions();
  manifest.command_line = options.command_line;
  manifest.seed = scenario.seed;
  installation.program(scenario.program);  // missing: refused before anything is written

  const auto make_folder = [](const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw OutputError(folder.string(), "cannot be made: " + error.message(), "choose another --out");
  };
  make_folder(options.out);
  const FolderLock lock(options.out);
  const Found found = options.replace ? Found() : look_into(manifest, format_bindings(ranks), options);
  const std::set<int>& done = found.done;
  make_folder(options.out / "output");
  if (manifest.study.traces) make_folder(options.out / "traces");
  // In this order a kill in between leaves no records beside a manifest that is not theirs, and no manifest without the
  // machine and the bindings that it speaks of.
  if (done.empty()) {
    std::error_code ignored;  // there may be none
    fs::remove(options.out / "records.jsonl", ignored);
  } else {
    write_records(options.out, found.records);
  }
  const ScratchFolder scratch;
  const Stage stage =
      prepare_stage(machine, ranks, options.out, scratch.path(), installation, scenario.program, scenario.time_limit_s);
  manifest.start = found.start.empty() ? timestamp() : found.start;
  write_manifest(options.out, manifest);
  const std::vector<Json> points = scenario.study.points();
  std::vector<Simulation> simulations;
  std::vector<int> point_of;
  for (int p = 0; p < static_cast<int>(points.size()); ++p) {
    if (done.count(p) != 0) continue;
    Simulation s{.arguments = scenario.study.arguments,
                 .output = fs::absolute(options.out) / "output" / output_name(p)};
    if (scenario.study.traces) s.trace = fs::absolute(options.out) / "traces" / (output_name(p) + ".paje");
    for (const auto& [name, value] : points[p].items()) {
      s.arguments.push_back("--" + name);
      s.arguments.push_back(text_of(value));
    }
    simulations.push_back(std::move(s));
    point_of.push_back(p);
  }

  {
    RecordWriter writer(options.out);
    Progress progress(manifest.study.scenario, points.size(), done.size(), options.quiet);
    std::string failure;
    bool bad_usage = false;
    run_simulations(stage, simulations, options.jobs, [&](size_t i, const Outcome& outcome) {
      const int p = point_of[i];
      if (!outcome.failure.empty()) {
        failure = "point " + describe(points[p]) + ": " + outcome.failure +
                  " (output: " + (options.out / "output" / (output_name(p) + ".err")).string() + ")";
        bad_usage = outcome.bad_usage;
        return false;
      }
      const std::vector<Record> records = records_of(manifest.study, outcome.lines, p, points[p], scenario.seed);
      writer.append(records);
      progress.point_done(
          fmt::format("{}: {:.6g} {}", describe(points[p]), records.front().value, records.front().unit));
      return true;
    });
    if (bad_usage) throw InputError("scenario " + manifest.study.scenario, failure, "correct arguments or sweep");
    if (!failure.empty()) throw SimulationFailed(failure);
  }
  write_records(options.out, load_results(options.out).records);
  manifest.end = timestamp();
  write_manifest(options.out, manifest);
  return load_results(options.out);
}

}  // namespace strata::sim
