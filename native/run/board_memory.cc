// SPDX-License-Identifier: LGPL-2.1-only
#include "native/run/board_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <new>

#include "base/system_error.h"

namespace strata::native {
namespace {

// Addresses for each rank. Memory is taken only for messages that are under way.
constexpr std::uint64_t kArenaBytes = std::uint64_t{4} << 30;
// Descriptors below are those of programs; a shell script may use up to 9.
constexpr int kLowestDescriptor = 200;

}  // namespace

BoardMemory::BoardMemory(int ranks, int capacity) {
  const std::uint64_t first_arena = Board::bytes_before_arenas(capacity);
  bytes_ = first_arena + static_cast<std::uint64_t>(capacity) * kArenaBytes;
  const int low = ::memfd_create("strata-ranks", 0);
  if (low < 0) throw SystemError("the memory that ranks share", errno);
  file_ = ::fcntl(low, F_DUPFD, kLowestDescriptor);
  ::close(low);
  void* memory = MAP_FAILED;
  if (file_ >= 0 && ::ftruncate(file_, static_cast<off_t>(bytes_)) == 0)
    memory = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  if (memory == MAP_FAILED) throw SystemError("the memory that ranks share", errno);
  board_ = new (memory) Board;
  board_->ranks = static_cast<std::uint32_t>(ranks);
  board_->capacity = static_cast<std::uint32_t>(capacity);
  board_->first_arena = first_arena;
  board_->arena_bytes = kArenaBytes;
  for (int r = 0; r < ranks; ++r) new (&board_->slots[r]) Slot;
}

BoardMemory::~BoardMemory() {
  if (board_ != nullptr) ::munmap(board_, bytes_);
  if (file_ >= 0) ::close(file_);
}

std::vector<std::pair<std::string, std::string>> BoardMemory::variables(int rank) const {
  return {{kBoardVariable, std::to_string(file_)},
          {kBoardSizeVariable, std::to_string(bytes_)},
          {kRankVariable, std::to_string(rank)}};
}

}  // namespace strata::native
