// SPDX-License-Identifier: LGPL-2.1-only
// The receive overheads of messages, for MPI code under SimGrid (records/exchange/receive_overhead.h).
#pragma once

#include "flow/machine_paths.h"
#include "platforms/machine.h"
#include "records/exchange/receive_overhead.h"

namespace strata::sim {

class MachineReceiveOverheads : public ReceiveOverheads {
 public:
  /// `paths` must outlive it.
  MachineReceiveOverheads(const Machine& machine, const flow::Paths& paths)
      : paths_(paths), queue_search_s_(machine.queue_search ? machine.queue_search->si : 0) {}

  double receive_overhead(int source, int destination, double payload) override {
    return paths_.receive_overhead(source, destination, payload);
  }
  double queue_search() override { return queue_search_s_; }

 private:
  const flow::Paths& paths_;
  const double queue_search_s_;
};

}  // namespace strata::sim
