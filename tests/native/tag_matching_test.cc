// SPDX-License-Identifier: LGPL-2.1-only
// Which receive gets which message, for random sequences of receives, messages, probes and cancellations, against a
// matcher that looks through everything that has happened so far; and blocks of arenas, which no two messages share.
#include "native/rank/tag_matching.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <random>
#include <set>
#include <vector>

#include "native/board/arena.h"

namespace strata::native {
namespace {

// A receive or a message that nothing has matched yet.
struct Open {
  int number;
  bool is_receive;
  std::uint64_t tag, mask;
};

// The number of the other side that matches, which is the first open one; -1: none does, and it stays open.
int match_slowly(std::vector<Open>& open, const Open& next) {
  for (auto at = open.begin(); at != open.end(); ++at) {
    if (at->is_receive == next.is_receive) continue;
    const std::uint64_t mask = at->is_receive ? at->mask : next.mask;
    if ((at->tag & mask) != (next.tag & mask)) continue;
    const int number = at->number;
    open.erase(at);
    return number;
  }
  open.push_back(next);
  return -1;
}

TEST(TagMatching, EachReceiveGetsTheFirstMessageAndEachMessageTheFirstReceive) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    const auto below = [&](unsigned bound) { return random() % bound; };
    PostedReceives posted;
    KeptMessages kept;
    std::vector<Open> open;
    std::vector<std::unique_ptr<Request>> requests;
    int matched = 0;
    for (int number = 0; number < 100; ++number) {
      // Tags of two parts of two bits; a mask ignores one of them or none.
      const std::uint64_t tag = below(16), masks[] = {0xf, 0xc, 0x3, 0x0};
      const Open next = {number, below(2) == 0, tag, masks[below(4)]};
      const int expected = match_slowly(open, next);
      if (next.is_receive) {
        const Message* const found = kept.find(next.tag, next.mask);
        if (found != nullptr && below(3) == 0) {
          EXPECT_EQ(kept.reserve(next.tag, next.mask), found);
        }
        EXPECT_EQ(found == nullptr ? -1 : static_cast<int>(found->number), expected);
        if (found != nullptr) {
          EXPECT_EQ(kept.take(found).number, expected);
        } else {
          requests.push_back(std::make_unique<Request>());
          requests.back()->tag = next.tag;
          requests.back()->mask = next.mask;
          requests.back()->info.length = static_cast<std::size_t>(number);
          posted.add(*requests.back());
        }
      } else {
        Request* const found = posted.take(next.tag);
        EXPECT_EQ(found == nullptr ? -1 : static_cast<int>(found->info.length), expected);
        if (found == nullptr) kept.add({.tag = next.tag, .number = number});
      }
      matched += expected >= 0 ? 1 : 0;
      // A receive that is cancelled gets nothing.
      if (below(10) == 0 && !requests.empty() && PostedReceives::is_posted(*requests.back())) {
        PostedReceives::remove(*requests.back());
        std::erase_if(open, [&](const Open& o) { return o.number == static_cast<int>(requests.back()->info.length); });
      }
    }
    EXPECT_GT(matched, 20);
    EXPECT_EQ(kept.size(), static_cast<std::size_t>(std::ranges::count(open, false, &Open::is_receive)));
  }
}

TEST(Arena, BlocksInUseDoNotOverlapAndAreUsedAgain) {
  constexpr std::uint64_t kBytes = 1 << 20;
  const std::uint64_t first = Board::bytes_before_arenas(2);
  std::vector<char> memory(first + 2 * kBytes + 4096);
  auto* const begin = memory.data() + (4096 - reinterpret_cast<std::uintptr_t>(memory.data()) % 4096);
  Board& board = *new (begin) Board;
  board.ranks = 2;
  board.first_arena = first;
  board.arena_bytes = kBytes;
  for (int r = 0; r < 2; ++r) new (&board.slots[r]) Slot;
  std::mt19937 random(1);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> in_use;  // block, bytes
  for (int i = 0; i < 20000; ++i) {
    if (in_use.size() < 50 && random() % 2 == 0) {
      const std::uint64_t bytes = 1 + random() % 5000, block = take_block(board, 1, bytes);
      ASSERT_NE(block, 0U) << "the arena has room for 50 blocks of 8 KiB";
      ASSERT_EQ(block % alignof(std::max_align_t), 0U);
      for (const auto& [other, size] : in_use) ASSERT_TRUE(block + bytes <= other || other + size <= block);
      std::memset(board.at(block), i & 0xff, bytes);
      in_use.emplace_back(block, bytes);
    } else if (!in_use.empty()) {
      const auto at = in_use.begin() + static_cast<long>(random() % in_use.size());
      return_block(board, 1, at->first);
      in_use.erase(at);
    }
  }
  EXPECT_LE(board.slot(1).arena_used, kBytes);
  EXPECT_EQ(take_block(board, 0, 2 * kBytes), 0U) << "larger than the arena";
}

}  // namespace
}  // namespace strata::native
