// SPDX-License-Identifier: LGPL-2.1-only
#include "command/simulated_prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "calibration/prediction_plan.h"
#include "command/command.h"
#include "console/progress.h"
#include "sim/launcher/measurements.h"
#include "sim/launcher/scratch.h"
#include "sim/launcher/simulation.h"

namespace strata::command {
namespace {

using calibration::HeldOut;
using calibration::Predicted;
using calibration::SimulationPart;

constexpr double kLimit = 120;  // s of wall time per simulation
// The times that the program printed.
std::vector<double> times_in(const std::string& printed) {
  std::vector<double> times;
  for (const std::string& line : sim::marked_lines(printed)) {
    const Json json = Json::parse(line, nullptr, false);
    if (!json.is_discarded() && json.value("metric", "") == "time") times.push_back(json.at("value").get<double>());
  }
  return times;
}

}  // namespace

std::vector<Predicted> predict(const Machine& machine, const std::vector<HeldOut>& held_out,
                               const sim::Installation& installation, const PredictionOptions& options,
                               std::vector<std::string>& notes) {
  std::vector<HeldOut> possible;
  std::vector<std::unique_ptr<sim::ScratchFolder>> folders;
  std::vector<sim::Stage> stages;
  for (const HeldOut& h : held_out) {
    try {
      const std::vector<Binding> ranks = bindings_of(h, machine, options.ranks_per_node);
      folders.push_back(std::make_unique<sim::ScratchFolder>());
      stages.push_back(sim::prepare_stage(machine, {ranks}, folders.back()->path(), installation, "repeated", kLimit));
      possible.push_back(h);
    } catch (const InputError& e) {
      const std::string note = std::string(e.what()) + "; not predicted";
      if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
    }
  }
  const std::vector<SimulationPart> parts = plan_of(possible, options.most_messages, notes);
  std::vector<Predicted> all;
  for (const HeldOut& h : possible) all.push_back({h, {}});
  const sim::ScratchFolder outputs;
  std::vector<sim::Simulation> simulations;
  for (const SimulationPart& part : parts) {
    simulations.push_back(
        {.stage = part.of, .arguments = part.arguments, .output = outputs.path() / std::to_string(simulations.size())});
  }
  std::vector<std::string> failures(simulations.size());  // by simulation, so that notes do not depend on which ends
                                                          // first
  console::Progress progress({.what = "predictions", .total = simulations.size()});
  sim::run_simulations(stages, simulations, default_jobs(), [&](size_t i, const sim::Outcome& outcome) {
    const HeldOut& h = possible[parts[i].of];
    const std::string name = fmt::format("{} on {} ranks", word_of(h.operation), h.ranks);
    failures[i] = outcome.failure;
    add_times(times_in(outcome.printed), parts[i], all[parts[i].of]);
    progress.point_done(name);
    return true;
  });
  for (size_t i = 0; i < failures.size(); ++i) {
    const HeldOut& h = possible[parts[i].of];
    if (failures[i].empty()) continue;
    notes.push_back(
        fmt::format("{}: {} on {} ranks is not predicted: {}", h.source, word_of(h.operation), h.ranks, failures[i]));
  }
  for (Predicted& p : all) {
    std::sort(p.sizes.begin(), p.sizes.end(), [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
  }
  std::erase_if(all, [](const Predicted& p) { return p.sizes.empty(); });
  return all;
}

}  // namespace strata::command
