// SPDX-License-Identifier: LGPL-2.1-only
// The times of the parts of a replay on an otherwise idle machine: of a message alone on its path, and of a computation
// alone on its core.
#pragma once

#include <string>
#include <vector>

#include "flow/machine_flows.h"
#include "platforms/machine.h"
#include "replay/step_price.h"

namespace strata::replay {

class Costs {
 public:
  /// `machine` must outlive this.
  explicit Costs(const Machine& machine);

  /// Indexes into levels().
  int level(int from_core, int to_core) const;
  /// The machine's levels in its order, followed by that of a core's messages to itself.
  const std::vector<std::string>& levels() const { return levels_; }

  struct Message {
    double latency, transfer;  // s
  };
  /// O(links).
  Message message(int from_core, int to_core, double payload, const flow::Spans& spans);
  /// s for which a send occupies its core.
  double overhead(int from_core, int to_core, double payload) const {
    return flows_.paths().send_overhead(from_core, to_core, payload);
  }
  /// s for which taking a message that has arrived occupies its receiver's core.
  double receive_overhead(int from_core, int to_core, double payload) const {
    return flows_.paths().receive_overhead(from_core, to_core, payload);
  }
  /// s of a computation or a sleep.
  double work(int core, const Charge& charge);

 private:
  double alone(double amount, const flow::Path& path) const;

  const Machine& machine_;
  flow::MachineFlows flows_;
  std::vector<std::string> levels_;
  std::vector<int> level_of_stop_;
  flow::Path path_;  // scratch
};

}  // namespace strata::replay
