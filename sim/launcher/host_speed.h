// SPDX-License-Identifier: LGPL-2.1-only
// How fast a core of this computer computes, for `strata exec --compute measured`: SimGrid takes processor time on this
// computer times this speed for the operations that the program did, and charges them at the speed of the machine's
// cores.
//
// A machine's `costs.core.speed` is what a core can do at most, and so is this: multiplications and
// additions of doubles in vector registers, as wide as the processor has them.
#pragma once

#include <string>

namespace strata::sim {

struct HostSpeed {
  double flops_per_s = 0;
  std::string source;  // one line for people
};

/// Measured once (half a second) and kept in the cache folder, in host-speed.txt, for this model of processor; measured
/// each time where there is no cache folder. Not thread-safe.
HostSpeed host_speed();

/// The best of some repetitions, now.
double measure_host_speed();

/// "20 Gflop/s". Throws InputError.
HostSpeed parse_host_speed(const std::string& text);

}  // namespace strata::sim
