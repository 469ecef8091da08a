// SPDX-License-Identifier: LGPL-2.1-only
// Ids of communicators: a number for each one in use, which distinguishes messages on a lane that communicators share.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <mutex>
#include <set>

namespace strata::mpix {

/// The ids in use by a process, one bit each. Thread-safe.
class Ids {
 public:
  static constexpr int kIds = 1024;  // communicators of a process at one time; leaves each of them at least 2^4 tags
  using Bits = std::array<std::uint64_t, kIds / 64>;

  /// The position of a communicator among those that contend for ids, the same on all its members and different from
  /// any other's. The smallest goes first.
  using Turn = std::uint64_t;
  static constexpr Turn kNoTurn = std::numeric_limits<Turn>::max();  // none yet: after all others

  /// Takes a turn for a communicator. Called by its rank 0, which is rank `world_rank` of MPI_COMM_WORLD.
  Turn next_turn(int world_rank);

  /// The free ids, for one thread at a time: empty if another thread has borrowed them, or one with an earlier turn
  /// waits. Must be given back.
  Bits borrow(Turn turn, bool& borrowed);
  /// Gives the ids back and takes `id` (-1: none).
  void give_back(int id);
  void release(int id);

  /// While this lives, a thread waits with its turn.
  class Waiting {
   public:
    Waiting(Ids& ids, Turn turn);
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;
    ~Waiting();
    Turn turn() const { return turn_; }

   private:
    Ids& ids_;
    Turn turn_;
  };

 private:
  std::mutex mutex_;
  bool borrowed_ = false;
  Bits used_{};
  std::set<Turn> waiting_;
  std::uint32_t turns_ = 0;  // taken so far
};

/// Releases its id when it is destroyed.
class OwnId {
 public:
  explicit OwnId(Ids& ids) : ids_(ids) {}
  OwnId(const OwnId&) = delete;
  OwnId& operator=(const OwnId&) = delete;
  ~OwnId() {
    if (value >= 0) ids_.release(value);
  }
  Ids& ids() { return ids_; }

  int value = -1;  // none yet

 private:
  Ids& ids_;
};

}  // namespace strata::mpix
