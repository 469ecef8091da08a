// SPDX-License-Identifier: LGPL-2.1-only
// Finds the operations of a schedule that belong to one message: the k-th send from a to b, the k-th receive that b
// posts for a message from a, and the waits for them. Messages between two ranks do not overtake each other. O(messages
// log messages).
#pragma once

#include <vector>

#include "models/schedule.h"

namespace strata::models {

class Matching {
 public:
  /// Throws std::logic_error if sends and receives do not match in number or size, or a wait has no earlier send or
  /// receive.
  explicit Matching(const Schedule& schedule);

  /// Messages are numbered by sender, then in the order of its sends.
  int num_messages() const { return static_cast<int>(messages_.size()); }
  /// The message of an operation; -1 for kCombine and kCompute.
  int message_of(int rank, int index) const { return message_of_[rank][index]; }

  struct Message {
    int from, to;
    double bytes;
    int send_index;     // of the send among the operations of `from`
    int receive_index;  // of the posted receive among those of `to`
    int before = -1;    // the message whose receive `to` posted before this one's; -1 for its first
    int after = -1;     // the one after
  };
  const Message& message(int m) const { return messages_[m]; }
  /// The message that the same rank sends before, and after; -1 for its first and last.
  int sent_before(int m) const { return m > 0 && messages_[m - 1].from == messages_[m].from ? m - 1 : -1; }
  int sent_after(int m) const {
    return m + 1 < num_messages() && messages_[m + 1].from == messages_[m].from ? m + 1 : -1;
  }

 private:
  std::vector<std::vector<int>> message_of_;
  std::vector<Message> messages_;
};

}  // namespace strata::models
