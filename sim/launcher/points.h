// SPDX-License-Identifier: LGPL-2.1-only
// The points of a run: each is simulated, or replayed from a recording of its program. Records are appended as points
// finish.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "console/progress.h"
#include "platforms/machine.h"
#include "records/record.h"
#include "scenarios/scenario.h"
#include "sim/launcher/failure.h"
#include "sim/launcher/installation.h"
#include "sim/launcher/placements.h"
#include "sim/launcher/run.h"
#include "sim/launcher/run_folder.h"
#include "sim/launcher/scratch.h"
#include "sim/launcher/simulation.h"

namespace strata::sim {

/// All throw as run_scenario.
class Points {
 public:
  /// `all`: the points of the sweep, by number; `own`: the numbers of those that this run computes. The arguments must
  /// outlive it.
  Points(const Scenario& scenario, const Machine& machine, const Installation& installation, const RunOptions& options,
         const Manifest& manifest, const std::vector<Json>& all, const std::vector<int>& own,
         const Placements& placements)
      : scenario_(scenario),
        machine_(machine),
        installation_(installation),
        options_(options),
        manifest_(manifest),
        all_(all),
        own_(own),
        placements_(placements) {}

  /// Simulates its own points that are not done.
  void simulate(const std::set<int>& done, RunFolder& folder);
  /// Records the program once for each of its inputs, and replays its own points that are not done.
  void replay(const std::set<int>& done, RunFolder& folder);

 private:
  const Json& at(int p) const { return all_[p]; }
  // Several would write the same files in the scenario's folder.
  int jobs() const { return scenario_.folder.empty() ? options_.jobs : 1; }
  std::vector<int> without(const std::set<int>& done) const;
  Machine machine_at(int p) const;
  // The simulation of a point, without its stage and its output files.
  Simulation simulation_of(int p) const;
  // Points with the same machine and placement share a stage.
  size_t stage_of(int p);
  size_t stage_of(int p, const Machine& machine, const std::string& figures);
  // The result of a point: lines as programs print them, or a failure.
  struct Computed {
    std::vector<Json> lines = {};
    double wall_s = 0;
    Failure failure = {};
  };
  // Takes the result of a point as it arrives; returns false if the calculation must stop.
  using Report = std::function<bool(int point, const Computed& computed)>;
  // Keeps the results of the points that are left, which `run` calculates.
  void compute(const std::vector<int>& left, RunFolder& folder, const std::function<void(const Report&)>& run);
  // The recordings of its own points. Those that are not in the folder are made, on the unchanged machine.
  std::map<int, std::filesystem::path> record(const std::filesystem::path& folder);
  std::filesystem::path shown(const std::filesystem::path& output) const;
  void keep(int p, const std::vector<Json>& lines, double wall_s, RunFolder& folder, console::Progress& progress) const;

  const Scenario& scenario_;
  const Machine& machine_;
  const Installation& installation_;
  const RunOptions& options_;
  const Manifest& manifest_;
  const std::vector<Json>& all_;
  const std::vector<int>& own_;
  const Placements& placements_;
  const ScratchFolder scratch_;
  std::vector<Stage> stages_;
  std::map<std::pair<size_t, std::string>, size_t> stage_by_;  // by placement and figures
};

}  // namespace strata::sim
