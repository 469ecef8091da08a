// SPDX-License-Identifier: LGPL-2.1-only
// Ids of communicators: a number for each that is in use, by which messages on a lane that communicators share are told
// apart.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <mutex>
#include <set>

namespace strata::mpix {

/// Those of a process that are in use, a bit each. Thread-safe.
class Ids {
 public:
  static constexpr int kIds = 1024;  // communicators of a process at a time; leaves each at least 2^4 tags
  using Bits = std::array<std::uint64_t, kIds / 64>;

  /// The place of a communicator among those that contend for ids, the same on all its members and unlike any other's.
  /// The least goes first.
  using Turn = std::uint64_t;
  static constexpr Turn kNoTurn = std::numeric_limits<Turn>::max();  // none yet: after all others

  /// A turn for a communicator, to be taken by its rank 0, which is rank `world_rank` of MPI_COMM_WORLD.
  Turn next_turn(int world_rank);

  /// The ids that are free, for one thread at a time: none while another thread has borrowed them, or one with an
  /// earlier turn waits. To be given back.
  Bits borrow(Turn turn, bool& borrowed);
  /// Gives back, and takes `id`; -1 takes none.
  void give_back(int id);
  void release(int id);

  /// A thread that waits with its turn, while this lives.
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

/// An id that is released with this.
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
