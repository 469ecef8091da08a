// SPDX-License-Identifier: LGPL-2.1-only
// Barrier: no rank leaves before every rank has entered. Messages of 0 bytes.
//
//   linear     all send to the first member, which receives in their order and then sends to all in that order
//   binomial   a reduce and a broadcast of empty messages on the binomial tree
//   recursive doubling   with q the largest power of two up to p: members from q on exchange with the member q before
//                        them; members below q exchange with partners at distance 1, 2, 4, ...; then members from q on
//                        are released
//
// Source: Open MPI 2.0.1, ompi/mca/coll/base/coll_base_barrier.c.
#pragma once

#include "models/algorithm.h"
#include "models/group.h"
#include "models/schedule.h"

namespace strata::models {

// Each appends to the schedule; the group's root does not matter. Each throws std::invalid_argument for an algorithm
// that it does not have.

void add_barrier(Schedule& schedule, Algorithm algorithm, const Group& group);
/// The first half: after it, the first member knows that all have entered. Linear or binomial.
void add_arrival(Schedule& schedule, Algorithm algorithm, const Group& group);
/// The second half: the first member releases all. Linear or binomial.
void add_release(Schedule& schedule, Algorithm algorithm, const Group& group);

}  // namespace strata::models
