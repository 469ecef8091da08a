// SPDX-License-Identifier: LGPL-2.1-only
#include "replay/locks.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"

namespace strata::replay {

void Locks::lock(Lock& lock, int rank) {
  if (lock.owner == Lock::kNobody) {
    lock.owner = rank;
    return kernel_.wake(rank);
  }
  (lock.first_waiting == Lock::kNobody ? lock.first_waiting : behind_[static_cast<std::size_t>(lock.last_waiting)]) =
      rank;
  lock.last_waiting = rank;
}

void Locks::unlock(Lock& lock, int rank) {
  if (lock.owner != rank)
    throw InputError("trace", fmt::format("rank {} unlocks what it has not locked", rank), "record it again");
  lock.owner = lock.first_waiting;
  if (lock.owner != Lock::kNobody) {
    lock.first_waiting = std::exchange(behind_[static_cast<std::size_t>(lock.owner)], Lock::kNobody);
    kernel_.wake(lock.owner);
  }
  kernel_.wake(rank);
}

}  // namespace strata::replay
