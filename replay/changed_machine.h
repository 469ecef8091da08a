// SPDX-License-Identifier: LGPL-2.1-only
// A machine with one other figure, to see how the time of a replay changes. Some figures would contradict others: a
// message would be faster than its link, or an overhead longer than its latency.
#pragma once

#include <optional>

#include "platforms/machine.h"
#include "platforms/what_if.h"

namespace strata::replay {

/// The machine after the change; empty if it would contradict itself, as above.
std::optional<Machine> changed_machine(const Machine& machine, const WhatIf& change);

}  // namespace strata::replay
