// SPDX-License-Identifier: LGPL-2.1-only
// The split-tree model's prediction for the program nbc at one point: computation overlapped with a nonblocking
// collective, in s, from the machine and the placement of ranks and threads; and whether the model's assumptions hold.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/prediction.h"
#include "models/split_tree_load.h"
#include "models/split_tree_machine.h"

namespace strata::models {

/// The parameters of the program.
struct NbcPoint {
  TreeCollective collective;
  Bytes bytes;               // of the buffer; for a gather or scatter, of a rank's block
  std::optional<int> steps;  // empty: the model's best for its own computation ("auto")
  bool blocking = false;     // communication and computation in sequence, without threads
  int arity = 2;
  int root = 0;
  bool over_nodes = false;  // a tree in each node, one above
  Seconds computation;      // of each rank
};

/// Uses Eq. 3, 7 and 9 in units of message_unit. `threads` by rank; empty: none. P is the number of cores that run
/// threads and no rank. `outside` gives, with its number, the first of these conditions that is violated:
///   threads have cores of their own; copies are single and longer than the eager limit; a tree over several nodes is
///   one of trees in nodes of equal ranks; latencies, and the time on links beyond the copies, are below `negligible`
///   (of a message); and the levels executed with the placement (placed_time) take the model's time: the difference
///   comes from the busiest cores, a last subtree that is cut off, and own blocks.
/// Throws std::invalid_argument if the root is not a rank, or the arity is below 2.
Prediction predict_split_tree(const Machine& machine, const std::vector<Binding>& ranks,
                              const std::vector<Binding>& threads, const NbcPoint& point, double negligible);

}  // namespace strata::models
