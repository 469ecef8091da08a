// SPDX-License-Identifier: LGPL-2.1-only
// Scatter: a gather in reverse. Sends and receives are exchanged, and so are sendbuf and recvbuf, and call and wait;
// rounds are in reverse order.
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
