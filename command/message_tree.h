// SPDX-License-Identifier: LGPL-2.1-only
// Draws the tree along which the data of a broadcast, scatter, reduction or gather flow, over the machine. For example,
// a binomial broadcast to eight ranks on two nodes:
//
//          0          |                 the root on top, ranks from left to right in the order of their cores, nodes
//     1  2            |     4           shaded, each rank below the one that sends to it first (in a reduction or
//           3         |        5  6     gather, to which it sends last); the colour of an edge is the level of the
//                     |           7     machine where both meet
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "collectives/schedules/collective.h"
#include "platforms/topology.h"
#include "records/trace/trace.h"

namespace strata::command {

/// By rank: the one above it; -1: the root. Nothing if the messages make no tree, or the operation has no root.
std::optional<std::vector<int>> message_tree(const Trace& trace, const collectives::Collective& call);

/// An SVG document. `above`: a message_tree. `cores`: by rank, indexes into t.cores().
std::string draw_message_tree(const std::string& title, const std::vector<int>& above, const std::vector<int>& cores,
                              const Topology& t);

}  // namespace strata::command
