// SPDX-License-Identifier: LGPL-2.1-only
// The points of a run: each is simulated, or replayed from a recording of its program. Records are appended as points
// finish.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "console/progress.h"
#include "platforms/machine.h"
#include "records/record.h"
#include "scenarios/rule_files.h"
#include "scenarios/scenario.h"
#include "sim/launcher/failure.h"
#include "sim/launcher/installation.h"
#include "sim/launcher/placements.h"
#include "sim/launcher/point_bars.h"
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
         const Manifest& manifest, const RuleFiles& rules, const std::vector<Json>& all, const std::vector<int>& own,
         const Placements& placements)
      : scenario_(scenario),
        machine_(machine),
        installation_(installation),
        options_(options),
        manifest_(manifest),
        rules_(rules),
        all_(all),
        own_(own),
        placements_(placements) {}

  /// Simulates its own points that are not done.
  void simulate(const std::set<int>& done, RunFolder& folder);
  /// Records the program once for each of its inputs, and replays its own points that are not done.
  void replay(const std::set<int>& done, RunFolder& folder);

 private:
  // A run of a point: 0 is that on its machine; with error bars there are more (PointBars).
  struct PointRun {
    int point = 0;
    std::size_t run = 0;
  };
  const Json& at(int p) const { return all_[p]; }
  // Several would write the same files in the scenario's folder.
  int jobs() const { return scenario_.folder.empty() ? options_.jobs : 1; }
  std::vector<int> without(const std::set<int>& done) const;
  Machine machine_at(int p) const;
  // The values of the parameters that set its figures.
  std::string figures_at(int p) const;
  // The simulation of a point, without its stage and its output files.
  Simulation simulation_of(int p) const;
  // Points with the same machine and placement share a stage.
  size_t stage_of(const PointRun& run);
  size_t stage_of(int p, const Machine& machine, const std::string& figures);
  // The runs of these points, one point after the other.
  std::vector<PointRun> runs_of(const std::vector<int>& points);
  const std::shared_ptr<const replay::Ends>& ends_at(int p) const { return ends_.at(figures_at(p)); }
  Machine machine_at(const PointRun& run) const;
  // "point elements=1000", or "point elements=1000 with Package.latency at 1.2 us".
  std::string name_of(const PointRun& run) const;
  // The result of a run: lines as programs print them, or a failure.
  struct Computed {
    std::vector<Json> lines = {};
    double wall_s = 0;
    Failure failure = {};
  };
  // Takes the result of a run as it arrives; returns false if the calculation must stop.
  using Report = std::function<bool(const PointRun& run, const Computed& computed)>;
  // Keeps the results of the points that are left, which `run` calculates.
  void compute(const std::vector<int>& left, RunFolder& folder, const std::function<void(const Report&)>& run);
  // The recordings of its own points. Those that are not in the folder are made, on the unchanged machine.
  std::map<int, std::filesystem::path> record(const std::filesystem::path& folder);
  std::filesystem::path shown(const std::filesystem::path& output) const;
  void keep(int p, const PointBars& bars, double wall_s, RunFolder& folder, console::Progress& progress) const;

  const Scenario& scenario_;
  const Machine& machine_;
  const Installation& installation_;
  const RunOptions& options_;
  const Manifest& manifest_;
  const RuleFiles& rules_;
  const std::vector<Json>& all_;
  const std::vector<int>& own_;
  const Placements& placements_;
  const ScratchFolder scratch_;
  std::vector<Stage> stages_;
  std::map<std::pair<size_t, std::string>, size_t> stage_by_;        // by placement and figures
  std::map<std::string, std::shared_ptr<const replay::Ends>> ends_;  // by figures; of all points that are left
  std::map<int, PointBars> bars_;                                    // of the points that have some of their runs
};

}  // namespace strata::sim
