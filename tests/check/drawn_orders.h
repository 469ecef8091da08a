// SPDX-License-Identifier: LGPL-2.1-only
// The orders of a drawn program (programs/drawn_program.h) by what MPI says of messages, without SimGrid: slow and
// obvious.
//
// A message is queued at its receiver until a receive that fits is posted; a receive gets the first message that fits,
// or waits for one. Both are complete then.
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
  int from = 0, to = 0, tag = 0;  // kAny where a receive takes any
  bool is_send = false;
  int met = kNoRequest;  // the other half
  auto operator<=>(const DrawnRequest&) const = default;
};

struct DrawnRank {
  std::size_t next = 0;  // of its operations
  int phase = 0;         // of that operation
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
    Step step;  // of the actor rank + 1
  };
  /// The ways in which a rank can take its next step: none where it has to wait or has ended.
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

/// Adds the outcomes of a state in which every rank has ended.
void add_outcomes(const DrawnState& state, Outcomes& outcomes);

/// The outcomes of all orders.
Outcomes outcomes_of(const std::vector<Operation>& program);

}  // namespace strata::check
