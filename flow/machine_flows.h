// SPDX-License-Identifier: LGPL-2.1-only
// Messages and works on a machine: its links (paths.h), and the flows through them (flows.h).
#pragma once

#include "flow/flows.h"
#include "flow/path.h"
#include "flow/paths.h"
#include "platforms/machine.h"
#include "platforms/payload.h"

namespace strata::flow {

/// Not thread-safe.
class MachineFlows {
 public:
  /// `machine` must outlive this. Events that are less than `precision_s` apart happen together.
  MachineFlows(const Machine& machine, double precision_s) : flows_(precision_s), paths_(machine, flows_) {}
  MachineFlows(const MachineFlows&) = delete;
  MachineFlows& operator=(const MachineFlows&) = delete;

  /// Starts a message of `payload` bytes between two cores (indexes into Topology::cores()), after its sender has spent
  /// the overhead. Returns its number (Flows::start_message). `delay`: additional latency in s. O(links).
  int start_message(int source, int destination, double payload, double now, double limit = -1, double delay = 0) {
    paths_.find(source, destination, payload, path_);
    path_.latency_s += delay;
    return flows_.start_message(source, destination, payload + kEnvelopeBytes, path_, now, limit);
  }
  /// Returns its number (Flows::start_work).
  int start_work(const Work& work, double now) { return flows_.start_work(work.amount, work.path, now); }

  Flows& flows() { return flows_; }
  const Flows& flows() const { return flows_; }
  Paths& paths() { return paths_; }
  const Paths& paths() const { return paths_; }

 private:
  Flows flows_;
  Paths paths_;
  Path path_;  // scratch
};

}  // namespace strata::flow
