// SPDX-License-Identifier: LGPL-2.1-only
// A prediction: the time of a schedule according to a model, and whether the model's assumptions hold for it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/collective.h"
#include "models/schedule_path.h"
#include "platforms/machine.h"
#include "platforms/placement.h"

namespace strata::models {

/// Over all ranks, or over the hierarchy that the machine's topology gives them.
enum class Variant { kNative, kHierarchical };

/// "native" or "hierarchical"; empty for other names.
std::optional<Variant> find_variant(std::string_view name);

/// The schedule of a collective on a machine. Throws std::invalid_argument as those of collective.h do.
Schedule schedule_of(const Machine& machine, const std::vector<Binding>& ranks, const CollectiveCase& what,
                     Variant variant);

struct Prediction {
  Seconds time;
  /// Empty if the model's assumptions hold. Otherwise what violates them, found from the machine and the schedule alone
  /// and never from the simulation: "contention: 12 messages at once on the up link of node 3 ask for 38.4 GB/s of 4".
  std::string outside;
  /// Bounds of the time that always hold, if the model knows them.
  struct Bounds {
    Seconds least, most;
  };
  std::optional<Bounds> bounds = {};
};

/// The time that a prediction is about.
enum class TimeOf {
  kLast,  // when the last rank is done
  kMean,  // the mean of when each is
};

/// Predicts by Hockney's model, alpha + m beta per message, for each level of the hierarchy; both ends are busy until
/// the message has arrived (schedule_time.h).
Prediction predict_hockney(const Machine& machine, const std::vector<Binding>& ranks, const Schedule& schedule,
                           TimeOf what = TimeOf::kLast);

/// Predicts by LogGP: a sender is busy for the overhead of each message, and messages of one core share its links.
Prediction predict_loggp(const Machine& machine, const std::vector<Binding>& ranks, const Schedule& schedule,
                         TimeOf what = TimeOf::kLast);

/// The composition of a predicted time.
struct Explanation {
  PathSummary path;          // the levels on which the time is spent, one message after another (critical_path.h)
  std::string busiest_link;  // "up link of node 3"; empty where nothing is sent
  int link_messages = 0;
  double link_bytes = 0;
  Seconds link_time;  // the minimum time for which it is busy, with any contention
};

Explanation explain(const Machine& machine, const std::vector<Binding>& ranks, const Schedule& schedule,
                    CostModel model);

}  // namespace strata::models
