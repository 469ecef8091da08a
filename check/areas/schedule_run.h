// SPDX-License-Identifier: LGPL-2.1-only
// A nonblocking collective on all of its ranks, and its schedules (mpi_ext/nbc/schedule.h) run on values: a block is
// the list of the ranks whose data is combined in it, in order.
//
// Messages are as hard to deliver as MPI allows: a send ends when its receive has been posted. The run does the three
// parts one after another: all ranks do what is in the call until none can go on, then what is on the threads, then
// what is in the wait.
//
// A schedule that gets through in this order gets through in every order. A rank's rounds follow one another, a receive
// names its source, and messages between two ranks match in the order in which their rounds post them. So a message
// that a rank waits for stays there once it is there, and a step that was taken never stops another: how far the ranks
// get does not depend on which goes first. (This needs that no two messages of one round have the same ends, which is a
// property too.)
#pragma once

#include <array>
#include <string>
#include <vector>

#include "mpi_ext/nbc/schedule.h"

namespace strata::check {

/// What all ranks call. `in_place` is that of those ranks that may be.
struct ScheduleCase {
  mpix::Nbc collective = mpix::Nbc::kBcast;
  int ranks = 1;
  int root = 0;
  int arity = 2;
  int steps = 0;
  bool in_place = false;
  bool commutes = true;
  std::vector<int> node_of_rank = {};  // empty: no nodes are told
  friend bool operator==(const ScheduleCase&, const ScheduleCase&) = default;
};

bool has_root(mpix::Nbc collective);
bool is_reduction(mpix::Nbc collective);
bool can_be_in_place(mpix::Nbc collective);
/// Whether it is split: whether it has steps at all.
bool has_steps(mpix::Nbc collective);
bool in_place_at(const ScheduleCase& c, int rank);
/// Whether the tree must be the one over nodes: of those where it is told, and no subtree must be a range of ranks.
bool must_be_over_nodes(const ScheduleCase& c);
/// The rank that the tree begins at: the root, but rank 0 where there is none and where the order counts.
int top_of(const ScheduleCase& c);
/// How many levels the tree must have, by models/split_tree.h: those of the largest node and of the tree over nodes. 0
/// of a scan and a barrier.
int height_of(const ScheduleCase& c);
/// How many ranks each node has; all are on one where none are told, or not listened to.
std::vector<int> node_sizes(const ScheduleCase& c);

mpix::NbcCase of_rank(const ScheduleCase& c, int rank);

/// By rank.
std::vector<mpix::Schedule> schedules_of(const ScheduleCase& c);

enum Part { kInCall, kOnThread, kInWait };
inline constexpr std::array kParts = {kInCall, kOnThread, kInWait};
/// "in the call", ...
const char* name_of(Part part);
const std::vector<mpix::Round>& part_of(const mpix::Schedule& schedule, Part part);

using Block = std::vector<int>;

/// The value of memory that was never written.
inline constexpr int kGarbage = -1;

struct Message {
  int from = 0, to = 0;
  Part part_sent = kInCall, part_received = kInCall;
  int level_sent = 0, level_received = 0;
  int blocks_sent = 0, blocks_received = 0;
  std::vector<Block> carried = {};  // where the run keeps it
};

struct ScheduleRun {
  using Memory = std::array<std::vector<Block>, 4>;  // by Buffer
  std::vector<Memory> memory;                        // by rank, at the end
  std::vector<std::vector<bool>> heard;  // of a barrier, by rank: the ranks from which a chain of messages has come
  std::vector<Message> messages;         // in the order in which they are matched
  std::vector<std::string> waiting;      // at the end: which rank waits for what
  std::string waits_for_others;          // a rank that cannot end a part before others begin the next; or empty
  std::string out_of_memory;             // a rank that reads or writes outside of its buffers; or empty
  std::string dependent;                 // a rank with a round whose actions depend on each other; or empty
  int unmatched = 0;                     // sends and receives without a partner
  /// How long each part takes where a message takes its receiver 1 (of a scatter or gather: 1 for each block), one
  /// after another, and everything else nothing.
  std::array<int, 3> time = {};
};

/// `keep`: the messages have what they carry.
ScheduleRun run_schedules(const ScheduleCase& c, const std::vector<mpix::Schedule>& schedules, bool keep = false);

}  // namespace strata::check
