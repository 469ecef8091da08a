// SPDX-License-Identifier: LGPL-2.1-only
// The shared memory of a run (native/board), in the process that starts the ranks.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "native/board/board.h"

namespace strata::native {

class BoardMemory {
 public:
  /// `capacity`: slots, at least `ranks`; those of further ranks take no memory until they are made. Throws SystemError
  /// if the system refuses.
  BoardMemory(int ranks, int capacity);
  ~BoardMemory();
  BoardMemory(const BoardMemory&) = delete;
  BoardMemory& operator=(const BoardMemory&) = delete;

  Board& board() { return *board_; }
  /// The descriptor that ranks inherit.
  int file() const { return file_; }
  /// The variables by which a rank finds its place.
  std::vector<std::pair<std::string, std::string>> variables(int rank) const;

 private:
  int file_ = -1;
  std::uint64_t bytes_ = 0;
  Board* board_ = nullptr;
};

}  // namespace strata::native
