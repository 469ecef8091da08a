// SPDX-License-Identifier: LGPL-2.1-only
// What work costs a core where the machine has no figures of its memory: floating-point operations that take as long,
// in flop. For example at 2 Gflop/s and 4 GB/s a copy of 1 kB costs 500 flop. With figures of the memory:
// flow/memory.h.
#pragma once

#include <algorithm>

#include "platforms/payload.h"

namespace strata {

/// `bytes` that a core copies or combines at `bandwidth`, in B/s of one operand. `speed`: the core's, in flop/s.
inline double moving_flops(double speed, double bandwidth, double bytes) { return speed * (bytes / bandwidth); }

/// `flops` beside which the core moves `bytes` between itself and the memory, at the pace of a combination:
/// `combine_bandwidth` is in B/s of one operand.
inline double streaming_flops(double speed, double combine_bandwidth, double flops, double bytes) {
  return std::max(flops, moving_flops(speed, kMovedByCombine * combine_bandwidth, bytes));
}

}  // namespace strata
