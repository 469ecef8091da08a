// SPDX-License-Identifier: LGPL-2.1-only
// The start time of ranks that are measured together (mpi_ext/adapter/measure.h), in a simulation and in its replay.
#pragma once

namespace strata {

/// Simulated seconds after the last rank has read the clock. Ranks do not know when the last of them leaves the
/// reduction of their clocks, but a second later all of them have left it.
inline constexpr double kTogetherAfter = 1;

}  // namespace strata
