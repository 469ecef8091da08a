// SPDX-License-Identifier: LGPL-2.1-only
// Converts memory work of a core to floating-point operations that take the same time, for machines without figures of
// their memory. For example, at 2 Gflop/s and 4 GB/s a copy of 1 kB costs 500 flop. With figures of the memory:
// flow/memory_shares.h.
#pragma once

#include <algorithm>

#include "platforms/payload.h"

namespace strata {

/// A copy or combination of `bytes` at `bandwidth`, in B/s of one operand. `speed`: the core's, in flop/s.
inline double moving_flops(double speed, double bandwidth, double bytes) { return speed * (bytes / bandwidth); }

/// `flops` during which the core moves `bytes` to and from memory, at the pace of a combination: `combine_bandwidth` is
/// in B/s of one operand.
inline double streaming_flops(double speed, double combine_bandwidth, double flops, double bytes) {
  return std::max(flops, moving_flops(speed, kMovedByCombine * combine_bandwidth, bytes));
}

}  // namespace strata
