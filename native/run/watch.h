// SPDX-License-Identifier: LGPL-2.1-only
// Says on stderr, once each, what a user should know while a run goes on:
//
//   strata: rank 3 has computed for 20 s since its last call of MPI, and the others wait for it; if it waits for data
//   in shared memory, it must call MPI in that loop, for example MPI_Win_sync, so that simulated time passes
//
//   strata: rank 0 has a thread that computes, or waits in a loop, while its other threads want to call MPI: the order
//   of its threads may differ from run to run
//
//   strata: the operations of reductions take no simulated time: they were not found in this MPI library
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "native/board/board.h"
#include "native/coordinator/coordinator.h"

namespace strata::native {

class Watch {
 public:
  explicit Watch(const Board& board) : board_(board) {}
  /// Call it again and again, several times a second.
  void look(const Coordinator& coordinator);
  /// "; rank 3 has not called MPI_Init" if others have; otherwise empty.
  std::string absent() const;

 private:
  void look_for_threads();
  void look_for_free_operations();
  void look_for_absent_ranks();
  std::vector<int> absent_ranks() const;
  void look_for_busy_ranks(std::uint64_t steps);

  const Board& board_;
  std::uint64_t steps_ = 0;  // of the coordinator, at the last change
  std::chrono::steady_clock::time_point changed_ = std::chrono::steady_clock::now();
  bool has_said_threads_ = false, has_said_busy_ = false, has_said_absent_ = false, has_said_free_ = false;
  std::size_t absent_ = 0;  // ranks that have not called MPI_Init, at the last change
};

}  // namespace strata::native
