// SPDX-License-Identifier: LGPL-2.1-only
// Between the processes of a run, in shared memory (native/board), and virtual time: takes what blocked ranks have
// posted, moves time, delivers, and continues ranks. It belongs to the process that started the ranks, which calls
//
//   while (processes_are_left) {
//     coordinator.serve(0.02);                 sleeps at most 20 ms
//     if (a process has ended) coordinator.gone(rank);
//     if (coordinator.stuck()) ...             no rank can ever continue
//   }
//
// Before the last rank is in MPI_Init, and after all are in MPI_Finalize, time is real: messages arrive at once,
// because what libraries do there, such as the exchange of addresses, is not what a user measures.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "native/board/board.h"
#include "native/coordinator/virtual_time.h"

namespace strata::native {

class Coordinator {
 public:
  /// Both must outlive this.
  Coordinator(Board& board, VirtualTime& time);

  /// Handles what ranks ask for, or waits for it, at most `limit_s` of real time.
  void serve(double limit_s);
  /// The process of the rank has ended.
  void gone(int rank);
  /// All ranks that are left are blocked, and nothing can end that.
  bool stuck() const { return stuck_; }
  /// How often time has moved.
  std::uint64_t steps() const { return steps_; }
  /// Whether time has been virtual.
  bool started() const { return started_; }

 private:
  void sleep_until_called(double limit_s);
  bool all_are_blocked() const;
  void step();
  void take_new_ranks();
  void let_jobs_leave();
  void serve_real();
  void take_posts(int rank);
  void deliver(int rank);
  void let_run(const std::vector<int>& ranks);
  void finish();
  void wait_for_others();
  bool may_wait_for_launcher() const;
  void real_post(int rank, const Message& m);
  State state(int rank) const { return static_cast<State>(board_.slots[rank].state.load(std::memory_order_acquire)); }
  int ranks() const { return static_cast<int>(board_.ranks.load(std::memory_order_acquire)); }

  Board& board_;
  VirtualTime& time_;
  const int first_ranks_;                       // those that no other has started
  int known_;                                   // ranks that time_ knows
  std::vector<int> ran_;                        // ranks that have run since the last step
  std::vector<bool> starts_, finishes_, gone_;  // by rank
  std::vector<std::deque<Message>> real_;       // by rank: to be delivered while time is real
  int patience_ = 0;
  std::uint64_t steps_ = 0;
  bool stuck_ = false, started_ = false;
  const unsigned processors_;  // of this computer
};

}  // namespace strata::native
