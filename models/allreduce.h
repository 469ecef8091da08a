// SPDX-License-Identifier: LGPL-2.1-only
// Allreduce: every member gets the combination of all members' contributions.
//
//   linear, chain, pipeline, binary, binomial   a reduce to the first member, then a broadcast from it
//   recursive doubling   with q the largest power of two up to p, the first 2 (p - q) members combine in pairs, so that
//                        q are left. These exchange with partners at distance 1, 2, 4, ... and combine. Then the
//                        members that were left out get the result. The message is not cut
//
// Source: Open MPI 2.0.1, ompi/mca/coll/base/coll_base_allreduce.c (nonoverlapping, recursivedoubling).
#pragma once

#include "models/algorithm.h"
#include "models/group.h"
#include "models/schedule.h"
#include "models/segmented_payload.h"

namespace strata::models {

/// Appends the allreduce; the group's root does not matter. Throws std::invalid_argument for an algorithm that an
/// allreduce does not have.
void add_allreduce(Schedule& schedule, Algorithm algorithm, const Group& group, const Payload& payload);

}  // namespace strata::models
