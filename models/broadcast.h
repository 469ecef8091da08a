// SPDX-License-Identifier: LGPL-2.1-only
// Broadcast: each member gets the root's message.
//
//   linear        the root starts the sends to all other members, in increasing order, and waits for all of them
//   chain         four chains; pipeline: one; binary and binomial: trees.h. Segment by segment: a member that has a
//                 segment starts the sends to its children and waits for all; the next segment's receive is posted by
//                 then
//   split binary  half of the message goes down each side of the binary tree, segment by segment, to one child after
//                 another; then members of the two sides exchange halves in pairs. A message that has no two halves of
//                 a segment each is pipelined
//
// Source: Open MPI 2.0.1, ompi/mca/coll/base/coll_base_bcast.c; the same in 4.0.0. Messages: p - 1 a segment; split
// binary 2 (p - 1).
#pragma once

#include <span>

#include "models/algorithm.h"
#include "models/group.h"
#include "models/schedule.h"
#include "models/segmented_payload.h"
#include "models/trees.h"

namespace strata::models {

/// Appends the broadcast. O(messages). Throws std::invalid_argument on an algorithm that a broadcast does not have.
void add_broadcast(Schedule& schedule, Algorithm algorithm, const Group& group, const Payload& payload);

/// How a member sends to its children: all at once, or one after another.
enum class Sends { kAtOnce, kInTurn };

/// Broadcasts down a tree of vertices, segment by segment; `segments` in bytes. Segments of 0 bytes are sent too.
void add_tree_broadcast(Schedule& schedule, const Tree& tree, const Group& group, std::span<const double> segments,
                        Sends sends);

}  // namespace strata::models
