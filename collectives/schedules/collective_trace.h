// SPDX-License-Identifier: LGPL-2.1-only
// A collective as a trace, which replay/ runs on a machine. For example, when a broadcast of 1 MB along a binomial tree
// ends:
//
//   const Trace trace = collective_trace({.ranks = 16, .count = 1'000'000}, binomial_broadcast, {});
//   replay::replay(trace, machine, cores).simulated_time
//
// It is what `strata exec --record` writes for a program that only calls the collective with Open MPI: messages, and
// the copies and reductions that the library does itself.
#pragma once

#include <functional>

#include "collectives/schedules/collective.h"
#include "records/trace/trace.h"

namespace strata::collectives {

/// What `rank` does; called once for each rank.
using OfRank = std::function<void(int rank, Steps& steps)>;

/// Ranks that do the same, relative to their own number, share a program, so memory is in proportion to the steps that
/// differ. All ranks begin at time 0.
Trace collective_trace(const Collective& call, const OfRank& of_rank);

}  // namespace strata::collectives
