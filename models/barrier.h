// SPDX-License-Identifier: LGPL-2.1-only
// Barrier: no rank leaves before every rank has come. Messages of 0 bytes.
//
//   linear     all send to the first member, which receives in their order and then sends to all in that order
//   binomial   a reduce and a broadcast of nothing on the binomial tree
//   recursive doubling   with q the largest power of two up to p: members from q on exchange with the member q before
//                        them; members below q exchange with partners at distance 1, 2, 4, ...; then members from q on
//                        are let go
//
// Source: Open MPI 2.0.1, ompi/mca/coll/base/coll_base_barrier.c.
#pragma once

#include "models/algorithm.h"
#include "models/group.h"
#include "models/schedule.h"

namespace strata::models {

// Each appends; the group's root does not matter. Each throws std::invalid_argument on an algorithm that it does not
// have.

void add_barrier(Schedule& schedule, Algorithm algorithm, const Group& group);
/// The first half: the first member knows that all have come. Linear or binomial.
void add_arrival(Schedule& schedule, Algorithm algorithm, const Group& group);
/// The second half: the first member tells all. Linear or binomial.
void add_release(Schedule& schedule, Algorithm algorithm, const Group& group);

}  // namespace strata::models
