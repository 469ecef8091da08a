// Hockney's model in closed form: a message of m bytes takes alpha + m beta, and a flat tree sends one after another.
//
// Source: RR-9077, Section 6. The closed forms assume that every message of a level costs the same and that nothing
// contends; for a machine whose levels differ, predict_hockney evaluates the schedule itself.
#pragma once

#include <span>

#include "platforms/units.h"

namespace strata::models {

/// alpha and 1/beta of a message.
struct HockneyCost {
  Seconds latency;
  BytesPerSecond bandwidth;
};

/// alpha + m beta.
Seconds message_time(const HockneyCost& cost, Bytes m);

/// A root that sends to `processes` - 1 others in turn: (p - 1)(alpha + m beta). Throws std::invalid_argument where
/// processes < 1, as do the others.
Seconds flat_tree_time(int processes, const HockneyCost& cost, Bytes m);

/// A binomial tree: ceil(log2 p) rounds of alpha + m beta.
Seconds binomial_tree_time(int processes, const HockneyCost& cost, Bytes m);

/// One level of the hierarchy: p_i processes in each group (or, at the top, as many as there are groups) and their
/// costs.
struct HockneyLevel {
  int processes;
  HockneyCost cost;
};

/// Flat trees level after level, groups of one level at the same time: the sum over i of (p_i - 1)(alpha_i + m beta_i).
Seconds hierarchical_flat_tree_time(std::span<const HockneyLevel> levels, Bytes m);

}  // namespace strata::models
