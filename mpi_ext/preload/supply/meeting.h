// SPDX-License-Identifier: LGPL-2.1-only
// A place where the ranks of one collective call find the data that they make together. Under SMPI all ranks share an
// address space, so data of which each rank of a real machine would hold O(P) can be stored once, and ranks can meet
// without sending a message.
//
// The members of a communicator make their collective calls in the same order (MPI 4.0, Section 6.1), so a member's
// n-th call of a kind belongs to the n-th call of the others: a rank joins the first meeting of its group that it has
// not yet joined. A meeting is removed when all have joined; its data lives as long as one of them holds it.
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

/// Meetings of one kind, in which members share a T. Not thread-safe: SMPI runs one rank at a time, and a join does not
/// yield to another.
template <class T>
class Meetings {
 public:
  /// The T of this call by the group of `members`, in which the caller is number `member`. Members are any numbers that
  /// identify processes, in the same order on all. The first to join gets a new T.
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

  /// The number of meetings that still wait for a member.
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
