// SPDX-License-Identifier: LGPL-2.1-only
#include "models/prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "models/contention.h"
#include "models/message_cost.h"
#include "models/schedule_time.h"

namespace strata::models {
namespace {

// Relative difference by which equal sums in different order may differ.
constexpr double kRounding = 1e-9;

// The largest message whose sender does not wait for its receiver, B; negative if there is none.
double largest_eager_bytes(const Machine& machine, const Schedule& schedule) {
  double largest = -1;
  for (const std::vector<Operation>& operations : schedule) {
    for (const Operation& o : operations) {
      const bool sends = o.kind == Operation::Kind::kSend || o.kind == Operation::Kind::kStartSend;
      if (sends && is_eager(machine, o.amount)) largest = std::max(largest, o.amount);
    }
  }
  return largest;
}

// The first two ranks that combine or compute on the same core and therefore share its time; -1 and -1 if there are
// none.
std::pair<int, int> sharing_a_core(const std::vector<Binding>& ranks, const Schedule& schedule) {
  std::map<int, int> works_on;  // by core: the first rank
  for (int r = 0; r < static_cast<int>(schedule.size()); ++r) {
    const auto works = [](const Operation& o) {
      return (o.kind == Operation::Kind::kCombine || o.kind == Operation::Kind::kCompute) && o.amount > 0;
    };
    if (std::none_of(schedule[r].begin(), schedule[r].end(), works)) continue;
    const auto [at, first] = works_on.emplace(ranks[r].core, r);
    if (!first) return {at->second, r};
  }
  return {-1, -1};
}

Seconds time_of(const Timing& timing, TimeOf what) {
  return what == TimeOf::kLast ? timing.completion : timing.mean_completion;
}

// The reason why the machine does not reach the times of LogGP; empty if it does.
std::string outside_of_loggp(const MessageCosts& costs, const std::vector<Binding>& ranks, const Schedule& schedule,
                             const Timing& loggp) {
  const auto goes_around = [&](const Transfer& t) { return costs.may_go_around(ranks[t.from].core, ranks[t.to].core); };
  if (std::any_of(loggp.transfers.begin(), loggp.transfers.end(), goes_around)) return kGoesAround;
  if (loggp.contention) return describe(*loggp.contention, costs.machine());
  if (const auto full = find_memory_contention(costs, ranks, loggp.transfers, loggp.combinations)) {
    return describe(*full, costs.machine());
  }
  if (const auto crowded = find_crowded_card(costs, ranks, loggp.transfers)) return describe(*crowded);
  if (const auto crowded = find_crowded_cache(costs, ranks, loggp.transfers, loggp.combinations)) {
    return describe(*crowded, costs.machine());
  }
  const auto [one, other] = sharing_a_core(ranks, schedule);
  if (one >= 0) return fmt::format("sharing: ranks {} and {} combine or compute on one core", one, other);
  return "";
}

// Sends that a rank starts before it waits for one of them.
struct Burst {
  int rank = -1;
  int sends = 0;
};

// The largest burst; among equal ones, that of the lowest rank.
Burst largest_burst(const Schedule& schedule) {
  Burst largest;
  for (int r = 0; r < static_cast<int>(schedule.size()); ++r) {
    int started = 0;
    for (const Operation& o : schedule[r]) {
      if (o.kind == Operation::Kind::kWaitSend) started = 0;
      if (o.kind == Operation::Kind::kStartSend) ++started;
      if (started > largest.sends) largest = {r, started};
    }
  }
  return largest;
}

// The reason why Hockney's model and LogGP differ.
std::string outside_of_hockney(const Machine& machine, const Schedule& schedule) {
  if (const double eager_bytes = largest_eager_bytes(machine, schedule); eager_bytes >= 0) {
    return fmt::format(
        "eager: a sender of {:.0f} B does not wait for the latency of its message, Hockney's sender does", eager_bytes);
  }
  if (const Burst burst = largest_burst(schedule); burst.sends > 1) {
    return fmt::format("at once: rank {} starts {} sends before it waits for one, Hockney's sends one after another",
                       burst.rank, burst.sends);
  }
  return "overlap: a rank receives while it is busy with another message, or comes late while its sender prepares; "
         "Hockney's takes one message after another";
}

}  // namespace

std::optional<Variant> find_variant(std::string_view name) {
  if (name == "native") return Variant::kNative;
  if (name == "hierarchical") return Variant::kHierarchical;
  return std::nullopt;
}

Schedule schedule_of(const Machine& machine, const std::vector<Binding>& ranks, const CollectiveCase& what,
                     Variant variant) {
  return variant == Variant::kNative ? flat_schedule(what, static_cast<int>(ranks.size()))
                                     : hierarchical_schedule(what, topological_hierarchy(*machine.topology, ranks));
}

// Hockney assumes that both ends are busy with one message at a time. This is false for eager messages, whose sender
// does not wait; for sends that are started together; and for receivers, which can take several messages at once and
// lose no time if they arrive late while the sender prepares. The assumption is harmless if no rank waits for the next
// action of such an end. In exactly these cases LogGP, which does not make the assumption, predicts the same
// completion. So a schedule is outside the model if the two models differ by more than rounding. There is no other
// tolerance: the study decides how far off a model may be, for models whose assumptions hold.
Prediction predict_hockney(const Machine& machine, const std::vector<Binding>& ranks, const Schedule& schedule,
                           TimeOf what) {
  const MessageCosts costs(machine, ranks);
  const Timing hockney = time_schedule(costs, ranks, schedule, CostModel::kHockney);
  Prediction prediction{.time = time_of(hockney, what), .outside = ""};
  // The machine's messages move as in LogGP, so LogGP's transfers show whether links are shared.
  const Timing loggp = time_schedule(costs, ranks, schedule, CostModel::kLogGP);
  const double difference_s = std::abs(prediction.time.value - time_of(loggp, what).value);
  prediction.outside = difference_s <= kRounding * prediction.time.value
                           ? outside_of_loggp(costs, ranks, schedule, loggp)
                           : outside_of_hockney(machine, schedule);
  return prediction;
}

Prediction predict_loggp(const Machine& machine, const std::vector<Binding>& ranks, const Schedule& schedule,
                         TimeOf what) {
  const MessageCosts costs(machine, ranks);
  const Timing loggp = time_schedule(costs, ranks, schedule, CostModel::kLogGP);
  return {.time = time_of(loggp, what), .outside = outside_of_loggp(costs, ranks, schedule, loggp)};
}

Explanation explain(const Machine& machine, const std::vector<Binding>& ranks, const Schedule& schedule,
                    CostModel model) {
  const MessageCosts costs(machine, ranks);
  const Timing timing = time_schedule(costs, ranks, schedule, model);
  Explanation e;
  e.path = summarize(costs, ranks, critical_path(machine, schedule, timing, model));
  if (const auto load = busiest_link(costs, ranks, schedule)) {
    e.busiest_link = describe(load->link, costs.machine());
    e.link_messages = load->messages;
    e.link_bytes = load->bytes;
    e.link_time = Seconds(load->seconds());
  }
  return e;
}

}  // namespace strata::models
