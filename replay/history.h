// SPDX-License-Identifier: LGPL-2.1-only
// The records of a replay: its events in order. Critical paths (critical_path.h), the slack of messages (slack.h) and
// events for timelines (replayed_events.h) are computed from it. For example, rank 0 computes for a second and sends a
// message to rank 1, which waits for it:
//
//   kReceive  rank 1, message 0, at 0 s
//   kBlock    rank 1, message 0, at 0 s
//   kWork     rank 0, from 0 s, at 1 s
//   kSend     rank 0, message 0, at 1 s
//   kArrive   message 0, at 1.1 s
//   kWait     rank 1, message 0, from 0 s, at 1.1 s
//
// A record comes after all records on which it depends, so a reader that goes backwards meets each effect before its
// causes. Memory: 40 B for each record, some five of them for each message, and 64 B for each message.
#pragma once

#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

#include "replay/observer.h"
#include "replay/step_price.h"

namespace strata::replay {

class History : public Observer {
 public:
  enum class What : std::uint8_t {
    kCall,     // rank, function: enters it; -1: has left the last
    kBegin,    // rank, charge: a work begins at `at`
    kWork,     // rank, charge, peer, from: it has ended
    kSend,     // rank, message: is posted, to peer
    kReceive,  // rank, message: is posted
    kAccept,   // rank, message: waits, and so lets it begin to flow
    kArrive,   // message
    kBlock,    // rank, message: has to wait until it arrives, or finds that it has arrived
    kWait,     // rank, message, from: has waited for it, and for those of adjacent records
    kProbe,    // rank, message, from: has waited until it was sent
    kCome,     // rank, group: comes to a meeting
    kMeet,     // rank, group: all have come, that rank last
    kRead,     // rank, group, message: reads the clock, for the `message`-th time, to start together
    kStart,    // rank, group, message, from: starts, for the `message`-th time, because the last has read the clock
    kEnd,      // rank
  };
  struct Record {
    double at = 0;    // s
    double from = 0;  // s
    std::int64_t message = -1;
    std::int32_t rank = -1;
    std::int32_t peer = -1;    // the receiver; of a work that receives, the sender; the group
    std::int32_t charge = -1;  // index into charges()
    std::int16_t function = -1;
    What what = What::kEnd;
  };
  struct Message {
    int from = -1, to = -1;
    int tag = 0;
    bool eager = false;  // does not wait for its receiver
    double bytes = 0;
    flow::Spans spans = {};
    double sent = -1, posted = -1;    // s, by sender and receiver; negative: not
    double began = -1, arrived = -1;  // s: when both sides were ready, or it was sent if eager; when it had arrived
    bool taken = false;               // its receiver, which waited for it, was then busy with it
  };
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  const std::vector<Record>& records() const { return records_; }
  const std::vector<Message>& messages() const { return messages_; }
  /// Computations, and overheads of sends and receives, which have the kind kSend or kReceive and the message's bytes.
  /// Sleeps have the kind kSleep.
  const std::vector<Charge>& charges() const { return charges_; }
  const std::vector<std::vector<int>>& groups() const { return groups_; }
  int ranks() const { return static_cast<int>(ranks_.size()); }
  /// When the last rank ended, s.
  double end() const { return end_; }

  /// Additional delay of the message in s. Called once for each message, in the order in which they begin to flow.
  virtual double delay([[maybe_unused]] std::int64_t message) { return 0; }

  // --- called by the engine ---

  void begin(const std::vector<std::vector<int>>& groups, const std::vector<std::size_t>& waits) override;
  void call(int rank, int function, double now) override;
  void work(int rank, const Charge& charge, int peer, double now) override;
  void send(int rank, std::int64_t request, int slot, bool known, const Sent& sent, double now) override;
  void receive(int rank, std::int64_t request, int slot, bool known, bool complete, double now) override;
  void accept(int rank, int slot, double now) override;
  /// Returns delay().
  double start(int slot, const flow::Spans& spans, double now) override;
  void arrive(int slot, double now) override;
  void wait(int rank, std::int64_t request, double now) override;
  void take(int rank, std::int64_t request, double now) override;
  void taken(int rank, double now) override;
  void look(int rank, double now) override;
  void probe(int rank, int slot, double now) override;
  void come(int rank, int group, bool last, double now) override;
  void read_clock(int rank, int group, double now) override;
  void start_together(int rank, int group, double now) override;
  void resume(int rank, double now) override;
  void end(int rank, double now) override;

 private:
  struct Rank {
    enum class Does : std::uint8_t { kNothing, kWork, kWait, kStart } does = Does::kNothing;
    std::int16_t function = -1;
    std::int32_t peer = -1, charge = -1;
    double from = 0;
    double looks_since = -1;              // s; negative: it does not
    std::int64_t start = 0;               // which
    std::vector<std::int64_t> awaited;    // messages
    std::vector<std::int64_t> requested;  // messages, by request; a ring
  };
  struct Hash {
    std::size_t operator()(const Charge& c) const;
  };
  using Counts = std::unordered_map<std::uint64_t, std::int64_t>;  // by group and rank

  Rank& of(int rank) { return ranks_[rank]; }
  Record& add(What what, int rank, double now);
  std::int64_t new_message(int slot);
  std::int64_t& requested(int rank, std::int64_t request) {
    std::vector<std::int64_t>& ring = of(rank).requested;
    return ring[static_cast<std::size_t>(request) & (ring.size() - 1)];
  }
  static std::int64_t next(Counts& counts, int group, int rank);

  std::vector<Record> records_;
  std::vector<Message> messages_;
  std::vector<Charge> charges_;
  std::vector<std::vector<int>> groups_;
  std::vector<Rank> ranks_;
  std::vector<std::int64_t> of_slot_;  // messages
  std::unordered_map<Charge, std::int32_t, Hash> known_charges_;
  Counts reads_, starts_;
  double end_ = 0;
};

}  // namespace strata::replay
