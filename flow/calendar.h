// SPDX-License-Identifier: LGPL-2.1-only
// A calendar of events: at most one date per key, which can be changed or cancelled. It is a heap that knows where each
// key is, with a queue beside it for dates that are scheduled in order.
//
// Keys are small integers. If two keys have the same date, the one that was scheduled first comes first.
//
// Why not boost::heap::d_ary_heap with mutable_<true>? It does the same and is as fast for up to some hundred keys, but
// keeps every key in a list node of its own. On the operations of this class it takes 1.5 times as long with 4,096
// keys, and 2.5 times with 65,536 (Boost 1.74, g++ 12 -O2).
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace strata::flow {

/// Not thread-safe. All operations are O(log n) in the number of scheduled keys, and O(1) for those in the queue.
class Calendar {
 public:
  bool empty() const { return heap_.empty() && queue_is_empty(); }
  double first_date() const { return queue_is_first() ? front().date : heap_.front().date; }

  /// Schedules `key`, or moves it to another date.
  void schedule(int key, double date) {
    if (where_.size() <= static_cast<std::size_t>(key)) where_.resize(key + 1, kNowhere);
    const Entry entry{date, ++orders_, key};
    std::size_t at = where_[key];
    if (at != kNowhere && (at & kQueued) != 0) {
      leave_queue(at);
      at = kNowhere;
    }
    // A new entry comes after all others of its date, so a date that is not before the last one belongs at the end.
    if (at == kNowhere && (queue_is_empty() || date >= queue_[(end_ - 1) & mask()].date) && has_room()) {
      where_[key] = end_ | kQueued;
      queue_[end_++ & mask()] = entry;
      ++queued_;
      return;
    }
    if (at == kNowhere) {
      at = heap_.size();
      heap_.push_back(entry);
    }
    settle(entry, at);
  }

  /// Does nothing if `key` is not scheduled.
  void cancel(int key) {
    if (static_cast<std::size_t>(key) >= where_.size() || where_[key] == kNowhere) return;
    const std::size_t at = where_[key];
    where_[key] = kNowhere;
    if ((at & kQueued) != 0) return leave_queue(at);
    const Entry last = heap_.back();
    heap_.pop_back();
    if (at < heap_.size()) settle(last, at);
  }

  /// Removes and returns the key with the first date.
  int pop() {
    const int key = queue_is_first() ? front().key : heap_.front().key;
    cancel(key);
    return key;
  }

 private:
  // Children per entry: more of them make a flatter heap, whose paths are shorter and touch fewer cache lines.
  static constexpr std::size_t kChildren = 4;
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
  static constexpr std::size_t kQueued = kNowhere / 2 + 1;  // a flag
  static constexpr int kLeft = -1;
  struct Entry {
    double date = 0;
    unsigned long order = 0;
    int key = kLeft;  // kLeft: an entry of the queue that has left it
    bool before(const Entry& other) const { return date != other.date ? date < other.date : order < other.order; }
  };

  std::size_t mask() const { return queue_.size() - 1; }
  bool queue_is_empty() const { return begin_ == end_; }
  const Entry& front() const { return queue_[begin_ & mask()]; }
  bool queue_is_first() const { return !queue_is_empty() && (heap_.empty() || front().before(heap_.front())); }

  // The first and the last entry of the queue are always scheduled; entries between them may have left.
  void leave_queue(std::size_t at) {
    queue_[at & mask()].key = kLeft;
    --queued_;
    while (begin_ != end_ && queue_[begin_ & mask()].key == kLeft) ++begin_;
    while (begin_ != end_ && queue_[(end_ - 1) & mask()].key == kLeft) --end_;
  }
  // False if most of its entries have left.
  bool has_room() {
    if (end_ - begin_ < queue_.size()) return true;
    if (queued_ < queue_.size() / 2) return false;
    std::vector<Entry> larger(queue_.empty() ? 16 : 2 * queue_.size());
    for (std::size_t i = begin_; i != end_; ++i) larger[i & (larger.size() - 1)] = queue_[i & mask()];
    queue_ = std::move(larger);
    return true;
  }

  // Puts `entry` at `at`, or moves it up or down to keep the order of the heap.
  void settle(const Entry& entry, std::size_t at) {
    while (at > 0 && entry.before(heap_[(at - 1) / kChildren])) {
      put(heap_[(at - 1) / kChildren], at);
      at = (at - 1) / kChildren;
    }
    for (std::size_t first; (first = kChildren * at + 1) < heap_.size();) {
      const std::size_t end = std::min(first + kChildren, heap_.size());
      std::size_t child = first;
      for (std::size_t other = first + 1; other < end; ++other) {
        if (heap_[other].before(heap_[child])) child = other;
      }
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
  std::vector<Entry> queue_;         // a ring, of a power of two
  std::size_t begin_ = 0, end_ = 0;  // of the queue: modulo the size of the ring
  std::size_t queued_ = 0;           // entries of the queue that have not left
  std::vector<std::size_t> where_;   // by key: its index in the heap, or kQueued plus its index in the queue
  unsigned long orders_ = 0;
};

}  // namespace strata::flow
