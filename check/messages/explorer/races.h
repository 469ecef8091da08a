// SPDX-License-Identifier: LGPL-2.1-only
// The happens-before relation of an execution's steps, and its races: pairs of steps that could have been taken in the
// opposite order.
//
// For example, ranks 1 and 2 each send a message to rank 0, which receives from any source. The two sends depend on
// each other (dependence.h), and there is no third step through which one must happen before the other: they race. To
// explore an order in which rank 2 sends first, rank 2 must go first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "check/messages/explorer/dependence.h"
#include "check/messages/explorer/step.h"

namespace strata::check {

/// For each actor, by id: the number (from 1) of its last step that happens before this step or is this step. 0, or an
/// index past the end: no such step.
using Clock = std::vector<std::uint32_t>;

struct Taken {
  Step step;
  Clock clock;
};

using Execution = std::vector<const Taken*>;

/// The clock of a step that is taken after the execution `before`. `races` gets the indexes of the steps in `before`
/// with which it races, the last one first.
Clock clock_of(const Execution& before, const Step& step, const Dependence& dependence,
               std::vector<std::size_t>& races);

/// Actors among those `enabled` before step `earlier` that can begin an order in which `later`, the last step of the
/// execution, comes before `earlier`. In the order of their steps.
std::vector<long> firsts_of(const Execution& execution, std::size_t earlier,
                            const std::function<bool(long actor)>& enabled);

}  // namespace strata::check
