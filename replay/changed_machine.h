// SPDX-License-Identifier: LGPL-2.1-only
// A machine with one other figure, to see how the time of a replay changes. Some do not exist: a message would be
// faster than its link, or an overhead longer than its latency.
#pragma once

#include <optional>

#include "platforms/machine.h"
#include "platforms/what_if.h"

namespace strata::replay {

/// Empty: there is no such machine.
std::optional<Machine> changed_machine(const Machine& machine, const WhatIf& change);

}  // namespace strata::replay
