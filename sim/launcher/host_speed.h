// SPDX-License-Identifier: LGPL-2.1-only
// The speed of a core of this computer, for `strata exec --compute measured`: SimGrid multiplies processor time on this
// computer by this speed to get the program's number of operations, and charges them at the speed of the machine's
// cores.
//
// A machine's `costs.core.speed` is the peak speed of a core, and so is this: multiplications and additions of doubles
// in vector registers of the processor's full width.
#pragma once

#include <string>

namespace strata::sim {

struct HostSpeed {
  double flops_per_s = 0;
  std::string source;  // one line for people
};

/// Measured once (half a second) and kept for this model of processor in the cache folder, in host-speed.txt; measured
/// each time if there is no cache folder. Not thread-safe.
HostSpeed host_speed();

/// Measures now; the best of some repetitions.
double measure_host_speed();

/// "20 Gflop/s". Throws InputError.
HostSpeed parse_host_speed(const std::string& text);

}  // namespace strata::sim
