// SPDX-License-Identifier: LGPL-2.1-only
// Finds the message that a receive gets. A channel contains all messages of one rank to another, in the order in which
// they are sent. A receive claims the first message that no receive has claimed, or a later one if it skips some:
//
//   channel.claim(0)    the 1st        channel.send()   the 1st
//   channel.claim(1)    the 3rd        channel.send()   the 2nd
//   channel.claim(0)    the 2nd        channel.send()   the 3rd
//
// Sends and claims may come in any order.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace strata::replay {

class Channel {
 public:
  static constexpr int kNone = -1;
  /// A place for a message, known to its sender, to its receiver, or to both.
  struct Slot {
    int message = kNone;  // the caller's number
    bool sent = false, claimed = false;
  };

  /// The slot of the next message that is sent, or claimed. If its other flag is set, the other side has been here
  /// before. Valid until the next call.
  Slot& send() {
    Slot& s = at(sent_++);
    s.sent = true;
    return s;
  }
  Slot& claim(int passed) {
    Slot& s = at(index_of(passed));
    s.claimed = true;
    return s;
  }
  /// The slot that such a claim would get.
  const Slot& next(int passed) { return at(index_of(passed)); }
  /// The place in the channel of the next message that is sent, and of the one that such a claim would get.
  std::size_t next_sent() const { return sent_; }
  std::size_t next_claimed(int passed) { return index_of(passed); }
  /// Forgets slots that both sides have used. Call this after each send() and claim().
  void forget() {
    while (used_ > 0 && slot(base_).sent && slot(base_).claimed) {
      slot(base_) = {};
      ++base_;
      --used_;
    }
    if (unclaimed_ < base_) unclaimed_ = base_;
    while (unclaimed_ < base_ + used_ && slot(unclaimed_).claimed) ++unclaimed_;
  }

 private:
  Slot& slot(std::size_t index) { return ring_[index & (ring_.size() - 1)]; }
  Slot& at(std::size_t index) {
    const std::size_t needed = index - base_ + 1;
    if (needed > ring_.size()) grow(needed);
    if (needed > used_) used_ = needed;
    return slot(index);
  }
  std::size_t index_of(int passed) {
    std::size_t index = unclaimed_;
    for (int left = passed; left > 0 || at(index).claimed; ++index) left -= at(index).claimed ? 0 : 1;
    return index;
  }
  void grow(std::size_t needed) {
    std::size_t size = ring_.empty() ? 2 : ring_.size();
    while (size < needed) size *= 2;
    std::vector<Slot> larger(size);
    for (std::size_t i = base_; i < base_ + used_; ++i) larger[i & (size - 1)] = slot(i);
    ring_ = std::move(larger);
  }

  std::vector<Slot> ring_;  // a power of two
  std::size_t base_ = 0;    // the index of the first kept slot
  std::size_t used_ = 0;    // number of kept slots
  std::size_t sent_ = 0, unclaimed_ = 0;
};

}  // namespace strata::replay
