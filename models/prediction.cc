#include "models/prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "models/broadcast_schedule.h"
#include "models/contention.h"
#include "models/message_cost.h"
#include "models/schedule_time.h"

namespace strata::models {
namespace {

// The same sums in another order differ by less (relative).
constexpr double kRounding = 1e-9;

Schedule schedule_of(const Machine& machine, const std::vector<Binding>& ranks, const BroadcastCase& what) {
  const std::optional<BroadcastAlgorithm> algorithm = find_broadcast_algorithm(what.algorithm);
  if (!algorithm) throw std::invalid_argument("no model of broadcast algorithm '" + what.algorithm + "'");
  if (what.variant != "native" && what.variant != "hierarchical") {
    throw std::invalid_argument("no model of broadcast variant '" + what.variant + "'");
  }
  const Schedule schedule = what.variant == "native"
                                ? native_broadcast(*algorithm, static_cast<int>(ranks.size()), what.root)
                                : hierarchical_broadcast(*algorithm, *machine.topology, ranks, what.root);
  // A broadcast knows its count on every rank: with nothing to send no MPI sends anything.
  return what.bytes > 0 ? schedule : Schedule(ranks.size());
}

// What keeps the machine from the times of LogGP. A core whose eager messages wait for its link is told too: the model
// takes them one after another, the machine shares the link among them, so that the first are later and the last are
// not.
std::string outside_of_loggp(const MessageCosts& costs, const std::vector<Binding>& ranks, const Timing& loggp) {
  if (const auto contention = find_contention(costs, ranks, loggp.transfers)) {
    return describe(*contention, costs.topology());
  }
  if (loggp.waited_for_link >= 0) {
    return fmt::format("gap: rank {} sends eager messages faster than its core's up link carries them",
                       loggp.waited_for_link);
  }
  return "";
}

}  // namespace

// Hockney's assumption about senders is false for every eager message. It is harmless where the sender has nothing else
// to do that anybody waits for; then, and only then, freeing senders early (LogGP) leaves the completion as it is. So
// an eager broadcast is outside where the two models differ by more than rounding. No tolerance is granted: how far off
// a model may be is the study's to say, of models whose assumptions hold. A rendezvous sender does wait: there the
// models are one.
Prediction predict_hockney(const Machine& machine, const std::vector<Binding>& ranks, const BroadcastCase& what) {
  const MessageCosts costs(machine);
  const Schedule schedule = schedule_of(machine, ranks, what);
  const Timing hockney = time_schedule(costs, ranks, schedule, what.bytes, CostModel::kHockney);
  Prediction prediction{.time = hockney.completion, .outside = ""};
  // The machine's messages move when LogGP says, so its transfers tell whether links are shared.
  const Timing loggp = time_schedule(costs, ranks, schedule, what.bytes, CostModel::kLogGP);
  const double difference_s = std::abs(hockney.completion.value - loggp.completion.value);
  if (is_eager(machine, what.bytes) && difference_s > kRounding * hockney.completion.value) {
    prediction.outside = fmt::format(
        "eager: a sender of {:.0f} B does not wait for the latency of its message, Hockney's sender does", what.bytes);
  } else {
    prediction.outside = outside_of_loggp(costs, ranks, loggp);
  }
  return prediction;
}

Prediction predict_loggp(const Machine& machine, const std::vector<Binding>& ranks, const BroadcastCase& what) {
  const MessageCosts costs(machine);
  const Schedule schedule = schedule_of(machine, ranks, what);
  const Timing loggp = time_schedule(costs, ranks, schedule, what.bytes, CostModel::kLogGP);
  return {.time = loggp.completion, .outside = outside_of_loggp(costs, ranks, loggp)};
}

}  // namespace strata::models
