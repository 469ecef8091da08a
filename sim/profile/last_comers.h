// SPDX-License-Identifier: LGPL-2.1-only
// Finds the rank for which another has waited if no message shows it: at a barrier the rank that came last, at a mutex
// the previous owner. For example, at a barrier of three:
//
//   barriers.come(b, 0) = 0;  barriers.come(b, 2) = 0;  barriers.come(b, 1) = 0;
//   barriers.last(b, 0) = 1     for each of them, also if rank 0 has come to the next one before rank 2 asks
#pragma once

#include <array>
#include <unordered_map>
#include <utility>

namespace strata::sim {

class Barriers {
 public:
  /// A rank comes to the barrier. Returns the round for which it waits.
  int come(const void* barrier, int rank) {
    Barrier& b = barriers_[barrier];
    b.last[b.round % 2] = rank;
    return b.round;
  }
  /// A rank of that round continues. Returns the rank that came last in it. The round is over.
  int last(const void* barrier, int round) {
    Barrier& b = barriers_[barrier];
    if (b.round == round) ++b.round;
    return b.last[round % 2];
  }

 private:
  struct Barrier {
    int round = 0;            // that is open
    std::array<int, 2> last;  // of it and of the one before, by round % 2
  };
  std::unordered_map<const void*, Barrier> barriers_;
};

class Mutexes {
 public:
  /// A rank gets the mutex. Returns the previous owner, -1 if none.
  int take(const void* mutex, int rank) { return std::exchange(owners_.try_emplace(mutex, -1).first->second, rank); }

 private:
  std::unordered_map<const void*, int> owners_;
};

}  // namespace strata::sim
