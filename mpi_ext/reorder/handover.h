// SPDX-License-Identifier: LGPL-2.1-only
// Each process's partners when ranks are reordered: the data of a rank goes to the process that takes the rank over.
#pragma once

#include <vector>

namespace strata::mpix {

/// Partners of a process in the new communicator: the one to which it sends its data, and the one from which it gets
/// the data of its new rank.
struct Handover {
  int to = 0;
  int from = 0;
};

/// The partners of the process with new rank `now`. `new_rank` is indexed by old rank, `old_rank` is its inverse. The
/// process had the old rank old_rank[now]: it sends to the process that has that number as its new rank, and receives
/// from the process that had the old rank `now`.
inline Handover handover(const std::vector<int>& new_rank, const std::vector<int>& old_rank, int now) {
  return {.to = old_rank[now], .from = new_rank[now]};
}

}  // namespace strata::mpix
