// SPDX-License-Identifier: LGPL-2.1-only
// Messages and works on a machine: its links (paths.h), and the flows through them (flows.h).
#pragma once

#include "flow/flows.h"
#include "flow/machine_paths.h"
#include "flow/path.h"
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
  int start_message(int source, int destination, double payload, double now, double limit = -1, double delay = 0,
                    const Spans& spans = {}) {
    paths_.find(source, destination, payload, path_, spans);
    path_.latency_s += delay;
    if (Memory* memory = paths_.memory()) memory->begin_message(flows_.next_number(), now);
    return flows_.start_message(source, destination, payload + kEnvelopeBytes, path_, now, limit);
  }
  /// Returns its number (Flows::start_work). The machine must have figures of its memory, from which the work is.
  int start_work(const Work& work, double now) {
    paths_.memory()->begin_work(flows_.next_number(), work, now);
    return flows_.start_work(work.amount, work.path, now);
  }
  /// As Flows'. Use these instead of those, so that data leave their caches.
  template <class Ended>
  void advance(double now, Ended&& ended) {
    Memory* const memory = paths_.memory();
    flows_.advance(now, [&](int id) {
      if (memory != nullptr) memory->end(id);
      ended(id);
    });
  }
  void cancel(int id, double now) {
    flows_.cancel(id, now);
    if (Memory* memory = paths_.memory()) memory->end(id);
  }

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
