// SPDX-License-Identifier: LGPL-2.1-only
// All orders of a random program (programs/drawn_program.h) by MPI's rules for messages, without SimGrid: slow and
// obvious.
//
// A message is queued at its receiver until a matching receive is posted. A receive gets the first matching message, or
// waits for one. Then both are complete.
#pragma once

#include <compare>
#include <cstddef>
#include <set>
#include <vector>

#include "check/messages/explorer/step.h"
#include "tests/check/programs/drawn_program.h"

namespace strata::check {

inline constexpr int kAny = -1, kNoRequest = -1;

struct DrawnRequest {
  int from = 0, to = 0, tag = 0;  // kAny if a receive accepts any
  bool is_send = false;
  int met = kNoRequest;  // the matching request
  auto operator<=>(const DrawnRequest&) const = default;
};

struct DrawnRank {
  std::size_t next = 0;  // index of its next operation
  int phase = 0;         // the phase within that operation
  int request = kNoRequest, flag = 0;
  int probed_from = kAny, probed_tag = kAny;
  std::vector<int> posted = {};  // kNoRequest: completed
  unsigned outcome = 0;
  auto operator<=>(const DrawnRank&) const = default;
};

struct DrawnState {
  std::vector<DrawnRank> ranks = std::vector<DrawnRank>(kDrawnRanks);
  std::vector<DrawnRequest> requests = {};
  auto operator<=>(const DrawnState&) const = default;
};

class DrawnOrders {
 public:
  explicit DrawnOrders(const std::vector<Operation>& program);

  struct Next {
    DrawnState after;
    Step step;  // by actor rank + 1
  };
  /// The possible next steps of a rank: none if it has to wait or has ended.
  std::vector<Next> steps(const DrawnState& state, int rank) const;

  bool ended(const DrawnState& state, int rank) const;

 private:
  std::vector<std::vector<Operation>> operations_;  // by rank
};

struct Outcomes {
  std::vector<std::set<unsigned>> of_rank = std::vector<std::set<unsigned>>(kDrawnRanks);
  bool deadlock = false;
  bool unmatched = false;  // a message that is never received
  auto operator<=>(const Outcomes&) const = default;
};

/// Adds the outcomes of a final state, in which every rank has ended.
void add_outcomes(const DrawnState& state, Outcomes& outcomes);

/// The outcomes of all orders.
Outcomes outcomes_of(const std::vector<Operation>& program);

}  // namespace strata::check
