// SPDX-License-Identifier: LGPL-2.1-only
// The work of a machine's cores and memories (flow/memory.h) as the MPI code under SimGrid charges it: it blocks the
// actor until it is done.
#pragma once

#include "flow/memory.h"
#include "records/exchange/memory_work.h"
#include "sim/plugin/flow_model.h"

namespace strata::sim {

class Memory : public MemoryWork {
 public:
  /// The machine of `flows` has figures of its memory. `flows` must outlive it, and it the simulation. Made before any
  /// actor.
  explicit Memory(FlowModel& flows);
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  void copy(double bytes) override;
  void combine(double bytes) override;
  void stream(double flops, double bytes, double working_set) override;
  void compute(double seconds) override;

 private:
  void wait_for(const flow::Work& work);

  FlowModel& flows_;
  flow::Memory& memory_;
};

}  // namespace strata::sim
