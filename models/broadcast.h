// SPDX-License-Identifier: LGPL-2.1-only
// Broadcast: each member gets the root's message.
//
//   linear        the root sends it to every other member, in increasing order, one after another
//   chain         four chains; pipeline: one; binary and binomial: trees.h. Segment by segment: a member that has a
//                 segment sends it to its children, one after another; the next segment's receive is posted by then
//   split binary  half of the message goes down each side of the binary tree, segment by segment; then members of the
//                 two sides exchange halves in pairs. A message that has no two halves of a segment each is pipelined
//
// Source: Open MPI 2.0.1, ompi/mca/coll/base/coll_base_bcast.c. There the sends to all children start at once; here, as
// in the models that RR-9077, Section 6 quotes, one after another. Messages: p - 1 a segment; split binary 2 (p - 1).
#pragma once

#include <span>

#include "models/algorithm.h"
#include "models/group.h"
#include "models/payload.h"
#include "models/schedule.h"
#include "models/trees.h"

namespace strata::models {

/// Appends the broadcast. O(messages). Throws std::invalid_argument on an algorithm that a broadcast does not have.
void add_broadcast(Schedule& schedule, Algorithm algorithm, const Group& group, const Payload& payload);

/// Down a tree of vertices, segment by segment; `segments` in bytes. Also segments of 0 bytes are sent.
void add_tree_broadcast(Schedule& schedule, const Tree& tree, const Group& group, std::span<const double> segments);

}  // namespace strata::models
