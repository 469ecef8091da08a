// SPDX-License-Identifier: LGPL-2.1-only
// The precision of simulated times, in a simulation and in its replay.
#pragma once

namespace strata::flow {

/// s. SimGrid's default, a nanosecond, is 0.2 % of the time of a small message.
inline constexpr double kTimePrecision = 1e-12;

}  // namespace strata::flow
