// SPDX-License-Identifier: LGPL-2.1-only
// Each time that a rank was blocked, with its cause, from the stream of events. For example rank 1 below is blocked
// from 0 to 3 ms until message 1 arrives, which began to flow at 1 ms, when rank 0 sent it:
//
//   0 s       block    rank 1
//   0.001 s   send     message 1 from rank 0 to rank 1
//   0.003 s   arrive   message 1, posted at 0 s, began at 0.001 s
//   0.003 s   unblock  rank 1  message 1, began at 0.001 s       {rank 1, 0 to 3 ms, began 1 ms, kSender, rank 0}
//
// A message starts to flow when both sides are there, so the one that came last made it begin. An eager message does
// not wait for its receiver: that is always the sender. Where a rank blocks after its message has arrived, which is how
// a successful MPI_Test looks, nothing is waited for.
//
// Memory: some bytes for each rank, and for each message from its kSend to its arrival, or to the end of the waits that
// its two ranks are in then.
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
    kBarrier,   // the last rank came to a barrier, or let go of a lock
    kUnknown,   // polls that found nothing, locks; the simulation ended
  };
  int rank = -1;            // that was blocked
  double from = 0, to = 0;  // s
  double began = 0;         // s: when the message began to flow, or the last rank came to the barrier
  Cause cause = Cause::kUnknown;
  int by = -1;               // the rank that came last; -1: unknown
  std::int64_t message = 0;  // 0: none
  bool collective = false;   // the message is of one of MPI's own collectives

  /// The part until `began`, s. In the rest the message flowed, or MPI worked.
  double idle() const { return began <= from ? 0 : (began < to ? began : to) - from; }
};

class WaitFinder {
 public:
  explicit WaitFinder(size_t ranks) : ranks_(ranks) {}

  /// All events in their order, the end too. The wait that the event ends; empty: it ends none, or one of no length.
  /// Ranks that are still blocked at the end are not among them: blocked_at_end().
  std::optional<Wait> take(const Event& event);
  std::vector<Wait> blocked_at_end() const;

 private:
  struct Rank {
    double since = -1;               // blocked; negative: not
    std::vector<std::int64_t> held;  // messages that arrived meanwhile
  };
  struct Message {
    int sender = -1, receiver = -1;
    double sent = 0, posted = 0, arrived = -1;  // s; negative: not yet
    // MPI_Get and MPI_Put do both sides' part: a rank that is blocked meanwhile did not.
    bool sender_acts = true, receiver_acts = true;
    bool collective = false;
    std::int8_t holders = 0;  // ranks that were blocked when it arrived
  };

  bool is_blocked(int rank) const { return ranks_[static_cast<size_t>(rank)].since >= 0; }
  Message* find(std::int64_t number);
  void arrive(const Event& event);
  std::optional<Wait> unblock(const Event& event);
  void release(Rank& rank);
  void drop_first();

  std::vector<Rank> ranks_;
  std::deque<Message> messages_;  // from number first_ on
  std::int64_t first_ = 1;
  double end_ = 0;
};

}  // namespace strata::analysis
