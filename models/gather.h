// SPDX-License-Identifier: LGPL-2.1-only
// Gather, scatter and allgather of blocks, one per member; the blocks may have different sizes.
//
//   linear     gather: the others send their block to the root, which receives in the order of the members, one after
//              another; scatter: the root sends in that order
//   binomial   on the in-order binomial tree (trees.h), whose subtrees are ranges: a member receives its children's
//              subtrees, nearest child first, and sends them with its own block as one message; scatter the other way
//              round, in the same order of children
//   allgather  a gather to the first member and a broadcast of everything from it, both linear or both binomial; or
//              ring: p - 1 times each member passes on to its right neighbour the block that it got last
//
// Source: Open MPI 2.0.1, ompi/mca/coll/base/coll_base_gather.c, coll_base_scatter.c, coll_base_allgather.c.
#pragma once

#include <span>

#include "models/algorithm.h"
#include "models/group.h"
#include "models/schedule.h"

namespace strata::models {

// Each appends its collective; `blocks` are the members' bytes, by index. O(messages). Each throws
// std::invalid_argument for an algorithm that it does not have.

void add_gather(Schedule& schedule, Algorithm algorithm, const Group& group, std::span<const double> blocks);
void add_scatter(Schedule& schedule, Algorithm algorithm, const Group& group, std::span<const double> blocks);
/// The group's root does not matter.
void add_allgather(Schedule& schedule, Algorithm algorithm, const Group& group, std::span<const double> blocks);

}  // namespace strata::models
