// SPDX-License-Identifier: LGPL-2.1-only
#include "command/collective_times.h"

#include <algorithm>
#include <limits>

#include "replay/costs.h"
#include "replay/engine.h"

namespace strata::command {

using namespace collectives;  // NOLINT(google-build-using-namespace): the whole file is about them

namespace {

struct TooLong {};

std::optional<Trace> trace_of(const Collective& call, const OfRank& of_rank, std::int64_t most_steps) {
  std::int64_t steps = 0;
  try {
    return collective_trace(call, [&](int rank, Steps& into) {
      of_rank(rank, into);
      steps += static_cast<std::int64_t>(into.list().size());
      if (steps > most_steps) throw TooLong();
    });
  } catch (const TooLong&) {
    return {};
  }
}

}  // namespace

std::optional<Trace> trace_of(const Chooser& chooser, const Chosen& chosen, const Collective& call,
                              std::int64_t most_steps) {
  return trace_of(
      call, [&](int rank, Steps& into) { chooser.append(chosen, call, rank, into); }, most_steps);
}

double least_s(const Trace& trace, const Machine& machine, const std::vector<int>& cores) {
  const replay::Costs costs(machine);
  double least = 0;
  const auto ranks = static_cast<int>(cores.size());
  for (int rank = 0; rank < ranks; ++rank) {
    double busy = 0;
    for (const TraceStep& step : *trace.ranks[rank]) {
      if (step.kind != TraceStep::Kind::kSend) continue;
      busy += costs.overhead(cores[rank], cores[(rank + step.peer) % ranks], step.amount);
    }
    least = std::max(least, busy);
  }
  return least;
}

Attempt time_on(const Machine& machine, const std::vector<int>& cores, const Collective& call, const OfRank& of_rank,
                std::int64_t most_steps, double until_s) {
  const std::optional<Trace> trace = trace_of(call, of_rank, most_steps);
  if (!trace) return {.end = Attempt::End::kTooLong};
  if (until_s < std::numeric_limits<double>::infinity() && least_s(*trace, machine, cores) > until_s) {
    return {.end = Attempt::End::kSlower};
  }
  const replay::Replayed replayed = replay::replay(*trace, machine, cores, {}, until_s);
  if (!replayed.is_over) return {.end = Attempt::End::kSlower};
  return {.end = Attempt::End::kTimed, .seconds = replayed.simulated_time};
}

Attempt time_on(const Machine& machine, const std::vector<int>& cores, const Chooser& chooser, const Chosen& chosen,
                const Collective& call, std::int64_t most_steps, double until_s) {
  return time_on(
      machine, cores, call, [&](int rank, Steps& into) { chooser.append(chosen, call, rank, into); }, most_steps,
      until_s);
}

}  // namespace strata::command
