// SPDX-License-Identifier: LGPL-2.1-only
// The buffers that a rank reuses, compared with a record of each byte.
#include "records/exchange/buffer_reuse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace strata {
namespace {

// When each byte of a small memory was last used.
class Bytes {
 public:
  explicit Bytes(std::size_t count) : last_(count, kNever) {}

  double use(std::size_t first, std::size_t count) {
    const auto begin = last_.begin() + static_cast<std::ptrdiff_t>(first),
               end = begin + static_cast<std::ptrdiff_t>(count);
    int oldest = kNever;
    for (auto b = begin; b != end; ++b) {
      if (*b != kNever) oldest = oldest == kNever ? *b : std::min(oldest, *b);
    }
    std::fill(begin, end, now_++);
    if (oldest == kNever) return 0;
    return static_cast<double>(std::count_if(last_.begin(), last_.end(), [&](int time) { return time >= oldest; }));
  }

 private:
  static constexpr int kNever = -1;
  std::vector<int> last_;
  int now_ = 0;
};

struct Use {
  std::size_t first, count;
};

void expect_equal(const std::vector<Use>& uses, std::size_t bytes) {
  BufferReuse reuse;
  Bytes slow(bytes);
  constexpr std::uintptr_t kStart = 0x7f0000000000;
  for (std::size_t i = 0; i < uses.size(); ++i) {
    const auto [first, count] = uses[i];
    ASSERT_EQ(reuse.use(kStart + first, count), slow.use(first, count)) << "use " << i << " of " << uses.size();
  }
}

TEST(BufferReuse, IsZeroAtFirst) {
  BufferReuse reuse;
  EXPECT_EQ(reuse.use(1000, 8), 0);
  EXPECT_EQ(reuse.use(1008, 8), 0);
  EXPECT_EQ(reuse.use(1000, 0), 0);
}

TEST(BufferReuse, CountsBetweenTwoUses) {
  constexpr std::size_t kMega = 1 << 20;
  constexpr std::uintptr_t kA = kMega, kB = 3 * kMega;
  BufferReuse reuse;
  EXPECT_EQ(reuse.use(kA, kMega), 0);
  EXPECT_EQ(reuse.use(kA, kMega), kMega);
  EXPECT_EQ(reuse.use(kB, kMega), 0);
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(reuse.use(kA, kMega), 2 * kMega);
    EXPECT_EQ(reuse.use(kB, kMega), 2 * kMega);
  }
}

TEST(BufferReuse, CountsPartsOfABuffer) {
  BufferReuse reuse;
  EXPECT_EQ(reuse.use(0, 100), 0);
  EXPECT_EQ(reuse.use(10, 10), 100);  // the use of all 100 counts as a whole
  EXPECT_EQ(reuse.use(10, 10), 10);
  EXPECT_EQ(reuse.use(15, 10), 100);  // 5 bytes are older than the others
  EXPECT_EQ(reuse.use(90, 30), 120);  // 20 bytes are new
  EXPECT_EQ(reuse.use(200, 50), 0);
  EXPECT_EQ(reuse.use(110, 5), 80);  // 90 to 120, and 200 to 250
  EXPECT_EQ(reuse.use(0, 300), 300);
}

TEST(BufferReuse, LeavesOutSpansThatAMessageNeedsInAnyCase) {
  char memory[40] = {};
  BufferReuse reuse;
  for (int piece = 0; piece < 4; ++piece) EXPECT_EQ(reuse.span(memory + 10 * piece, 10), 0);
  EXPECT_EQ(reuse.span(memory, 10), 40);
  EXPECT_EQ(reuse.span(memory, 10), 0);
  EXPECT_EQ(reuse.span(memory + 30, 10), 0);  // 20
  EXPECT_EQ(reuse.span(memory, memory + 10, 10), 40);
  EXPECT_EQ(reuse.span(memory, memory + 10, 10), 0);
}

TEST(BufferReuse, EndsWithTheAddresses) {
  constexpr std::uintptr_t kLast = std::numeric_limits<std::uintptr_t>::max();
  BufferReuse reuse;
  EXPECT_EQ(reuse.use(kLast - 10, 100), 0);
  EXPECT_EQ(reuse.use(kLast - 10, 100), 10);
  EXPECT_EQ(reuse.use(kLast, 1), 0);
}

// All uses of parts of 5 bytes, up to 5 uses.
TEST(BufferReuse, IsExactForAllShortHistories) {
  constexpr std::size_t kBytes = 5, kUses = 5;
  std::vector<Use> parts;
  for (std::size_t first = 0; first < kBytes; ++first) {
    for (std::size_t count = 1; first + count <= kBytes; ++count) parts.push_back({first, count});
  }
  std::size_t histories = 1;
  for (std::size_t u = 0; u < kUses; ++u) histories *= parts.size();
  EXPECT_EQ(histories, 759375);
  std::vector<Use> uses(kUses);
  for (std::size_t h = 0; h < histories && !HasFatalFailure(); ++h) {
    std::size_t rest = h;
    for (Use& u : uses) {
      u = parts[rest % parts.size()];
      rest /= parts.size();
    }
    expect_equal(uses, kBytes);
  }
}

TEST(BufferReuse, IsExactForRandomHistories) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  for (const std::size_t longest : {1, 5, 40, 400}) {
    constexpr std::size_t kBytes = 700;
    std::vector<Use> uses;
    for (int i = 0; i < 3000; ++i) {
      const std::size_t first = below(kBytes);
      uses.push_back({first, std::min(kBytes - first, 1 + below(longest))});
    }
    expect_equal(uses, kBytes);
  }
}

// The pieces of a long vector, whose order is forgotten: they become one range.
TEST(BufferReuse, CountsAVectorOfManyPieces) {
  constexpr std::size_t kPieces = 20 * BufferReuse::kMostRanges, kPiece = 64;
  BufferReuse reuse;
  for (std::size_t p = 0; p < kPieces; ++p) EXPECT_EQ(reuse.use(p * kPiece, kPiece), 0);
  for (std::size_t p = 0; p < kPieces; ++p) {
    ASSERT_EQ(reuse.use(p * kPiece, kPiece), kPieces * kPiece);
    ASSERT_LE(reuse.ranges(), BufferReuse::kMostRanges);
  }
}

// Too many buffers that are apart: the oldest are forgotten, the others are not.
TEST(BufferReuse, ForgetsTheOldestOfTooManyBuffers) {
  constexpr std::size_t kBuffers = 10 * BufferReuse::kMostRanges, kBuffer = 8, kApart = 64;
  BufferReuse reuse;
  for (std::size_t b = 0; b < kBuffers; ++b) {
    EXPECT_EQ(reuse.use(b * kApart, kBuffer), 0);
    ASSERT_LE(reuse.ranges(), BufferReuse::kMostRanges);
  }
  for (std::size_t last = 1; last <= BufferReuse::kMostRanges / 4; ++last) {
    EXPECT_EQ(reuse.use((kBuffers - last) * kApart, kBuffer), static_cast<double>(last * kBuffer));
  }
  EXPECT_EQ(reuse.use(0, kBuffer), 0);
}

}  // namespace
}  // namespace strata
