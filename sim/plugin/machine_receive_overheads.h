// SPDX-License-Identifier: LGPL-2.1-only
// The receive overheads of messages, for MPI code under SimGrid (records/exchange/receive_overhead.h).
#pragma once

#include "flow/machine_paths.h"
#include "records/exchange/receive_overhead.h"

namespace strata::sim {

class MachineReceiveOverheads : public ReceiveOverheads {
 public:
  /// `paths` must outlive it.
  explicit MachineReceiveOverheads(const flow::Paths& paths) : paths_(paths) {}

  double receive_overhead(int source, int destination, double payload) override {
    return paths_.receive_overhead(source, destination, payload);
  }

 private:
  const flow::Paths& paths_;
};

}  // namespace strata::sim
