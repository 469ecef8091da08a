// SPDX-License-Identifier: LGPL-2.1-only
#include "command/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "platforms/error.h"
#include "sim/launcher/run.h"
#include "sim/launcher/simulation.h"

namespace strata::command {
namespace {

constexpr std::array kSizes = {0, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304};  // B

// With those between which a segment begins, and one more in each.
std::string sizes_of(const LevelCosts& level) {
  std::set<long> sizes(kSizes.begin(), kSizes.end());
  for (size_t i = 0; i < level.segments.size(); ++i) {
    const long from = std::lround(std::ceil(level.segments[i].from.si));
    const bool last = i + 1 == level.segments.size();
    const long next =
        last ? std::max(2 * from, long{kSizes.back()}) : std::lround(std::ceil(level.segments[i + 1].from.si));
    sizes.insert({from - 1, from, next - 1});
  }
  return fmt::format("{}", fmt::join(sizes, ","));
}

// "Gemini", "Gemini, from 8192 B", "System - Cluster, 3 hops".
std::string name_of(const models::LevelFit& f) {
  std::string name = f.level;
  if (f.from_bytes > 0) name += fmt::format(", from {} B", f.from_bytes);
  if (f.hops > 0) name += fmt::format(", {} hop{}", f.hops, f.hops == 1 ? "" : "s");
  return name;
}

}  // namespace

std::vector<models::LevelFit> fit_machine(const Machine& machine, const sim::Installation& installation) {
  const sim::ScratchFolder results;
  Results measured;
  measured.folder = results.path();
  Study& study = measured.manifest.study;
  study.scenario = "fit";
  study.program = "pingpong";
  study.metric = "time";
  study.unit = "s";
  study.ranks = 2;
  save_machine(machine, results.path());
  int point = 0;
  for (const LevelCosts& level : machine.levels) {
    const std::vector<Binding> pair = models::neighbours(*machine.topology, level.level);
    if (pair.empty()) continue;
    const sim::ScratchFolder scratch;
    const sim::Stage stage = sim::prepare_stage(machine, {pair}, scratch.path(), installation, "pingpong", 60);
    sim::run_simulations(
        {stage}, {{.arguments = {"--bytes", sizes_of(level)}, .output = scratch.path() / "output"}}, 1,
        [&](size_t, const sim::Outcome& outcome) {
          if (!outcome.failure.empty()) throw sim::SimulationFailed("ping-pong: " + outcome.failure);
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
  return models::fit_levels(measured);
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
