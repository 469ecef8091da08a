// SPDX-License-Identifier: LGPL-2.1-only
// Hockney's model in closed form: a message of m bytes takes alpha + m beta, and combining m bytes takes m gamma.
//
// Sources: RR-9077, Section 6 (flat tree, the sum over the levels); the others as in J. Pjesivac-Grbovic et al.,
// "Performance analysis of MPI collective operations", Cluster Computing 10 (2007), Section 3 and Table 1, where a
// process sends one message at a time and may receive one meanwhile. p processes, s segments of equal size, so that a
// segment's message takes T = alpha + m/s beta and its combination g = m/s gamma. They assume that every message of a
// level costs the same and that nothing contends; for a machine whose levels differ, predict_hockney evaluates the
// schedule itself, and on a uniform machine gives the same (tests/models/hockney_test.cc).
#pragma once

#include <span>

#include "base/units.h"

namespace strata::models {

/// alpha and 1/beta of a message.
struct HockneyCost {
  Seconds latency;
  BytesPerSecond bandwidth;
};

/// alpha + m beta.
Seconds message_time(const HockneyCost& cost, Bytes m);

/// A root that sends to `processes` - 1 others in turn: (p - 1)(alpha + m beta). Throws std::invalid_argument if
/// processes < 1, as do the others.
Seconds flat_tree_time(int processes, const HockneyCost& cost, Bytes m);

/// A binomial tree: ceil(log2 p) rounds of alpha + m beta.
Seconds binomial_tree_time(int processes, const HockneyCost& cost, Bytes m);

/// The same, segment by segment: s ceil(log2 p) T. Exact if p is a power of two: the root, which has the most to send,
/// then sends all the time.
Seconds segmented_binomial_time(int processes, const HockneyCost& cost, Bytes m, int segments);

/// One chain of p processes: (p - 2 + s) T for p > 1. 0 for one process, as in the others.
Seconds pipeline_time(int processes, const HockneyCost& cost, Bytes m, int segments);

/// `chains` chains below the root: (s k + ceil((p - 1) / k) - 1) T for k chains: the head of the last chain has its
/// last segment after s k sends, and passes it down its chain. Exact if k divides p - 1.
Seconds chain_time(int processes, int chains, const HockneyCost& cost, Bytes m, int segments);

/// A complete binary tree: 2 (ceil(log2(p + 1)) - 2 + s) T. Exact where p + 1 is a power of two.
Seconds binary_tree_time(int processes, const HockneyCost& cost, Bytes m, int segments);

/// A reduce to the root by all others in turn: (p - 1)(alpha + m beta + m gamma).
Seconds flat_tree_reduce_time(int processes, const HockneyCost& cost, BytesPerSecond combining, Bytes m);

/// A reduce up a binomial tree, in one segment: ceil(log2 p)(alpha + m beta + m gamma). Exact where p is a power of
/// two.
Seconds binomial_reduce_time(int processes, const HockneyCost& cost, BytesPerSecond combining, Bytes m);

/// A reduce along one chain: (p - 2 + s)(T + g) for p > 2: a process combines a segment and sends it while the next one
/// arrives. With p = 2 the leaf has nothing to combine: s T + g, as long as g <= T.
Seconds pipeline_reduce_time(int processes, const HockneyCost& cost, BytesPerSecond combining, Bytes m, int segments);

/// One level of the hierarchy: p_i processes in each group (or, at the top, as many as there are groups) and their
/// costs.
struct HockneyLevel {
  int processes;
  HockneyCost cost;
};

/// Flat trees level after level, with the groups of one level at the same time: the sum over i of (p_i - 1)(alpha_i + m
/// beta_i).
Seconds hierarchical_flat_tree_time(std::span<const HockneyLevel> levels, Bytes m);

}  // namespace strata::models
