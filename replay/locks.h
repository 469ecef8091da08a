// SPDX-License-Identifier: LGPL-2.1-only
// Locks of mailboxes and windows: held by one rank at a time; the others get them in the order in which they came.
//
//   locks.lock(l, 3)      rank 3 is woken when it has the lock: here at once
//   locks.lock(l, 5)      rank 5 waits
//   locks.unlock(l, 3)    wakes rank 5, which has it now, and rank 3
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "replay/kernel.h"

namespace strata::replay {

struct Lock {
  static constexpr int kNobody = -1;
  int owner = kNobody;                                  // a rank
  int first_waiting = kNobody, last_waiting = kNobody;  // Locks has the list between them
};

class Locks {
 public:
  explicit Locks(Kernel& kernel) : kernel_(kernel), behind_(static_cast<std::size_t>(kernel.ranks()), Lock::kNobody) {}

  /// Each call is a call of the simulator's kernel: the rank continues in the next round or later. unlock() throws
  /// InputError if the rank does not have the lock.
  void lock(Lock& lock, int rank);
  void unlock(Lock& lock, int rank);

 private:
  [[noreturn]] static void fail(int rank);

  Kernel& kernel_;
  std::vector<int> behind_;  // by rank: the next one that waits for the same lock
};

// --- inline, for they are called for each message ---

inline void Locks::lock(Lock& lock, int rank) {
  if (lock.owner == Lock::kNobody) {
    lock.owner = rank;
    return kernel_.wake(rank);
  }
  (lock.first_waiting == Lock::kNobody ? lock.first_waiting : behind_[lock.last_waiting]) = rank;
  lock.last_waiting = rank;
}

inline void Locks::unlock(Lock& lock, int rank) {
  if (lock.owner != rank) fail(rank);
  lock.owner = lock.first_waiting;
  if (lock.owner != Lock::kNobody) {
    lock.first_waiting = std::exchange(behind_[lock.owner], Lock::kNobody);
    kernel_.wake(lock.owner);
  }
  kernel_.wake(rank);
}

}  // namespace strata::replay
