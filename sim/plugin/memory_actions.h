// SPDX-License-Identifier: LGPL-2.1-only
// The work of a machine's cores and memories (flow/memory_shares.h) for MPI code under SimGrid: a charge blocks the
// actor until the work is done.
#pragma once

#include "flow/memory_shares.h"
#include "records/exchange/memory_work.h"
#include "sim/plugin/flow_model.h"

namespace strata::sim {

class Memory : public MemoryWork {
 public:
  /// The machine of `flows` must have figures of its memory. `flows` must outlive this, and this the simulation.
  explicit Memory(FlowModel& flows);
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  void copy(double bytes, double span) override;
  void combine(double bytes, double span) override;
  void stream(double flops, double bytes, double working_set) override;
  void compute(double seconds) override;

 private:
  void wait_for(const flow::Work& work);

  FlowModel& flows_;
  flow::Memory& memory_;
};

}  // namespace strata::sim
