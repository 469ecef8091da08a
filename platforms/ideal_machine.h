// SPDX-License-Identifier: LGPL-2.1-only
// The machine of the split-tree model (IJHPCA'19, Section 6.2): only copying costs time, and cores do not slow each
// other down. A difference between simulation and model then comes from the schedule.
#pragma once

#include "platforms/machine.h"

namespace strata {

/// One node with `cores` cores in one NUMA node. A core copies `buffer` in 1 s, the model's unit of time. Messages have
/// no latency. Messages and combinations have 1e15 times the copy's bandwidth, so that their time is negligible. A
/// message is copied by one core and is not eager (unless it is empty). Every figure's source is `assumed`. Throws
/// InputError: `cores` (place `--cores`) below 1 or above kMaxIdealCores, a buffer that is not above 0 B.
Machine ideal_machine(int cores, Bytes buffer);

/// Limit that catches typing errors.
inline constexpr int kMaxIdealCores = 65'536;

}  // namespace strata
