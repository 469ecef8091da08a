// SPDX-License-Identifier: LGPL-2.1-only
#include "replay/kernel.h"

namespace strata::replay {

Kernel::Kernel(const Machine& machine, const std::vector<int>& cores, Observer& observer)
    : machine_(machine),
      core_of_(cores),
      observer_(observer),
      flows_(machine, flow::kTimePrecision),
      memory_(flows_.paths().memory()),
      cores_(cores, machine.core_speed.si, flow::kTimePrecision) {}

void Kernel::compute(int rank, double flops) {
  if (flops <= 0) return wake(rank);
  cores_.compute(rank, flops, now_);
}

void Kernel::work(int rank, const flow::Work& work) {
  if (work.amount <= 0) return wake(rank);
  own(flows_.start_work(work, now_), -1 - rank);
}

}  // namespace strata::replay
