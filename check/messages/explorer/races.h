// SPDX-License-Identifier: LGPL-2.1-only
// Which steps of an execution happen before which, and which could have been taken in the other order.
//
// For example, ranks 1 and 2 each send a message to rank 0, which receives from anybody. The two sends depend on each
// other (dependence.h) and neither happens before the other through a third step: they race. An order in which rank 2
// sends first is begun by rank 2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "check/messages/explorer/dependence.h"
#include "check/messages/explorer/step.h"

namespace strata::check {

/// For each actor, by its id, its last step that happens before this one or is it, counted from 1; 0 or beyond the end
/// for no such step.
using Clock = std::vector<std::uint32_t>;

struct Taken {
  Step step;
  Clock clock;
};

using Execution = std::vector<const Taken*>;

/// The clock of a step that is taken after an execution whose clocks are known. `races` gets the steps of the execution
/// that it races with, by their index, the last one first.
Clock clock_of(const Execution& before, const Step& step, const Dependence& dependence,
               std::vector<std::size_t>& races);

/// The actors that can begin, where `earlier` was taken, an order in which `later`, the last step of the execution,
/// comes before it: those of `enabled` there. In the order of the steps.
std::vector<long> firsts_of(const Execution& execution, std::size_t earlier,
                            const std::function<bool(long actor)>& enabled);

}  // namespace strata::check
