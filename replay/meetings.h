// SPDX-License-Identifier: LGPL-2.1-only
// Points at which ranks meet, and at which they start together. Each group of the trace uses them repeatedly:
//
//   meetings.meet(group, 3)               {} until the last rank of the group has come, then all of them
//   meetings.read_clock(group, 3, 0.5)    rank 3 has read the clock at 0.5 s
//   meetings.start_of(group, 3)           when it starts with the others: a while after the last of them has read the
//   clock
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

namespace strata::replay {

class Meetings {
 public:
  /// `groups`: the ranks of each.
  explicit Meetings(const std::vector<std::vector<int>>& groups);

  /// The rank waits until all ranks of the group have come. Returns the ranks that can continue now, in the order in
  /// which they came.
  std::vector<int> meet(int group, int rank);
  void read_clock(int group, int rank, double now_s);
  /// Start time in s. The n-th start of a rank belongs to its n-th reading of the clock. Throws InputError if there is
  /// no such reading.
  double start_of(int group, int rank);

 private:
  struct Start {
    double last_read_s;   // by any rank of the group
    std::size_t to_come;  // ranks that have not asked for it
  };
  struct Group {
    std::size_t size;
    std::vector<int> here;         // ranks that have come to the meeting
    std::deque<Start> starts;      // for which some ranks have not asked
    std::int64_t first_start = 0;  // the index of starts' first
  };
  using Counts = std::unordered_map<std::uint64_t, std::int64_t>;  // by group and rank
  static std::int64_t count(Counts& counts, int group, int rank);

  std::vector<Group> groups_;
  Counts reads_, starts_;  // how many so far
};

}  // namespace strata::replay
