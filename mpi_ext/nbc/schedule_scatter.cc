// SPDX-License-Identifier: LGPL-2.1-only
// Scatter: a gather backwards. What was received is sent from where it was received, the rounds go from last to first,
// sendbuf and recvbuf change places, and so do call and wait.
#include <algorithm>
#include <utility>

#include "mpi_ext/nbc/schedule_parts.h"

namespace strata::mpix {
namespace {

void exchange(Buffer& buffer) {
  if (buffer == Buffer::kSend) {
    buffer = Buffer::kReceive;
  } else if (buffer == Buffer::kReceive) {
    buffer = Buffer::kSend;
  }
}

void reverse(std::vector<Round>& rounds) {
  std::ranges::reverse(rounds);
  for (auto& round : rounds) {
    for (auto& action : round) {
      if (action.kind == Action::Kind::kSend) {
        action.kind = Action::Kind::kReceive;
      } else if (action.kind == Action::Kind::kReceive) {
        action.kind = Action::Kind::kSend;
      }
      std::swap(action.from, action.to);
      exchange(action.from.buffer);
      exchange(action.to.buffer);
    }
  }
}

}  // namespace

Schedule schedule_scatter(const NbcCase& what, const LevelTree& tree) {
  Schedule schedule = schedule_gather(what, tree);
  reverse(schedule.in_call);
  reverse(schedule.on_thread);
  std::swap(schedule.in_call, schedule.in_wait);
  return schedule;
}

}  // namespace strata::mpix
