// SPDX-License-Identifier: LGPL-2.1-only
#include "command/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "platforms/error.h"
#include "sim/launcher/run.h"
#include "sim/launcher/simulation.h"

namespace strata::command {
namespace {

constexpr const char* kSizes = "0,16,64,256,1024,4096,16384,65536,262144,1048576,4194304";  // B

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
        {stage}, {{.arguments = {"--bytes", kSizes}, .output = scratch.path() / "output"}}, 1,
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
  std::string text = fmt::format("{:<26}{:>12}{:>12}{:>9}{:>14}{:>14}{:>9}\n", "level", "alpha us", "machine", "diff",
                                 "1/beta GB/s", "machine", "diff");
  for (const models::LevelFit& f : fits) {
    const std::string hops = f.hops == 0 ? "" : fmt::format(", {} hop{}", f.hops, f.hops == 1 ? "" : "s");
    text += fmt::format("{:<26}{:>12.4f}{:>12.4f}{:>8.3f}%{:>14.4f}{:>14.4f}{:>8.3f}%\n", f.level + hops,
                        f.fitted.latency.value * 1e6, f.latency.value * 1e6, f.latency_difference * 100,
                        f.fitted.bandwidth.value / 1e9, f.bandwidth.value / 1e9, f.bandwidth_difference * 100);
  }
  return text;
}

}  // namespace strata::command
