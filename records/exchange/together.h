// SPDX-License-Identifier: LGPL-2.1-only
// When ranks start together that are to be measured (mpi_ext/adapter/measure.h), in a simulation and in a replay of it.
#pragma once

namespace strata {

/// Simulated s after the last of them has read the clock. When the last one leaves the reduction of their clocks is not
/// known to the others; a second later all have.
inline constexpr double kTogetherAfter = 1;

}  // namespace strata
