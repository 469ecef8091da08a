// SPDX-License-Identifier: LGPL-2.1-only
// The error of a replay in which no rank can continue: "no rank can go on: rank 0 waits for rank 1 (receive of up to
// 8 B), rank 1 waits at a barrier, a lock or a probe".
#pragma once

#include <optional>
#include <vector>

namespace strata::replay {

/// A rank that has not ended.
struct StuckRank {
  struct Message {
    bool sends = false;
    int other = -1;  // the rank at its other side
    double bytes = 0;
  };
  int rank = 0;
  bool has_request = false;                       // waits for a request
  std::optional<Message> message = std::nullopt;  // of the request, if it is not one of a window
};

/// Throws InputError. Names the first few.
[[noreturn]] void fail_stuck(const std::vector<StuckRank>& ranks);

}  // namespace strata::replay
