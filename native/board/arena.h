// SPDX-License-Identifier: LGPL-2.1-only
// Payloads of messages under way, in the board's shared memory. Each rank has an arena of its own, from which it alone
// takes blocks; the receiver of a message gives the block back. For example:
//
//   rank 0:  data = take_block(board, 0, 8);   memcpy(board.at(data), buffer, 8)
//   rank 1:  memcpy(buffer, board.at(data), 8);   return_block(board, 0, data)
//
// Blocks are powers of two with a list of free ones for each, so both are O(1). A receiver puts a block on its owner's
// list of returned blocks without a lock; the owner takes the whole list at once.
#pragma once

#include <bit>
#include <cstdint>

#include "native/board/board.h"

namespace strata::native {

/// Each block begins with this: its size class, or the next block of a list.
struct BlockHead {
  std::uint64_t next;
  std::uint64_t size_class;
};

inline std::uint64_t size_class_of(std::uint64_t bytes) {
  constexpr std::uint64_t kLeast = 64;  // a cache line
  return static_cast<std::uint64_t>(
      std::bit_width((bytes + sizeof(BlockHead) < kLeast ? kLeast : bytes + sizeof(BlockHead)) - 1));
}

inline BlockHead& head_of(Board& board, std::uint64_t data) {
  return *reinterpret_cast<BlockHead*>(board.at(data - sizeof(BlockHead)));
}

/// Called by the owner only. Returns the offset of at least `bytes` in the board; 0 if the arena is full.
inline std::uint64_t take_block(Board& board, int owner, std::uint64_t bytes) {
  Slot& slot = board.slot(owner);
  const std::uint64_t size_class = size_class_of(bytes);
  if (slot.free_lists[size_class] == 0) {
    std::uint64_t data = slot.returned.exchange(0, std::memory_order_acquire);
    while (data != 0) {
      BlockHead& head = head_of(board, data);
      const std::uint64_t next = head.next;
      head.next = slot.free_lists[head.size_class];
      slot.free_lists[head.size_class] = data;
      data = next;
    }
  }
  if (const std::uint64_t data = slot.free_lists[size_class]; data != 0) {
    slot.free_lists[size_class] = head_of(board, data).next;
    return data;
  }
  const std::uint64_t size = std::uint64_t{1} << size_class;
  if (slot.arena_used + size > board.arena_bytes) return 0;
  const std::uint64_t data = board.arena(owner) + slot.arena_used + sizeof(BlockHead);
  slot.arena_used += size;
  head_of(board, data) = {0, size_class};
  return data;
}

/// Called by any process, once for each block.
inline void return_block(Board& board, int owner, std::uint64_t data) {
  std::atomic<std::uint64_t>& list = board.slot(owner).returned;
  BlockHead& head = head_of(board, data);
  std::uint64_t first = list.load(std::memory_order_relaxed);
  do {
    head.next = first;
  } while (!list.compare_exchange_weak(first, data, std::memory_order_release, std::memory_order_relaxed));
}

}  // namespace strata::native
