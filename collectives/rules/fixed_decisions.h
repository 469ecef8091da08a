// SPDX-License-Identifier: LGPL-2.1-only
// Which algorithm Open MPI's component tuned uses without a file of rules, as a table that has the form of one:
//
//   fixed_decision({.operation = Operation::kBcast, .ranks = 64, .bytes = 8192})->algorithm     7, knomial
//
// The table has one row for each range of communicator sizes, `from ranks: algorithm from_bytes:algorithm ...`:
//
//   bcast
//     2: 3 32:5 256:3 512:7 ...        algorithm 3 below 32 B, 5 from 32 B on, ...
//     4: 5 64:6 ...                    from 4 ranks on
//
// Reductions have a second table for operations that do not commute. Sizes are those of tuned_fixed_bytes (call.h).
// Segments and fan-out are always the algorithms' own defaults.
//
// Source: ompi_coll_tuned_*_intra_dec_fixed in ompi/mca/coll/tuned/coll_tuned_decision_fixed.c, whose thresholds are
// the same in Open MPI 4.1.4, 4.1.8, 5.0.9 and in the branch v6.0.x.
#pragma once

#include <optional>
#include <vector>

#include "collectives/rules/rule_file.h"

namespace strata::collectives {

/// Empty for a communicator of one rank, which the component `self` serves, and for scan and exscan, for which tuned
/// has no fixed decision: without rules for them, `basic` serves them. `line` of the rule is 0.
std::optional<Choice> fixed_decision(const Call& call);

/// The table as rules: of each collective, with one level. The table of operations that do not commute if
/// `is_commutative` is false; operations that do not reduce are in both.
std::vector<CollectiveRules> fixed_decisions(bool is_commutative);

}  // namespace strata::collectives
