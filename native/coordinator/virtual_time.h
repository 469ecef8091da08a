// SPDX-License-Identifier: LGPL-2.1-only
// The time of ranks that run real programs: when each message arrives, and which rank continues when. For example, rank
// 0 sends 8 bytes and ends, and rank 1 waits for them:
//
//   time.post(0, {.kind = Kind::kEager, .peer = 1, .bytes = 8});
//   time.end(0);
//   time.block(1, {Block::kMessage});
//   time.advance()        true: rank 1 continues
//   time.continuing()     {1}
//   time.clock(1)         the machine's overhead + latency + 24 B / bandwidth
//   time.delivered(1)          {kEager from rank 0}
//
// Each rank has a clock of its own, ahead of the time of the others while it computes or sends. Its posts happen
// at that clock: every post, arrival and end of a wait is an event, and events happen in the order of time, rank and
// number. A rank continues at the time of its event, and only when all events before are over, so it knows all that has
// happened until then. This is how SimGrid and replay/ proceed too. Links and memories are shared as in flow/.
//
// Costs: a send keeps its rank busy for the overhead of its level, except a blocking send that waits for its receiver
// (as in SMPI, and so in replay/messages.h); then flow::MachineFlows; then the receiver for the receive overhead, when
// it takes the message: when it waits, and the message, or the data that it has fetched, are delivered to it. Messages
// from one rank to another are delivered in the order in which they were sent, regardless of their lengths, because MPI
// does not let them overtake each other.
//
// Copies and combinations that the library makes in its calls keep its rank busy. If the machine has figures of its
// memory, they are works that share core, caches and memory (flow/memory_shares.h), and the rank waits for their end.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <span>
#include <unordered_map>
#include <vector>

#include "flow/machine_flows.h"
#include "native/board/board.h"
#include "native/coordinator/launcher_meetings.h"
#include "platforms/machine.h"

namespace strata::native {

/// The thing that a rank waits for.
struct Wait {
  Block block = Block::kMessage;
  double seconds = 0;              // of kPoll and kSleep
  double busy_s = 0;               // the rank's computation since its last post
  std::uint64_t key = 0;           // of kMeet and kAwait
  std::uint32_t participants = 0;  // of kMeet
  /// For kMessage: the rank does nothing before each of these receives has got its eager message, and as many requests
  /// are complete (kFetched, kTaken), unless it gets an offer, an active message, or the end of a one-sided operation.
  /// It need not continue for each message: its time passes as if it did, and looked, and blocked again. Both empty:
  /// not known.
  std::span<const OpenReceive> receives = {};
  std::uint32_t completions = 0;
};

/// Observes what happens, in the order of time unless it says otherwise.
class Witness {
 public:
  virtual ~Witness() = default;
  /// A rank has started `rank`, on this core.
  virtual void begin(int /*rank*/, int /*core*/, double /*now*/) {}
  virtual void enter(int /*rank*/, int /*function*/, double /*now*/) {}
  virtual void leave(int /*rank*/, double /*now*/) {}
  virtual void block(int /*rank*/, double /*now*/) {}
  /// `message`: the one that ended the wait; negative: none did. It began to flow at `began`.
  virtual void unblock(int /*rank*/, std::int64_t /*message*/, double /*began*/, double /*now*/) {}
  /// The rank has posted this, and blocks, in its own order and not in that of time.
  virtual void posted(int /*rank*/, const Message&) {}
  virtual void blocked(int /*rank*/, const Wait&) {}
  /// Message::number says which one it is.
  virtual void send(int /*rank*/, const Message&, double /*now*/) {}
  virtual void arrive(const Message&, double /*began*/, double /*now*/) {}
  virtual void end(int /*rank*/, double /*now*/) {}
  /// The one-sided operation of `rank` happens now: its data move.
  virtual void perform(int /*rank*/, const Message&) {}
};

/// Not thread-safe. The same calls give the same results, to the bit.
class VirtualTime {
 public:
  /// `cores` by rank: indexes into Topology::cores(). `machine` and `witness` must outlive this.
  VirtualTime(const Machine& machine, std::vector<int> cores, Witness& witness);

  /// There is a further rank now, on this core, whose clock is now().
  void add_rank(int core);

  // --- while the rank is blocked ---

  /// The rank has done this; call it in the order of the rank.
  void post(int rank, const Message& message);
  /// It waits for this now. Its wait ends with advance().
  void block(int rank, const Wait& wait);
  /// It has ended, at its clock.
  void end(int rank, double busy_s);

  /// Moves time to the next moment at which ranks continue. False if no event is left: those that are blocked wait for
  /// ever.
  bool advance();
  /// The ranks that continue, ascending.
  const std::vector<int>& continuing() const { return continuing_; }
  /// Messages for the rank, oldest first; the caller removes those that it delivers.
  std::deque<Message>& delivered(int rank) { return of(rank).delivered; }
  /// The rank's own time, s.
  double clock(int rank) const { return ranks_[rank].clock; }

  double now() const { return now_; }
  flow::MachineFlows& flows() { return flows_; }

 private:
  static constexpr int kNone = -1;

  // A message that has been posted and is not over. Its number in flights_ is its place, which others use after it.
  struct Flight {
    Message message;
    int from = kNone, to = kNone;  // ranks: who posted it, and its peer
    double began = 0;              // s
    bool is_there = false;         // may be delivered when those before it have been
    int behind = kNone;            // the next one from `from` to `to`
  };
  // The messages, or the one-sided operations, from one rank to another that have not been delivered or performed, in
  // the order in which they were posted.
  struct Line {
    int first = kNone, last = kNone;
  };
  struct Rank {
    double clock = 0;
    std::uint64_t events = 0;
    std::uint64_t wait = 0;  // counts waits: an end of an earlier one is out of date
    bool waits = false, for_messages = false, for_ranks = false, for_work = false, finishes = false,
         is_continuing = false, has_ended = false;
    std::uint64_t key = 0;           // kMeet, kAwait
    std::uint32_t participants = 0;  // kMeet
    std::int64_t cause = kNone;      // the message that ends its wait
    double cause_began = 0;
    std::deque<Message> delivered;
    double receiving_s = 0;  // of messages that it has not taken
    // Still needed: Wait.
    std::vector<OpenReceive> receives;
    std::uint32_t completions = 0;

    bool needs_more() const { return !receives.empty() || completions > 0; }
    void needs_no_more();
    void got(const Message& m);
  };
  struct Event {
    double at;
    int rank;
    std::uint64_t order;  // of the rank's events
    enum class What : std::uint8_t {
      kHappen,
      kEnter,
      kLeave,
      kDeliver,
      kContinue,
      kTurn,
      kMeet,
      kAwait,
      kBlock,
      kEnd
    } what;
    std::uint64_t wait;  // of all after kDeliver, up to kBlock
    int detail;          // kHappen, kDeliver: the flight with the message. kEnter: the function
    bool operator>(const Event& other) const {
      if (at != other.at) return at > other.at;
      if (rank != other.rank) return rank > other.rank;
      return order > other.order;
    }
  };

  Rank& of(int rank) { return ranks_[rank]; }
  int core(int rank) const { return cores_[rank]; }
  std::uint64_t pair(int from, int to) const {
    return static_cast<std::uint64_t>(from) << 31U | static_cast<std::uint64_t>(to);
  }
  std::uint64_t line_of(const Flight& f) const {
    const bool is_one_sided =
        f.message.kind == Kind::kPut || f.message.kind == Kind::kGet || f.message.kind == Kind::kAtomic;
    return pair(f.from, f.to) | (is_one_sided ? std::uint64_t{1} << 63U : 0);
  }
  void add(int rank, double at, Event::What what, int detail = kNone);
  double overhead(int rank, const Message& m);
  double receive_overhead(int rank, const Message& m);
  int new_flight(int from, int to, const Message& m);
  void stand_in_line(int flight);
  bool still_waits(const Event& event) const {
    const Rank& r = ranks_[event.rank];
    return r.waits && r.wait == event.wait;
  }
  void forget_ended_waits();
  void take_turns(const Event& event);
  void happen(int rank, int flight);
  double alone_s(const Message& work) const;
  void begin_work(int flight);
  void end_work(int flight);
  void flow(int flight, int from, int to, double bytes);
  void keep_flow(int flow, int flight);
  void arrive(int flight);
  void deliver_in_order(int flight);
  void perform_in_order(int flight);
  void fetched(const Flight& f);
  void deliver(int rank, const Message& m, double began);
  void end_wait(int rank, std::int64_t cause, double began);
  void resume(int rank);
  void resume_all(const std::vector<int>& ranks);
  void begin_wait(int rank, const Wait& wait);
  void block_again();

  std::vector<int> cores_;
  Witness& witness_;
  const double copy_bandwidth_, combine_bandwidth_;  // B/s
  flow::MachineFlows flows_;
  double now_ = 0;
  std::vector<Rank> ranks_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::vector<Flight> flights_;
  std::vector<int> free_flights_;
  std::vector<int> flight_of_flow_;
  std::unordered_map<std::uint64_t, Line> lines_;  // by line_of()
  Meetings meetings_;
  std::vector<int> continuing_, at_once_;  // at_once_: ranks that only ask for their time
  std::vector<int> looking_;               // ranks that would continue now, look, and block again
  std::int64_t messages_ = 0;
};

}  // namespace strata::native
