// SPDX-License-Identifier: LGPL-2.1-only
// Finds each time that a rank was blocked, and the cause, in a stream of events. For example, rank 1 is blocked from 0
// to 3 ms until message 1 arrives. The message began to flow at 1 ms, when rank 0 sent it:
//
//   0 s       block    rank 1
//   0.001 s   send     message 1 from rank 0 to rank 1
//   0.003 s   arrive   message 1, posted at 0 s, began at 0.001 s
//   0.003 s   unblock  rank 1  message 1, began at 0.001 s       {rank 1, 0 to 3 ms, began 1 ms, kSender, rank 0}
//
// A message starts to flow when both sides are ready, so the side that came last made it begin. An eager message does
// not wait for its receiver, so for it this is always the sender. If a rank blocks after its message has arrived, as in
// a successful MPI_Test, it does not wait.
//
// Memory: some bytes for each rank, and for each message from its kSend until its arrival or the end of its two ranks'
// current waits.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "records/events.h"

namespace strata::analysis {

struct Wait {
  enum class Cause {
    kSender,    // the sender of the message came after its receiver
    kReceiver,  // the receiver came after its sender
    kBarrier,   // the last rank came to a barrier, or released a lock
    kUnknown,   // unsuccessful polls, locks, or the end of the simulation
  };
  int rank = -1;            // the blocked rank
  double from = 0, to = 0;  // s
  double began = 0;         // s: when the message began to flow, or the last rank came to the barrier
  Cause cause = Cause::kUnknown;
  int by = -1;               // the rank that came last; -1: unknown
  std::int64_t message = 0;  // 0: none
  bool collective = false;   // the message belongs to one of MPI's own collectives

  /// The part until `began`, s. In the rest, the message flowed or MPI worked.
  double idle() const { return began <= from ? 0 : (began < to ? began : to) - from; }
};

class WaitFinder {
 public:
  explicit WaitFinder(size_t ranks) : ranks_(ranks) {}

  /// Takes all events in their order, including the end. Returns the wait that this event ends; empty if there is none,
  /// or it has no length. blocked_at_end() returns the ranks that are still blocked at the end.
  std::optional<Wait> take(const Event& event);
  std::vector<Wait> blocked_at_end() const;

 private:
  struct Rank {
    double since = -1;               // blocked since; negative: not blocked
    std::vector<std::int64_t> held;  // messages that have arrived since
  };
  struct Message {
    int sender = -1, receiver = -1;
    double sent = 0, posted = 0, arrived = -1;  // s; negative: not yet
    // For MPI_Get and MPI_Put, one rank acts for both sides. A rank that is blocked meanwhile did not act.
    bool sender_acts = true, receiver_acts = true;
    bool collective = false;
    std::int8_t holders = 0;  // number of ranks that were blocked when it arrived
  };

  bool is_blocked(int rank) const { return ranks_[rank].since >= 0; }
  Message* find(std::int64_t number);
  void arrive(const Event& event);
  std::optional<Wait> unblock(const Event& event);
  void release(Rank& rank);
  void drop_first();

  std::vector<Rank> ranks_;
  std::deque<Message> messages_;  // from number first_
  std::int64_t first_ = 1;
  double end_ = 0;
};

}  // namespace strata::analysis
