// SPDX-License-Identifier: LGPL-2.1-only
#include "records/exchange/buffer_reuse.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace strata {

double BufferReuse::use(std::uintptr_t address, std::size_t bytes) {
  const std::uintptr_t end =
      address + std::min<std::uintptr_t>(bytes, std::numeric_limits<std::uintptr_t>::max() - address);
  if (end <= address) return 0;
  auto at = split(address);
  const auto after = split(end);
  std::size_t oldest = now_;
  Count again = 0;
  for (; at != after; at = ranges_.erase(at)) {
    const Count known = at->second.end - at->first;
    oldest = std::min(oldest, at->second.time);
    subtract(at->second.time, known);
    again += known;
  }
  total_ -= again;
  const Count span = again == 0 ? 0 : end - address + total_ - bytes_before(oldest);
  if (now_ + 1 >= sums_.size()) number_again();
  ranges_.emplace_hint(after, address, Range{end, now_});
  add(now_++, end - address);
  total_ += end - address;
  if (ranges_.size() > kMostRanges) forget_order_of_old();
  return static_cast<double>(span);
}

// The first range at or after this address, before which no range extends over it.
BufferReuse::Ranges::iterator BufferReuse::split(std::uintptr_t at) {
  const auto next = ranges_.lower_bound(at);
  if (next == ranges_.begin()) return next;
  Range& before = std::prev(next)->second;
  if (before.end <= at) return next;
  const Range rest{before.end, before.time};
  before.end = at;
  return ranges_.emplace_hint(next, at, rest);
}

void BufferReuse::add(std::size_t time, Count bytes) {
  for (std::size_t i = time + 1; i < sums_.size(); i += i & (~i + 1)) sums_[i] += bytes;
}

BufferReuse::Count BufferReuse::bytes_before(std::size_t time) const {
  Count sum = 0;
  for (std::size_t i = time; i > 0; i &= i - 1) sum += sums_[i];
  return sum;
}

// Keeps the order of times, and leaves as much room for further ones as there are.
void BufferReuse::number_again() {
  std::vector<std::size_t> times;
  times.reserve(ranges_.size());
  for (const auto& [begin, range] : ranges_) times.push_back(range.time);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  constexpr std::size_t kFewest = 64;
  sums_.assign(2 * std::max(times.size(), kFewest), 0);
  now_ = times.size();
  for (auto& [begin, range] : ranges_) {
    range.time = static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), range.time) - times.begin());
    add(range.time, range.end - begin);
  }
}

void BufferReuse::forget_order_of_old() {
  std::vector<std::size_t> times;
  times.reserve(ranges_.size());
  for (const auto& [begin, range] : ranges_) times.push_back(range.time);
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  const std::size_t youngest = *middle;  // of the old ones
  auto before = ranges_.end();
  for (auto at = ranges_.begin(); at != ranges_.end();) {
    Range& range = at->second;
    if (range.time > youngest) {
      before = ranges_.end();
      ++at;
      continue;
    }
    range.time = 0;
    if (before != ranges_.end() && before->second.end == at->first) {
      before->second.end = range.end;
      at = ranges_.erase(at);
    } else {
      before = at++;
    }
  }
  constexpr std::size_t kMostAfterwards = kMostRanges / 4 * 3;
  if (ranges_.size() > kMostAfterwards) {
    std::erase_if(ranges_, [](const auto& range) { return range.second.time == 0; });
    total_ = 0;
    for (const auto& [begin, range] : ranges_) total_ += range.end - begin;
  }
  number_again();
}

}  // namespace strata
