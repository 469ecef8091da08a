// SPDX-License-Identifier: LGPL-2.1-only
// Runs the schedules of a nonblocking collective (mpi_ext/nbc/rounds.h) on all its ranks, with symbolic values: a
// block is the ordered list of ranks whose data it combines.
//
// The run delivers messages in the hardest way that MPI allows: a send only ends when its receive has been posted. The
// three parts run one after another. All ranks execute the part inside the call until none can continue; then the part
// on the threads; then the part in the wait.
//
// A schedule that completes in this order completes in every order. The rounds of a rank are sequential, receives name
// their source, and messages between two ranks match in the order in which their rounds post them. So a message that
// has arrived stays available, and no step prevents another one: how far the ranks get does not depend on who goes
// first. (This requires that no two messages of one round have the same source and destination, which is also a
// property.)
#pragma once

#include <array>
#include <string>
#include <vector>

#include "mpi_ext/nbc/rounds.h"

namespace strata::check {

/// The arguments of all ranks. `in_place` applies to the ranks that may use it.
struct ScheduleCase {
  mpix::Nbc collective = mpix::Nbc::kBcast;
  int ranks = 1;
  int root = 0;
  int arity = 2;
  int steps = 0;
  bool in_place = false;
  bool commutes = true;
  std::vector<int> node_of_rank = {};  // empty: nodes are unknown
  friend bool operator==(const ScheduleCase&, const ScheduleCase&) = default;
};

bool has_root(mpix::Nbc collective);
bool is_reduction(mpix::Nbc collective);
bool can_be_in_place(mpix::Nbc collective);
/// Whether the collective can be split, so that it has steps.
bool has_steps(mpix::Nbc collective);
bool in_place_at(const ScheduleCase& c, int rank);
/// Whether the tree must be the tree over nodes: nodes are known, and subtrees need not be ranges of ranks.
bool must_be_over_nodes(const ScheduleCase& c);
/// The rank at the top of the tree: the root, or rank 0 if there is no root or the order of operands matters.
int top_of(const ScheduleCase& c);
/// The number of levels that the tree must have, by models/split_tree.h: those of the largest node plus those of the
/// tree over nodes. 0 for a scan and a barrier.
int height_of(const ScheduleCase& c);
/// The number of ranks of each node; a single node if nodes are unknown or ignored.
std::vector<int> node_sizes(const ScheduleCase& c);

mpix::NbcCase of_rank(const ScheduleCase& c, int rank);

/// The schedules by rank.
std::vector<mpix::Schedule> schedules_of(const ScheduleCase& c);

enum Part { kInCall, kOnThread, kInWait };
inline constexpr std::array kParts = {kInCall, kOnThread, kInWait};
/// "in the call", ...
const char* name_of(Part part);
const std::vector<mpix::Round>& part_of(const mpix::Schedule& schedule, Part part);

using Block = std::vector<int>;

/// The value of uninitialised memory.
inline constexpr int kGarbage = -1;

struct Message {
  int from = 0, to = 0;
  Part part_sent = kInCall, part_received = kInCall;
  int level_sent = 0, level_received = 0;
  int blocks_sent = 0, blocks_received = 0;
  std::vector<Block> carried = {};  // if the run keeps it
};

struct ScheduleRun {
  using Memory = std::array<std::vector<Block>, 4>;  // by Buffer
  std::vector<Memory> memory;                        // by rank, at the end
  std::vector<std::vector<bool>> heard;  // for a barrier, by rank: the ranks from which a chain of messages has reached
                                         // it
  std::vector<Message> messages;         // in the order in which they match
  std::vector<std::string> waiting;      // at the end: ranks that wait, and for what
  std::string waits_for_others;          // a rank that cannot end a part before others begin the next one; or empty
  std::string out_of_memory;             // a rank that accesses memory outside its buffers; or empty
  std::string dependent;                 // a rank with a round whose actions depend on each other; or empty
  int unmatched = 0;                     // sends and receives without a partner
  /// The duration of each part if they run one after another, and if only messages take time: 1 for the receiver (in a
  /// scatter or gather, 1 for each block).
  std::array<int, 3> time = {};
};

/// `keep`: store the data that messages carry.
ScheduleRun run_schedules(const ScheduleCase& c, const std::vector<mpix::Schedule>& schedules, bool keep = false);

}  // namespace strata::check
