// SPDX-License-Identifier: LGPL-2.1-only
// Where the ranks of one collective call find what they make together. Under SMPI all ranks share an address space, so
// what each would hold of a real machine's O(P) can be held once; what ranks need for it is a place to meet without
// sending a message.
//
// The members of a communicator make their collective calls in one order (MPI 4.0, Section 6.1), so the n-th call of a
// kind that a member makes belongs to the n-th of the others: a rank joins the first meeting of its group that it has
// not joined yet. A meeting is forgotten when all have joined; it lives as long as one of them keeps it.
//
// Cost of a join: O(P) to compare the members, on a group of P.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace strata::mpix {

/// Meetings of one kind, at which members share a T. Not thread-safe: SMPI runs one rank at a time, and a join does not
/// give way to another.
template <class T>
class Meetings {
 public:
  /// The T of this call of the group of `members` (any numbers that tell processes apart, in an order that all give
  /// alike), in which the caller is number `member`. The first to join finds a new T.
  std::shared_ptr<T> join(const std::vector<long>& members, std::size_t member) {
    const auto at = open_.try_emplace(members).first;
    std::deque<Meeting>& meetings = at->second;
    auto meeting = meetings.begin();
    while (meeting != meetings.end() && meeting->joined[member]) ++meeting;
    if (meeting == meetings.end()) {
      meetings.push_back({std::make_shared<T>(), std::vector<bool>(members.size()), 0});
      meeting = std::prev(meetings.end());
    }
    meeting->joined[member] = true;
    std::shared_ptr<T> shared = meeting->shared;
    if (++meeting->number == members.size()) meetings.erase(meeting);
    if (meetings.empty()) open_.erase(at);
    return shared;
  }

  /// How many are waiting for a member.
  std::size_t open() const {
    std::size_t number = 0;
    for (const auto& [members, meetings] : open_) number += meetings.size();
    return number;
  }

 private:
  struct Meeting {
    std::shared_ptr<T> shared;
    std::vector<bool> joined;
    std::size_t number;
  };
  std::map<std::vector<long>, std::deque<Meeting>> open_;
};

}  // namespace strata::mpix
