// SPDX-License-Identifier: LGPL-2.1-only
// The time in which a rank passes one message that it does not look for. An MPI_Recv takes 0.3 us if one message is in
// front of its own, and 4.4 us if there are 1024: 4 ns for each.
#pragma once

#include <optional>

#include "calibration/level_costs.h"

namespace strata::calibration {

/// s. A faster search does not follow a list: the next entry is only known once the last one is read, which takes 4 or
/// 5 cycles from the nearest cache (Intel 64 and IA-32 Architectures Optimization Reference Manual, 2.5.5.2).
inline constexpr double kShortestSearch = 1e-9;

/// From measurements of Operation::kQueue. None if all have the same number of messages in front. May be negative.
std::optional<Estimate> estimate_queue_search(const Evidence& searches);

}  // namespace strata::calibration
