// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/late.h"

#include <algorithm>
#include <tuple>

namespace strata::analysis {
namespace {

LatePair& pair_of(std::unordered_map<std::uint64_t, LatePair>& pairs, int late, int waits) {
  LatePair& pair = pairs[(static_cast<std::uint64_t>(late) << 32) | static_cast<std::uint32_t>(waits)];
  pair.late = late;
  pair.waits = waits;
  return pair;
}

template <class Count>
void count(Count& counted, double seconds) {
  ++counted.count;
  counted.seconds += seconds;
  counted.longest = std::max(counted.longest, seconds);
}

}  // namespace

void LateFinder::take(const Wait& w) {
  const double idle = w.idle();
  if (idle <= 0) return;
  const auto by_pair = [&](Pairs& pairs, double& sum) {
    LatePair& pair = pair_of(pairs, w.by, w.rank);
    count(pair, idle);
    if (w.collective) pair.in_collectives += idle;
    sum += idle;
  };
  switch (w.cause) {
    case Wait::Cause::kSender:
      return by_pair(senders_, sums_.sender_seconds);
    case Wait::Cause::kReceiver:
      return by_pair(receivers_, sums_.receiver_seconds);
    case Wait::Cause::kBarrier:
      barriers_[w.by].last = w.by;
      count(barriers_[w.by], idle);
      sums_.barrier_seconds += idle;
      return;
    case Wait::Cause::kUnknown:
      sums_.unknown_seconds += idle;
      return;
  }
}

std::vector<LatePair> LateFinder::sorted(const Pairs& pairs) {
  std::vector<LatePair> all;
  for (const auto& [key, pair] : pairs) all.push_back(pair);
  std::sort(all.begin(), all.end(), [](const LatePair& a, const LatePair& b) {
    return std::tuple(-a.seconds, a.late, a.waits) < std::tuple(-b.seconds, b.late, b.waits);
  });
  return all;
}

Late LateFinder::late() const {
  Late late = sums_;
  late.senders = sorted(senders_);
  late.receivers = sorted(receivers_);
  for (const auto& [rank, barrier] : barriers_) late.barriers.push_back(barrier);
  std::sort(late.barriers.begin(), late.barriers.end(), [](const LateToBarrier& a, const LateToBarrier& b) {
    return std::tuple(-a.seconds, a.last) < std::tuple(-b.seconds, b.last);
  });
  return late;
}

}  // namespace strata::analysis
