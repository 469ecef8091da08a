// Who gives what it has to whom when ranks are given anew: the data of a rank goes to the process that takes it over.
#pragma once

#include <vector>

namespace strata::mpix {

/// Partners of a process in the new communicator: whom it sends its data to, and from whom it gets that of its new rank.
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
