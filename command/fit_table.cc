// SPDX-License-Identifier: LGPL-2.1-only
#include "command/fit_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "base/error.h"
#include "models/memory_uses.h"
#include "platforms/memory.h"
#include "platforms/segments.h"
#include "sim/launcher/run.h"
#include "sim/launcher/simulation.h"

namespace strata::command {
namespace {

constexpr std::array kSizes = {0, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304};  // B

// A message does not show the figures of its level if the memory or a core's copying keeps it below the level's
// bandwidth.
bool reaches_bandwidth(const Machine& machine, const std::vector<Binding>& pair, const LevelCosts& level,
                       double bytes) {
  if (!machine.memory) return true;
  constexpr double kRounding = 1e-9;
  const auto figures = figures_of(level, bytes);
  const models::MemoryUses memory(machine, pair);
  const auto uses = memory.of_message(pair[0].core, pair[1].core, bytes, figures.bandwidth, figures.states_copies());
  return models::room(uses, machine) >= (1 - kRounding) * figures.bandwidth;
}

// The sizes on both sides of the start of each segment, and the last one of each segment; of the last segment, the
// second is at least `until`.
std::set<long> ends_of_segments(const LevelCosts& level, long until) {
  std::set<long> sizes;
  for (size_t i = 0; i < level.segments.size(); ++i) {
    const long from = std::lround(std::ceil(level.segments[i].from.si));
    const bool last = i + 1 == level.segments.size();
    const long next = last ? std::max(2 * from, until) : std::lround(std::ceil(level.segments[i + 1].from.si));
    sizes.insert({from - 1, from, next - 1});
  }
  return sizes;
}

std::string sizes_of(const Machine& machine, const std::vector<Binding>& pair, const LevelCosts& level) {
  std::set<long> sizes = ends_of_segments(level, kSizes.back());
  sizes.insert(kSizes.begin(), kSizes.end());
  std::erase_if(sizes,
                [&](long bytes) { return !reaches_bandwidth(machine, pair, level, static_cast<double>(bytes)); });
  return fmt::format("{}", fmt::join(sizes, ","));
}

// "Gemini", "Gemini, from 8192 B".
std::string name_of(const std::string& level, double from_bytes) {
  return from_bytes > 0 ? fmt::format("{}, from {} B", level, from_bytes) : level;
}

std::string name_of(const models::OverheadFit& f) { return name_of(f.level, f.from_bytes); }

// "Gemini, from 8192 B", "System - Cluster, 3 hops".
std::string name_of(const models::LevelFit& f) {
  std::string name = name_of(f.level, f.from_bytes);
  if (f.hops > 0) name += fmt::format(", {} hop{}", f.hops, f.hops == 1 ? "" : "s");
  return name;
}

// Runs `program`, which reports `metric` in s, on two neighbours at each level, with the sizes that `sizes(pair,
// level)` gives, and calls `fit(results)`.
template <typename Sizes, typename Fit>
auto fit_neighbours(const Machine& machine, const sim::Installation& installation, const std::string& program,
                    const std::string& metric, const Sizes& sizes, const Fit& fit) {
  const sim::ScratchFolder results;
  Results measured;
  measured.folder = results.path();
  Study& study = measured.manifest.study;
  study.scenario = "fit";
  study.program = program;
  study.metric = metric;
  study.unit = "s";
  study.ranks = 2;
  save_machine(machine, results.path());
  int point = 0;
  for (const LevelCosts& level : machine.levels) {
    const std::vector<Binding> pair = models::neighbours(*machine.topology, level.level);
    if (pair.empty()) continue;
    const sim::ScratchFolder scratch;
    const sim::Stage stage = sim::prepare_stage(machine, {pair}, scratch.path(), installation, program, 60);
    sim::run_simulations(
        {stage}, {{.arguments = {"--bytes", sizes(pair, level)}, .output = scratch.path() / "output"}}, 1,
        [&](size_t, const sim::Outcome& outcome) {
          if (!outcome.failure.empty()) throw sim::SimulationFailed(program + ": " + outcome.failure);
          for (const Record& r : sim::records_of(study, outcome.lines, point, {{"level", level.level}}, 0)) {
            measured.records.push_back(r);
          }
          return true;
        });
    ++point;
  }
  if (measured.records.empty()) {
    throw InputError("machine " + machine.name, "has only one core, so there is no message to fit",
                     "give a machine with more cores");
  }
  return fit(measured);
}

}  // namespace

std::vector<models::LevelFit> fit_machine(const Machine& machine, const sim::Installation& installation) {
  const auto sizes = [&](const std::vector<Binding>& pair, const LevelCosts& level) {
    return sizes_of(machine, pair, level);
  };
  return fit_neighbours(machine, installation, "pingpong", "time", sizes, models::fit_levels);
}

std::vector<models::OverheadFit> measure_overheads(const Machine& machine, const sim::Installation& installation) {
  const auto sizes = [](const std::vector<Binding>&, const LevelCosts& level) {
    constexpr long kUntil = 65536;  // B: the last segment goes on, and an overhead is the same for all of its messages
    std::set<long> all = ends_of_segments(level, kUntil);
    all.insert(0);
    if (level.segments.empty()) all.insert(kUntil - 1);
    return fmt::format("{}", fmt::join(all, ","));
  };
  std::vector<models::OverheadFit> fits =
      fit_neighbours(machine, installation, "busy", "send_overhead", sizes, models::fit_overheads);
  std::erase_if(fits, [](const models::OverheadFit& f) {
    return f.send.value == 0 && f.receive.value == 0 && f.machine_send.value == 0 && f.machine_receive.value == 0;
  });
  return fits;
}

std::vector<MemoryFit> fit_memory(const Machine& machine, const sim::Installation& installation) {
  if (!machine.memory) return {};
  constexpr double kFactor = 4;                      // larger than the caches of a core
  constexpr double kLeastBytes = 16e6, kMost = 1e9;  // B: times far above the clock's resolution; the limit of an int
  const Topology& t = *machine.topology;
  const Memories memories(t);
  const std::vector<models::SaturationPoint> curve = models::saturation_curve(machine);
  double cache = 0;
  for (int v = 0; v < t.num_vertices(); ++v) {
    if (const NodeObject* o = t.object(v)) cache = std::max(cache, static_cast<double>(o->cache_bytes));
  }
  const auto bytes = static_cast<long>(std::clamp(kFactor * cache, kLeastBytes, kMost));
  Study study;
  study.scenario = "fit";
  study.program = "memory";
  study.metric = "bandwidth";
  study.unit = "B/s";
  std::vector<MemoryFit> fits;
  for (const models::SaturationPoint& point : {curve.front(), curve.back()}) {
    std::vector<Binding> ranks;
    for (const int core : t.cores()) {
      if (memories.of(t.first_core(core)) != 0 || static_cast<int>(ranks.size()) == point.cores) continue;
      ranks.push_back({t.node(core), t.object(core)->cpuset, core});
    }
    study.ranks = point.cores;
    const sim::ScratchFolder scratch;
    const sim::Stage stage = sim::prepare_stage(machine, {ranks}, scratch.path(), installation, "memory", 60);
    for (const auto& [work, expected] :
         {std::pair("copy", point.copy), std::pair("combine", point.combine), std::pair("triad", point.triad)}) {
      sim::run_simulations(
          {stage},
          {{.arguments = {"--work", work, "--bytes", std::to_string(bytes)}, .output = scratch.path() / "output"}}, 1,
          [&, &work = work, &expected = expected](size_t, const sim::Outcome& outcome) {
            if (!outcome.failure.empty()) throw sim::SimulationFailed("memory: " + outcome.failure);
            for (const Record& r : sim::records_of(study, outcome.lines, 0, Json::object(), 0)) {
              if (r.metric != "bandwidth") continue;
              fits.push_back({work, point.cores, BytesPerSecond(r.value), expected, r.value / expected.value - 1});
            }
            return true;
          });
    }
    if (curve.size() == 1) break;
  }
  return fits;
}

std::string fit_table(const std::vector<models::OverheadFit>& fits) {
  size_t width = 25;
  for (const models::OverheadFit& f : fits) width = std::max(width, name_of(f).size());
  std::string text = fmt::format("{:<{}} {:>12}{:>12}{:>9}{:>14}{:>14}{:>9}\n", "overhead", width, "send us", "machine",
                                 "diff", "receive us", "machine", "diff");
  for (const models::OverheadFit& f : fits) {
    text += fmt::format("{:<{}} {:>12.4f}{:>12.4f}{:>8.3f}%{:>14.4f}{:>14.4f}{:>8.3f}%\n", name_of(f), width,
                        f.send.value * 1e6, f.machine_send.value * 1e6, f.send_difference * 100, f.receive.value * 1e6,
                        f.machine_receive.value * 1e6, f.receive_difference * 100);
  }
  return text;
}

bool fits_agree(const std::vector<models::OverheadFit>& fits) {
  return std::all_of(fits.begin(), fits.end(), [](const models::OverheadFit& f) {
    return std::abs(f.send_difference) <= kFitTolerance && std::abs(f.receive_difference) <= kFitTolerance;
  });
}

std::string fit_table(const std::vector<MemoryFit>& fits) {
  constexpr double kGiga = 1e9;
  std::string text =
      fmt::format("{:<10}{:>6}{:>15}{:>14}{:>9}\n", "memory", "cores", "measured GB/s", "machine", "diff");
  for (const MemoryFit& f : fits) {
    text += fmt::format("{:<10}{:>6}{:>15.4f}{:>14.4f}{:>8.3f}%\n", f.work, f.cores, f.measured.value / kGiga,
                        f.machine.value / kGiga, f.difference * 100);
  }
  return text;
}

bool fits_agree(const std::vector<MemoryFit>& fits) {
  return std::all_of(fits.begin(), fits.end(),
                     [](const MemoryFit& f) { return std::abs(f.difference) <= kFitTolerance; });
}

bool fits_agree(const std::vector<models::LevelFit>& fits) {
  return std::all_of(fits.begin(), fits.end(), [](const models::LevelFit& f) {
    return std::abs(f.latency_difference) <= kFitTolerance && std::abs(f.bandwidth_difference) <= kFitTolerance;
  });
}

std::string fit_table(const std::vector<models::LevelFit>& fits) {
  size_t width = 25;
  for (const models::LevelFit& f : fits) width = std::max(width, name_of(f).size());
  std::string text = fmt::format("{:<{}} {:>12}{:>12}{:>9}{:>14}{:>14}{:>9}\n", "level", width, "alpha us", "machine",
                                 "diff", "1/beta GB/s", "machine", "diff");
  for (const models::LevelFit& f : fits) {
    text += fmt::format("{:<{}} {:>12.4f}{:>12.4f}{:>8.3f}%{:>14.4f}{:>14.4f}{:>8.3f}%\n", name_of(f), width,
                        f.fitted.latency.value * 1e6, f.latency.value * 1e6, f.latency_difference * 100,
                        f.fitted.bandwidth.value / 1e9, f.bandwidth.value / 1e9, f.bandwidth_difference * 100);
  }
  return text;
}

}  // namespace strata::command
