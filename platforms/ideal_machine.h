// SPDX-License-Identifier: LGPL-2.1-only
// The machine of the split-tree model (IJHPCA'19, Section 6.2): nothing costs but copying, and cores do not disturb
// each other. A difference between simulation and model then comes from the schedule.
#pragma once

#include "platforms/machine.h"

namespace strata {

/// One node of `cores` cores in one NUMA node. A core copies `buffer` in 1 s, the model's unit of time. Messages have
/// no latency and, as combinations, 1e15 times the copy's bandwidth, so that they take nothing beside it; a message is
/// copied by one core and is not eager (except an empty one). Every figure's source is `assumed`. Throws InputError:
/// `cores` below 1 or above kMaxIdealCores (place `--cores`), a buffer that is not above 0 B.
Machine ideal_machine(int cores, Bytes buffer);

/// A slip of the keyboard is refused, not tried.
inline constexpr int kMaxIdealCores = 65'536;

}  // namespace strata
