// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/run.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <hwloc.h>
#include <simgrid/config.h>
#include <simgrid/version.h>
#include <xbt/base.h>

#include <cstdlib>
#include <ctime>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "base/error.h"
#include "platforms/what_if.h"
#include "records/exchange/exchanged_words.h"
#include "records/folder.h"
#include "records/trace/program_hash.h"
#include "sim/launcher/balance_shards.h"
#include "sim/launcher/build_program.h"
#include "sim/launcher/earlier_run.h"
#include "sim/launcher/failure.h"
#include "sim/launcher/parameters_text.h"
#include "sim/launcher/placements.h"
#include "sim/launcher/points.h"
#include "sim/launcher/reference.h"
#include "sim/launcher/resources.h"
#include "sim/launcher/run_folder.h"
#include "sim/launcher/run_start.h"

namespace strata::sim {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& program) {
  std::error_code ignored;
  return fs::exists(program, ignored);
}

// The points of this shard. The hash of the program is still missing, because the program may have to be built first.
std::optional<ShardContent> shard_of(const RunOptions& options, const EarlierRun& earlier, const Manifest& manifest,
                                     const Placements& placements, const std::vector<Json>& points) {
  if (!options.shard) return std::nullopt;
  if (earlier.shard) return ShardContent{*options.shard, earlier.shard->points, earlier.shard->scenario_hash, ""};
  const std::vector<double> costs = options.balance.empty() ? estimated_costs(manifest.study, points)
                                                            : measured_costs(manifest.study, points, options.balance);
  return ShardContent{*options.shard, points_of(*options.shard, costs), scenario_hash(manifest, placements), ""};
}

std::vector<int> all_of(size_t points) {
  std::vector<int> all(points);
  std::iota(all.begin(), all.end(), 0);
  return all;
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
  const RuleFiles rules = read_rule_files(scenario);
  Manifest manifest = manifest_of(scenario, machine, placements, rules);
  manifest.command_line = options.command_line;
  // Before anything is written.
  if (manifest.study.build.empty()) require_program(scenario, installation);
  require_open_files(options.jobs);
  require_memory(machine);

  make_folder(options.out);
  const FolderLock lock(options.out);
  restore_earlier(options.out);
  const EarlierRun found = options.replace ? EarlierRun() : look_into(manifest, placements, options);
  const std::set<int>& done = found.done;
  manifest.shard = shard_of(options, found, manifest, placements, points);
  make_folder(options.out / kOutputFolder);
  if (!manifest.study.build.empty()) {
    // All points of a run use the same program, even if its sources have changed since the first point.
    if (!options.resume || !is_there(scenario.program)) build_program(scenario, options.compilers, options.out);
    require_program(scenario, installation);
  }
  if (manifest.shard) manifest.shard->program_hash = program_hash(installation.program(scenario.program));
  require_same_software(found, manifest, options);
  if (manifest.study.traces) make_folder(options.out / kTracesFolder);
  const std::vector<int> own = manifest.shard ? manifest.shard->points : all_of(points.size());
  // Its scratch folder is made before anything of an earlier run is replaced.
  Points run(scenario, machine, installation, options, manifest, rules, points, own, placements);
  RunFolder folder(options.out, machine, placements, found, manifest);
  if (manifest.study.reference) {
    manifest.reference = reference_value(scenario, machine, installation, rules, options);
    if (!done.empty() && found.reference != manifest.reference) {
      throw InputError(options.out.string(), "its points were run with another reference value",
                       "choose another --out");
    }
  }
  folder.begin_if_nothing_is_lost();
  scenario.study.engine == Engine::kReplay ? run.replay(done, folder) : run.simulate(done, folder);
  return folder.finish();
}

}  // namespace strata::sim
