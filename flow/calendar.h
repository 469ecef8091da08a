// SPDX-License-Identifier: LGPL-2.1-only
// Dates to keep: at most one a key, which can be changed or cancelled. A binary heap that knows where each key is.
//
// Keys are small integers. If two keys have the same date, the one that was scheduled first comes first.
//
// Why not boost::heap::d_ary_heap with mutable_<true>: it does the same, as fast up to some hundred keys, but keeps
// every key in a list node of its own, and on this class's operations takes 1.5 times as long at 4,096 keys and 2.5
// times at 65,536 (Boost 1.74, g++ 12 -O2).
#pragma once

#include <cstddef>
#include <vector>

namespace strata::flow {

/// Not thread-safe. All is O(log n) of the keys that are scheduled.
class Calendar {
 public:
  bool empty() const { return heap_.empty(); }
  double first_date() const { return heap_.front().date; }

  /// Schedules `key`, or moves it to another date.
  void schedule(int key, double date) {
    if (where_.size() <= static_cast<std::size_t>(key)) where_.resize(key + 1, kNowhere);
    const Entry entry{date, ++orders_, key};
    std::size_t at = where_[key];
    if (at == kNowhere) {
      at = heap_.size();
      heap_.push_back(entry);
    }
    settle(entry, at);
  }

  /// Nothing happens if `key` is not scheduled.
  void cancel(int key) {
    if (static_cast<std::size_t>(key) >= where_.size() || where_[key] == kNowhere) return;
    const std::size_t at = where_[key];
    where_[key] = kNowhere;
    const Entry last = heap_.back();
    heap_.pop_back();
    if (at < heap_.size()) settle(last, at);
  }

  /// The key with the first date, which is no longer scheduled then.
  int pop() {
    const int key = heap_.front().key;
    cancel(key);
    return key;
  }

 private:
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
  struct Entry {
    double date;
    unsigned long order;
    int key;
    bool before(const Entry& other) const { return date != other.date ? date < other.date : order < other.order; }
  };

  // Puts `entry` at `at` or, where the heap's order wants it, above or below.
  void settle(const Entry& entry, std::size_t at) {
    while (at > 0 && entry.before(heap_[(at - 1) / 2])) {
      put(heap_[(at - 1) / 2], at);
      at = (at - 1) / 2;
    }
    while (2 * at + 1 < heap_.size()) {
      std::size_t child = 2 * at + 1;
      if (child + 1 < heap_.size() && heap_[child + 1].before(heap_[child])) ++child;
      if (!heap_[child].before(entry)) break;
      put(heap_[child], at);
      at = child;
    }
    put(entry, at);
  }

  void put(const Entry& entry, std::size_t at) {
    heap_[at] = entry;
    where_[entry.key] = at;
  }

  std::vector<Entry> heap_;
  std::vector<std::size_t> where_;  // by key
  unsigned long orders_ = 0;
};

}  // namespace strata::flow
