// SPDX-License-Identifier: LGPL-2.1-only
// Which data stay in shared caches: examples by hand, and random messages and works compared with a calculation that
// considers all data at every moment.
#include "flow/caches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "platforms/topology.h"

namespace strata::flow {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Two L3s of 6 MB with six cores each.
std::shared_ptr<const Topology> two_caches() {
  return parse_tree("node:1 pack:2 [numa] l3:1(size=6000000) core:6 pu:1");
}

constexpr double kMB = 1e6;  // B

TEST(Caches, CoresWithoutDataUnderWayNeedNoSpace) {
  Caches caches(*two_caches());
  EXPECT_TRUE(caches.fits({0, 6 * kMB}));
  EXPECT_FALSE(caches.fits({0, 6 * kMB + 1}));
  // A message between two cores of one L3, or of two.
  EXPECT_TRUE(caches.fits({0, 3 * kMB}, {1, 3 * kMB}));
  EXPECT_FALSE(caches.fits({0, 3 * kMB + 1}, {1, 3 * kMB + 1}));
  EXPECT_TRUE(caches.fits({0, 6 * kMB}, {6, 6 * kMB}));
}

TEST(Caches, WhoNeedsLessLeavesTheRestToTheOthers) {
  Caches caches(*two_caches());
  std::vector<int> evicted;
  caches.enter(0, {0, 1 * kMB}, true, evicted);
  EXPECT_TRUE(caches.fits({1, 5 * kMB}));
  EXPECT_FALSE(caches.fits({1, 5 * kMB + 1}));
  EXPECT_TRUE(caches.fits({0, 6 * kMB})) << "each work of a core is judged alone";
  EXPECT_TRUE(caches.fits({6, 6 * kMB})) << "another cache";
  caches.enter(1, {1, 50 * kMB}, false, evicted);  // from memory, through the cache
  EXPECT_TRUE(caches.fits({2, 2.5 * kMB}));
  EXPECT_FALSE(caches.fits({2, 2.5 * kMB + 1}));
  caches.leave(0);
  EXPECT_TRUE(caches.fits({2, 3 * kMB}));
  caches.leave(1);
  EXPECT_TRUE(caches.fits({2, 6 * kMB}));
  EXPECT_THAT(evicted, IsEmpty());
}

TEST(Caches, OthersThatComeTakeThePlace) {
  Caches caches(*two_caches());
  std::vector<int> evicted;
  for (int core = 0; core < 3; ++core) caches.enter(core, {core, 2 * kMB}, true, evicted);
  EXPECT_THAT(evicted, IsEmpty());
  EXPECT_FALSE(caches.fits({3, 2 * kMB}));
  caches.enter(3, {3, 2 * kMB}, false, evicted);
  EXPECT_THAT(evicted, ElementsAre(0, 1, 2)) << "equal data are treated equally, whoever was first";
  evicted.clear();
  caches.leave(3);
  caches.enter(4, {4, 2 * kMB}, false, evicted);
  EXPECT_THAT(evicted, IsEmpty()) << "data are evicted once";
}

TEST(Caches, AWorkingSetKeepsItsPlaceBetweenComputations) {
  Caches caches(*two_caches());
  std::vector<int> evicted;
  caches.enter(0, {0, 4 * kMB, true}, true, evicted);
  caches.leave(0);
  EXPECT_TRUE(caches.fits({1, 2 * kMB}));
  EXPECT_FALSE(caches.fits({1, 4 * kMB}));
  EXPECT_TRUE(caches.fits({0, 6 * kMB})) << "the core's own";
  caches.enter(0, {0, 1 * kMB}, true, evicted);
  EXPECT_FALSE(caches.fits({1, 4 * kMB})) << "a copy does not replace it";
  caches.leave(0);
  caches.enter(0, {0, 1 * kMB, true}, true, evicted);
  caches.leave(0);
  EXPECT_TRUE(caches.fits({1, 5 * kMB})) << "another one does";
}

// Twelve pieces of 64 kB that each core receives into a vector of its own, one after the other, again and again.
TEST(Caches, DataNeedTheSpaceOfAllThatWasTouchedInBetween) {
  constexpr double kPiece = 0.064 * kMB;
  const auto piece = [&](int core, double vector) { return Data{core, 2 * kPiece, false, vector}; };
  Caches caches(*two_caches());
  std::vector<int> evicted;
  EXPECT_TRUE(caches.fits(piece(0, 6 * kMB)));
  EXPECT_FALSE(caches.fits(piece(0, 6 * kMB + 1)));
  EXPECT_TRUE(caches.fits(piece(0, kPiece))) << "at least both copies";
  EXPECT_TRUE(caches.fits(piece(0, 3 * kMB), piece(1, 3 * kMB)));
  EXPECT_FALSE(caches.fits(piece(0, 3 * kMB + 1), piece(1, 3 * kMB + 1)));
  caches.enter(0, piece(0, 2 * kMB), true, evicted);
  caches.enter(1, piece(0, 3 * kMB), true, evicted);
  caches.enter(2, piece(0, 3 * kMB), true, evicted);
  EXPECT_TRUE(caches.fits(piece(1, 3 * kMB))) << "the widest, not their sum";
  EXPECT_FALSE(caches.fits(piece(1, 3 * kMB + 1)));
  caches.leave(1);
  EXPECT_FALSE(caches.fits(piece(1, 3 * kMB + 1)));
  caches.leave(2);
  EXPECT_TRUE(caches.fits(piece(1, 4 * kMB)));
  EXPECT_FALSE(caches.fits(piece(1, 4 * kMB + 1)));
  caches.enter(1, {1, 5 * kMB}, false, evicted);
  EXPECT_THAT(evicted, IsEmpty());
  caches.enter(2, {2, 2 * kMB}, false, evicted);
  EXPECT_THAT(evicted, IsEmpty());
  caches.enter(3, {3, 1}, false, evicted);
  EXPECT_THAT(evicted, ElementsAre(0));
}

TEST(Caches, WithoutACacheNothingStays) {
  Caches caches(*parse_tree("node:1 core:2 pu:1"));
  std::vector<int> evicted;
  EXPECT_FALSE(caches.fits({0, 1}));
  EXPECT_TRUE(caches.fits({0, 0}));
  caches.enter(0, {0, 1}, false, evicted);
  caches.leave(0);
}

// The same, from all data at every moment.
class SlowCaches {
 public:
  bool fits(const Data& d, const Data& also = {}) const { return d.space() <= 6 * kMB && needed(d, also) <= 6 * kMB; }
  void enter(int number, const Data& d, bool cached) {
    all_[number] = d;
    if (d.used_again) working_sets_[d.core] = d.bytes;
    if (cached) cached_.insert(number);
  }
  // Those that have lost their place since the last call.
  std::set<int> evict() {
    std::set<int> evicted;
    for (const int number : cached_) {
      if (!fits(all_.at(number))) evicted.insert(number);
    }
    for (const int number : evicted) cached_.erase(number);
    return evicted;
  }
  void leave(int number) {
    all_.erase(number);
    cached_.erase(number);
  }
  const std::map<int, Data>& all() const { return all_; }

 private:
  double needed(const Data& d, const Data& also) const {
    std::map<int, double> needs;
    for (const auto& [number, other] : all_) needs[other.core] += other.bytes;
    for (const auto& [core, bytes] : working_sets_) needs[core] = std::max(needs[core], bytes);
    for (const auto& [number, other] : all_) needs[other.core] = std::max(needs[other.core], other.span);
    if (also.core >= 0) needs[also.core] = std::max(needs[also.core] + also.bytes, also.span);
    double sum = d.space();
    for (const auto& [core, need] : needs) {
      if (core != d.core && core / 6 == d.core / 6) sum += std::min(need, d.space());
    }
    return sum;
  }
  std::map<int, Data> all_;
  std::map<int, double> working_sets_;  // by core
  std::set<int> cached_;
};

TEST(Caches, RandomDataAsTheSlowCalculationHasThem) {
  constexpr unsigned kSeed = 5;
  std::mt19937 random(kSeed);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  Caches fast(*two_caches());
  SlowCaches slow;
  std::vector<int> free(16);
  for (int i = 0; i < 16; ++i) free[i] = i;
  long evictions = 0, fitting = 0;
  for (int step = 0; step < 20'000; ++step) {
    SCOPED_TRACE(testing::Message() << "step " << step << " of seed " << kSeed);
    if (free.size() >= 2 && (slow.all().empty() || below(100) < 52)) {
      // Sizes differ by four orders of magnitude, up to more than the cache.
      const auto bytes = static_cast<double>(1 + random() % (1u << (10 + below(14))));
      const auto span = [&] { return below(2) == 0 ? 0 : static_cast<double>(random() % (1u << (10 + below(14)))); };
      std::vector<Data> data = {{below(12), bytes, below(10) == 0, span()}};
      if (below(2) == 0) {
        data.push_back({below(12), bytes, false, span()});
        if (data[0].core == data[1].core) data.pop_back();
      }
      const Data none;
      std::vector<int> evicted;
      std::vector<bool> fits;
      for (size_t i = 0; i < data.size(); ++i) {
        const Data& also = data.size() == 2 ? data[1 - i] : none;
        fits.push_back(fast.fits(data[i], also));
        ASSERT_EQ(fits.back(), slow.fits(data[i], also));
      }
      for (size_t i = 0; i < data.size(); ++i) {
        fitting += fits[i];
        fast.enter(free.back(), data[i], fits[i], evicted);
        slow.enter(free.back(), data[i], fits[i]);
        free.pop_back();
      }
      ASSERT_EQ(std::set<int>(evicted.begin(), evicted.end()), slow.evict());
      evictions += static_cast<long>(evicted.size());
    } else if (!slow.all().empty()) {
      auto which = slow.all().begin();
      std::advance(which, below(static_cast<int>(slow.all().size())));
      const int number = which->first;
      fast.leave(number);
      slow.leave(number);
      free.push_back(number);
    }
  }
  EXPECT_GT(evictions, 100);
  EXPECT_GT(fitting, 1000);
}

}  // namespace
}  // namespace strata::flow
