// SPDX-License-Identifier: LGPL-2.1-only
// How long an algorithm of a collective takes on a machine, by an exact replay of its messages:
//
//   const std::optional<Trace> trace = trace_of(chooser, chooser.of_number(Operation::kBcast, 6), call, kMostSteps);
//   seconds_of(*trace, machine, cores)
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "collectives/chosen/chosen.h"
#include "collectives/schedules/collective_trace.h"
#include "collectives/tuning/fastest.h"
#include "platforms/machine.h"
#include "records/trace/trace.h"

namespace strata::command {

inline constexpr std::int64_t kMostSteps = 100'000'000;  // 10 GB of memory

/// `chosen` as a trace, which has neither a machine nor cores. Empty if the ranks do more than `most_steps`.
std::optional<Trace> trace_of(const collectives::Chooser& chooser, const collectives::Chosen& chosen,
                              const collectives::Collective& call, std::int64_t most_steps);

/// A time that a replay cannot be below, without the replay: a rank's core is busy for the overhead of each of its
/// sends. For example, the root of a binomial tree of 64 ranks starts 6,144 sends for 1 MiB in segments of 1 KiB.
double least_s(const Trace& trace, const Machine& machine, const std::vector<int>& cores);

/// Times the schedule `of_rank` of `call`, for `until_s` of simulated time at most. `cores`: by rank, as in
/// replay/engine.h.
collectives::Attempt time_on(const Machine& machine, const std::vector<int>& cores, const collectives::Collective& call,
                             const collectives::OfRank& of_rank, std::int64_t most_steps, double until_s);

/// Times `chosen`, for `until_s` of simulated time at most. `cores`: by rank, as in replay/engine.h.
collectives::Attempt time_on(const Machine& machine, const std::vector<int>& cores, const collectives::Chooser& chooser,
                             const collectives::Chosen& chosen, const collectives::Collective& call,
                             std::int64_t most_steps, double until_s);

}  // namespace strata::command
