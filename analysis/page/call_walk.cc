// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/page/call_walk.h"

#include <algorithm>
#include <utility>

#include "records/events.h"

namespace strata::analysis {
namespace {

// The state of one rank.
struct Doing {
  bool in_call = false, blocked = false, ended = false;
  double blocked_at = 0;
  Call call;
};

class Walk {
 public:
  Walk(EventReader& reader, const CallVisitor& visitor)
      : visitor_(visitor), ranks_(reader.header().cores.size()), messages_(1) {
    Event event;
    while (reader.next(event)) take(event);
    end_ = event.time;
    for (size_t r = 0; r < ranks_.size(); ++r) end_rank(static_cast<int>(r), end_);
  }
  double end() const { return end_; }

 private:
  void take(const Event& e) {
    switch (e.kind) {
      case Event::Kind::kEnter:
        enter(e);
        break;
      case Event::Kind::kLeave:
        leave(e.rank, e.time);
        break;
      case Event::Kind::kBlock:
        ranks_[e.rank].blocked = true;
        ranks_[e.rank].blocked_at = e.time;
        break;
      case Event::Kind::kUnblock:
        unblock(e);
        break;
      case Event::Kind::kSend:
        messages_.emplace_back(e.rank, e.other);
        break;
      case Event::Kind::kRankEnd:
        end_rank(e.rank, e.time);
        break;
      case Event::Kind::kArrive:
      case Event::Kind::kPhaseBegin:
      case Event::Kind::kPhaseEnd:
      case Event::Kind::kEnd:
        break;
    }
  }

  void enter(const Event& e) {
    Doing& rank = ranks_[e.rank];
    if (rank.in_call) return;
    rank.in_call = true;
    rank.call = {.rank = e.rank, .function = e.function, .from = e.time, .to = e.time, .waits = {}};
  }

  void leave(int number, double time) {
    Doing& rank = ranks_[number];
    if (!rank.in_call) return;
    rank.in_call = rank.blocked = false;
    rank.call.to = time;
    if (visitor_.call) visitor_.call(rank.call);
  }

  void unblock(const Event& e) {
    Doing& rank = ranks_[e.rank];
    if (!rank.blocked) return;
    rank.blocked = false;
    const double until = std::min(e.began, e.time);
    if (!rank.in_call || until <= rank.blocked_at) return;
    rank.call.waits.push_back({rank.blocked_at, until, other(e)});
  }

  int other(const Event& e) const {
    if (e.message == 0) return e.other;
    if (e.message < 0 || static_cast<size_t>(e.message) >= messages_.size()) return -1;
    const auto [from, to] = messages_[e.message];
    return from == e.rank ? to : from;
  }

  void end_rank(int number, double time) {
    Doing& rank = ranks_[number];
    if (rank.ended) return;
    rank.ended = true;
    // In a deadlock, the rank waits until the end.
    if (rank.in_call && rank.blocked) rank.call.waits.push_back({rank.blocked_at, time, -1});
    leave(number, time);
    if (visitor_.ended) visitor_.ended(number, time);
  }

  const CallVisitor& visitor_;
  std::vector<Doing> ranks_;
  std::vector<std::pair<int, int>> messages_;  // sender and receiver, by number from 1
  double end_ = 0;
};

}  // namespace

Walked walk_calls(const EventStore& events, const CallVisitor& visitor) {
  EventReader reader(events);
  const Walk walk(reader, visitor);
  return {reader.header().functions, reader.header().cores, walk.end()};
}

}  // namespace strata::analysis
