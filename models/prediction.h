// A prediction: how long an operation takes by a model, and whether the model's assumptions hold for it.
#pragma once

#include <string>
#include <vector>

#include "platforms/machine.h"
#include "platforms/placement.h"

namespace strata::models {

/// The broadcast that is predicted.
struct BroadcastCase {
  std::string algorithm;  // linear, binomial
  std::string variant;    // native, hierarchical
  int root = 0;
  double bytes = 0;  // payload; of nothing nothing is sent
};

struct Prediction {
  Seconds time;
  /// Empty where the model's assumptions hold. Otherwise what breaks them, found from the machine and the schedule
  /// alone and never from the simulation: "contention: 12 messages at once on the up link of node 3 ask for 38.4 GB/s
  /// of 4".
  std::string outside;
};

/// Predicts by Hockney's model, alpha + m beta a message, per level of the hierarchy; a sender is busy until its
/// message has arrived. Throws std::invalid_argument on an unknown algorithm or variant.
Prediction predict_hockney(const Machine& machine, const std::vector<Binding>& ranks, const BroadcastCase& what);

/// Predicts by LogGP: the sender of an eager message is busy for the overhead, and its link for m G.
Prediction predict_loggp(const Machine& machine, const std::vector<Binding>& ranks, const BroadcastCase& what);

}  // namespace strata::models
