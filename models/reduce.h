// SPDX-License-Identifier: LGPL-2.1-only
// Reduce: the root gets the combination of all members' contributions.
//
//   linear           every other member sends its contribution to the root, which receives from the last member down to
//                    the first, one after another, and combines after each; its own is combined in its place
//   chain, pipeline, binary, binomial   up the trees of trees.h (the in-order binomial one, whose nearest children are
//                    done first), segment by segment: a member receives the segment from its children in their order,
//                    combines after each and sends the result to its parent. The next receive, from the next child or
//                    of the next segment, is posted before it waits for one
//   in-order binary  the same up the tree whose subtrees are ranges of members, rooted at the last member, which sends
//                    the whole result to another root in the end
//
// Source: Open MPI 2.0.1, ompi/mca/coll/base/coll_base_reduce.c. Messages: p - 1 a segment; in-order binary one more
// where the root is not the last member. Each member but the leaves combines once a child and segment.
#pragma once

#include <span>

#include "models/algorithm.h"
#include "models/group.h"
#include "models/schedule.h"
#include "models/segmented_payload.h"
#include "models/trees.h"

namespace strata::models {

/// Appends the reduce. O(messages). Throws std::invalid_argument on an algorithm that a reduce does not have.
void add_reduce(Schedule& schedule, Algorithm algorithm, const Group& group, const Payload& payload);

/// Up a tree of vertices, segment by segment; `segments` in bytes. Also segments of 0 bytes are sent.
void add_tree_reduce(Schedule& schedule, const Tree& tree, const Group& group, std::span<const double> segments);

}  // namespace strata::models
