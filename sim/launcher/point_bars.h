// SPDX-License-Identifier: LGPL-2.1-only
// The error bars of a point's measurements. The point is run on its machine, and on this machine with one figure at
// either end of its interval (replay/error_bar.h); each time and rate that it measures gets a bar. For example, with
// one figure that has an interval:
//
//   PointBars bars(ends_of_intervals(machine));                3 runs: 0 on the machine, 1 and 2 on bars.machine(run)
//   bars.add(0, {{"metric":"time","value":10,"unit":"us"}});   as the program prints it
//   bars.add(1, {{"metric":"time","value":11,"unit":"us"}});
//   bars.add(2, {{"metric":"time","value":9,"unit":"us"}});
//   bars.bars()                                                 9 to 11 us
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "records/recorded_bar.h"
#include "replay/error_bar.h"

namespace strata::sim {

class PointBars {
 public:
  explicit PointBars(std::shared_ptr<const replay::Ends> ends);

  /// How many runs there are, with that on the machine itself.
  std::size_t runs() const { return 1 + machines_.size(); }
  /// That of a run above 0.
  const Machine& machine(std::size_t run) const { return *machines_.at(run - 1); }
  /// The difference from the machine itself: "Package.latency at 1.2 us"; empty for run 0.
  std::string change(std::size_t run) const { return run == 0 ? "" : ends_->change_of(machines_.at(run - 1)); }

  /// The measurements of a run, in the order of the program.
  void add(std::size_t run, std::vector<Json> lines);
  bool is_complete() const { return added_ == runs(); }
  const std::vector<Json>& lines() const { return lines_.front(); }
  /// By line: nothing for what is neither a time nor a rate or is below 0, or if no figure has an interval. Throws
  /// SimulationFailed if a run measured other things than run 0, or printed something else as a measurement.
  std::vector<std::optional<RecordedBar>> bars() const;

 private:
  std::shared_ptr<const replay::Ends> ends_;
  std::vector<const Machine*> machines_;
  std::vector<std::vector<Json>> lines_;  // by run
  std::size_t added_ = 0;
};

}  // namespace strata::sim
