// SPDX-License-Identifier: LGPL-2.1-only
// The acknowledgements of synchronous sends, for MPI code under SimGrid (records/exchange/acknowledgement.h).
#pragma once

#include "flow/machine_paths.h"
#include "platforms/machine.h"
#include "records/exchange/acknowledgement.h"

namespace strata::sim {

class MachineAcknowledgements : public Acknowledgements {
 public:
  /// Both must outlive it.
  MachineAcknowledgements(const Machine& machine, const flow::Paths& paths) : machine_(machine), paths_(paths) {}

  double latency(int source, int destination, double payload) override {
    return payload < machine_.eager_limit.si ? paths_.latency(destination, source) : 0;
  }

 private:
  const Machine& machine_;
  const flow::Paths& paths_;
};

}  // namespace strata::sim
