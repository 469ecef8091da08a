// SPDX-License-Identifier: LGPL-2.1-only
// Sender and receiver of each process when ranks are reordered: a rank's data goes to the process that takes it over.
#pragma once

#include <vector>

namespace strata::mpix {

/// Partners of a process in the new communicator: the one that it sends its data to, and the one that it gets
/// the data of its new rank from.
struct Handover {
  int to = 0;
  int from = 0;
};

/// Of the process that is rank `now` there. `new_rank` is by old rank, `old_rank` its inverse. The process was
/// old_rank[now]: what it has is for who is that now; what it is now, the process of old rank `now` was.
inline Handover handover(const std::vector<int>& new_rank, const std::vector<int>& old_rank, int now) {
  return {.to = old_rank[now], .from = new_rank[now]};
}

}  // namespace strata::mpix
