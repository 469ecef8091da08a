// SPDX-License-Identifier: LGPL-2.1-only
// Messages between two ranks that send and receive them, as in SMPI: sends below the eager limit leave at once and do
// not block their sender; longer ones leave when their receive is posted (channels.h says which receive gets which).
// In a trace of a real MPI library (Trace::native) messages of a channel are delivered in the order in which they were
// sent, and a longer one leaves when its receive is posted and the receiver has waited in MPI since it was delivered.
//
//   messages.post(3, op)         rank 3 begins to start the send or receive
//   messages.resume(3)           its next stage, each time that the rank is woken
//   messages.is_posting(3)       whether a stage is left
//   messages.arrive(17)          message 17 has arrived
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "records/exchange/searched_list.h"
#include "replay/channels.h"
#include "replay/kernel.h"
#include "replay/locks.h"
#include "replay/prepared_trace.h"
#include "replay/replay_traffic.h"
#include "replay/requests.h"

namespace strata::replay {

struct Message {
  int from = 0, to = 0;
  double bytes = 0;
  flow::Spans spans = {};                                               // those of its ends that are posted
  std::int64_t sending = Requests::kNone, receiving = Requests::kNone;  // requests of sender and receiver
  int flow = -1;                                                        // once it has started
  bool eager = false, arrived = false;                                  // native: its receiver has taken it
  // Native.
  int channel = -1;
  int behind = -1;              // the next one of the channel that has not been delivered
  bool ready = false;           // it can be delivered when those before it have been
  bool was_on_its_way = false;  // its sender has been busy with it
  bool accepted = false;        // its receiver has seen it, and lets it flow once it has posted the receive
  std::int64_t unseen = -1;     // after as many looks of its receiver it has arrived without being seen
  double sent_s = 0, started_s = 0;
  double acknowledgement_s = 0;  // its latency, if its sender waits for one
  int passed = 0;                // entries that were passed to find it, or its receive
  int kept = kNotKept;           // one-sided: the request kept by a window

  static constexpr int kNotKept = -1, kKeptNoMore = -2;
};

class Messages {
 public:
  /// `traffic`: null: not requested.
  Messages(Kernel& kernel, Locks& locks, Requests& requests, const Programs& programs, Traffic* traffic);

  // --- sends and receives of programs ---

  /// The rank begins to start a kSend or kReceive.
  void post(int rank, const Op& op);
  bool is_posting(int rank) const { return postings_[rank].op != nullptr; }
  void resume(int rank);
  /// Whether the message that a receive would get is sent. Otherwise the rank is woken when one is sent to it.
  bool is_sent(int rank, const Op& arrival);

  /// Native: the rank sees the messages that have been delivered to it, and, if it waits in MPI, those to come until it
  /// is resumed.
  void look(int rank, bool waits);
  /// Native: it has been busy with the short ones that it has seen, and lets the long ones flow.
  void accept_seen(int rank);
  /// Native: the rank has been busy with it, and its receive is complete.
  void taken(int message);
  const Message& get(int message) const { return messages_[message]; }

  void arrive(int message);
  /// The message that a request sends or receives; null: none.
  const Message* of_request(int rank, std::int64_t request) const;

  long sent() const { return sent_; }
  double bytes() const { return bytes_; }

  // --- parts of one-sided operations ---

  Lock& mailbox(int rank) { return mailboxes_[rank]; }
  /// An eager message without requests, which flows from now on. Returns its number.
  int send_one_sided(int from, int to, double bytes);
  Message& of(int message) { return messages_[message]; }
  bool is_complete(const Message& m) { return m.arrived || nearly_there(m); }
  /// Forgets the message, which has arrived and is received.
  void release(int message);

 private:
  // The stages of starting a request; each takes one round. The mailbox is the receiver's, and is locked in the
  // meantime.
  enum class Stage : std::uint8_t { kLock, kLook, kLookAgain, kPost, kUnlock };
  struct Posting {
    const Op* op = nullptr;  // the send or receive that is being started
    Stage stage = Stage::kLock;
    double begun_s = 0;
    int passed = 0;  // entries of the receiver's lists
  };

  // A message, or its receive: the place in a channel.
  struct End {
    int channel;
    std::size_t place;
    bool operator==(const End&) const = default;
  };
  // Those of a receiving rank that have not met.
  struct Lists {
    SearchedList<End> messages, receives;
  };

  // The messages of a channel that have not been delivered.
  struct Line {
    int first = -1, last = -1;
  };

  int receiver(int rank, const Op& op) const { return peer(rank, programs_.of(rank).out, op); }
  int sender(int rank, const Op& op) const { return peer(rank, programs_.of(rank).in, op); }
  int peer(int rank, const std::vector<int>& lanes, const Op& op) const {
    return (rank + lanes[op.lane]) % kernel_.ranks();
  }
  // Whether a message is shorter than the eager limit; is eager; does not block its sender.
  bool is_short(const Op& op) const { return op.amount < kernel_.machine().eager_limit.si; }
  bool is_eager(const Op& op) const { return (op.modes & TraceStep::kSynchronous) == 0 && is_short(op); }
  bool leaves_at_once(const Op& op) const { return is_eager(op) || (op.modes & TraceStep::kBuffered) != 0; }
  // The first stage of starting a request. SMPI locks mailboxes only if some messages are eager.
  Stage first_stage() const { return kernel_.machine().eager_limit.si > 0 ? Stage::kLock : Stage::kPost; }
  bool eager_one_is_there(int rank, const Op& op);
  bool nearly_there(const Message& m);
  double receiving_s(const Message& m) const {
    return kernel_.paths().receive_overhead(kernel_.core(m.from), kernel_.core(m.to), m.bytes) +
           m.passed * queue_search_s_;
  }
  int search(int rank, const Op& op);
  void send(int rank, const Op& op);
  void receive(int rank, const Op& op);
  void stand_in_line(int message);
  void deliver_in_order(int channel);
  void accept(int message);
  void complete(int message);
  int new_message();
  void start(int message);

  Kernel& kernel_;
  Locks& locks_;
  Requests& requests_;
  const Programs& programs_;
  Traffic* const traffic_;
  std::vector<Posting> postings_;  // by rank
  std::vector<Lock> mailboxes_;    // by rank
  const double queue_search_s_;    // 0: with a real library, whose searches belong to its own figures
  std::vector<Lists> lists_;       // by rank, if searches take time
  std::vector<Channel> channels_;
  std::vector<Message> messages_;
  std::vector<int> free_messages_;
  std::vector<std::vector<int>> unseen_;    // native, by rank: messages that wait for it, which it has not accepted
  std::vector<std::size_t> seen_;           // native, by rank: the first of these, which it has seen
  std::vector<Line> lines_;                 // native, by channel
  std::vector<std::vector<int>> arrivals_;  // by channel: ranks that wait until a message is sent
  long sent_ = 0;
  double bytes_ = 0;
};

}  // namespace strata::replay
