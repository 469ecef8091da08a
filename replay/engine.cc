// SPDX-License-Identifier: LGPL-2.1-only
#include "replay/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/error.h"
#include "replay/computations.h"
#include "replay/deadlock.h"
#include "replay/kernel.h"
#include "replay/locks.h"
#include "replay/meetings.h"
#include "replay/messages.h"
#include "replay/one_sided.h"
#include "replay/prepared_trace.h"
#include "replay/requests.h"

namespace strata::replay {
namespace {

using Kind = TraceStep::Kind;

constexpr int kNobody = -1;

struct Loop {
  const Op *first, *end;
  double left;  // iterations after the current one
};

struct Rank {
  const Op *next = nullptr, *end = nullptr;
  std::vector<Loop> loops;
  bool receives = false;    // it is busy with a message that it has waited for
  std::vector<int> taking;  // native: messages with which it is busy; afterwards it has received them
  bool over = false;
  double ended = 0;  // s
};

// Takes the ranks through their steps. Each step is executed by its protocol.
class Engine {
 public:
  Engine(const Trace& trace, const Machine& machine, const std::vector<int>& cores, const Observers& observers);
  Replayed run(double until_s);

 private:
  Rank& of(int rank) { return ranks_[rank]; }
  static const Op* upcoming(Rank& r);
  void resume(int rank);
  bool take(int rank, const Op& op);
  bool wait(int rank, const Op& op);
  void report(int rank);
  void sleep(int rank, double seconds);
  void receive(int rank, const Taken& received);
  void receive(int rank, const Delivered& seen);
  [[noreturn]] void fail();

  Observer nobody_;
  Observer& observer_;
  Traffic* const traffic_;  // null: not requested
  const Programs programs_;
  Kernel kernel_;
  Locks locks_;
  Requests requests_;
  Messages messages_;
  OneSided one_sided_;
  Computations computations_;
  Meetings meetings_;
  std::vector<Rank> ranks_;
  int left_;  // ranks that have not ended
};

Engine::Engine(const Trace& trace, const Machine& machine, const std::vector<int>& cores, const Observers& observers)
    : observer_(observers.history != nullptr ? *observers.history : nobody_),
      traffic_(observers.traffic),
      programs_(trace),
      kernel_(machine, cores, observer_),
      locks_(kernel_),
      requests_(kernel_, programs_),
      messages_(kernel_, locks_, requests_, programs_, traffic_),
      one_sided_(kernel_, locks_, requests_, messages_),
      computations_(kernel_, programs_.native()),
      meetings_(trace.groups),
      ranks_(cores.size()),
      left_(static_cast<int>(cores.size())) {
  for (int r = 0; r < left_; ++r) {
    const Program& p = programs_.of(r);
    of(r).next = p.ops.data();
    of(r).end = p.ops.data() + p.ops.size();
    kernel_.wake(r);
  }
  if (traffic_ != nullptr) traffic_->begin(machine, cores, kernel_.flows());
  observer_.begin(trace.groups, requests_.sizes());
}

Replayed Engine::run(double until_s) {
  for (;;) {
    while (kernel_.next_round([this](int rank) { resume(rank); })) {
    }
    if (left_ == 0) break;
    if (!kernel_.advance([this](int message) { messages_.arrive(message); })) fail();
    if (kernel_.now() > until_s) break;
  }
  if (traffic_ != nullptr) traffic_->end();
  Replayed result{.ended = {},
                  .simulated_time = 0,
                  .is_over = left_ == 0,
                  .messages = messages_.sent(),
                  .bytes = messages_.bytes()};
  for (const Rank& r : ranks_) {
    result.ended.push_back(r.ended);
    result.simulated_time = std::max(result.simulated_time, r.ended);
  }
  return result;
}

// The rank's next step, after entering and leaving loops; null: no step is left.
const Op* Engine::upcoming(Rank& r) {
  for (;;) {
    while (!r.loops.empty() && r.next == r.loops.back().end) {
      Loop& l = r.loops.back();
      if (l.left > 0) {
        --l.left;
        r.next = l.first;
      } else {
        r.loops.pop_back();
      }
    }
    if (r.next == r.end) return nullptr;
    if (r.next->kind != Kind::kRepeat) return r.next;
    const Op& repeat = *r.next++;
    r.loops.push_back({r.next, r.next + repeat.number, repeat.amount - 1});
  }
}

// Runs the rank until its next action that other ranks can see.
void Engine::resume(int rank) {
  requests_.stop_looking(rank);
  const bool has_received = std::exchange(of(rank).receives, false);
  if (has_received) observer_.taken(rank, kernel_.now());
  if (const Taken received = requests_.take_received(rank); received.seconds > 0) return receive(rank, received);
  if (const std::optional<Delivered> seen = requests_.next_seen(rank)) return receive(rank, *seen);
  if (has_received) {
    for (const int message : std::exchange(of(rank).taking, {})) messages_.taken(message);
    messages_.accept_seen(rank);
  }
  const bool waits = requests_.is_waiting(rank);
  if (!waits) {
    observer_.resume(rank, kernel_.now());
    const double left_s = requests_.take_acknowledged(rank) - kernel_.now();
    if (left_s > 0) {
      messages_.look(rank, true);
      return sleep(rank, left_s);
    }
  }
  if (messages_.is_posting(rank)) return messages_.resume(rank);
  if (waits) return report(rank);
  if (one_sided_.is_in_progress(rank) && !one_sided_.resume(rank)) return;
  Rank& r = of(rank);
  while (const Op* op = upcoming(r)) {
    ++r.next;
    if (!take(rank, *op)) return;
  }
  messages_.look(rank, true);
  r.over = true;
  r.ended = kernel_.now();
  --left_;
  observer_.end(rank, kernel_.now());
}

// Returns whether the rank continues immediately.
bool Engine::take(int rank, const Op& op) {
  switch (op.kind) {
    case Kind::kSend:
    case Kind::kReceive:
      messages_.post(rank, op);
      return false;
    case Kind::kWait:
      return wait(rank, op);
    case Kind::kArrival:
      if (messages_.is_sent(rank, op)) return true;
      --of(rank).next;  // to look again
      messages_.look(rank, true);
      return false;
    case Kind::kSleep:
      if (op.amount <= 0) return true;
      sleep(rank, op.amount);
      return false;
    case Kind::kWorkingSet:
      computations_.set_working_set(rank, op.amount);
      return true;
    case Kind::kMeet: {
      const std::vector<int> all = meetings_.meet(op.number, rank);
      observer_.come(rank, op.number, !all.empty(), kernel_.now());
      for (const int member : all) kernel_.wake(member);
      messages_.look(rank, true);
      return false;
    }
    case Kind::kReadClock:
      observer_.read_clock(rank, op.number, kernel_.now());
      meetings_.read_clock(op.number, rank, kernel_.now());
      return true;
    case Kind::kStartTogether: {
      const double wait_s = meetings_.start_of(op.number, rank) - kernel_.now();
      observer_.start_together(rank, op.number, kernel_.now());
      if (wait_s > 0) {
        kernel_.sleep_for(rank, wait_s);
      } else {
        kernel_.wake(rank);
      }
      return false;
    }
    case Kind::kPut:
    case Kind::kGet:
    case Kind::kAccumulate:
    case Kind::kFlush:
    case Kind::kFlushOne:
      return one_sided_.begin(rank, op);
    case Kind::kPoll:
      computations_.poll(rank, op.amount);
      return true;
    case Kind::kPolled:
      computations_.poll(rank, -op.amount);
      return true;
    case Kind::kLook:
      return computations_.look(rank, op);
    case Kind::kLock:
      one_sided_.lock(rank, op);
      return false;
    case Kind::kUnlock:
      one_sided_.unlock(rank, op);
      return false;
    case Kind::kCall:
      observer_.call(rank, op.number, kernel_.now());
      return true;
    case Kind::kRepeat:
      return true;
    default:
      computations_.start(rank, op);
      return false;
  }
}

void Engine::sleep(int rank, double seconds) {
  observer_.work(rank, {.kind = Kind::kSleep, .amount = seconds}, kNobody, kernel_.now());
  kernel_.sleep_for(rank, seconds);
}

// The rank is busy with a message that it has waited for.
void Engine::receive(int rank, const Taken& received) {
  of(rank).receives = true;
  observer_.take(rank, received.number, kernel_.now());
  kernel_.sleep_for(rank, received.seconds);
}

void Engine::receive(int rank, const Delivered& seen) {
  of(rank).taking.push_back(seen.message);
  const Message& m = messages_.get(seen.message);
  if (m.receiving != Requests::kNone) return receive(rank, Taken{.number = m.receiving, .seconds = seen.seconds});
  of(rank).receives = true;
  observer_.work(rank, {.kind = Kind::kReceive, .amount = m.bytes}, m.from, kernel_.now());
  kernel_.sleep_for(rank, seen.seconds);
}

// Waits for one request or, if the step has kMore, for all consecutive ones; a loop may end between two of them.
// Returns whether the rank continues immediately.
bool Engine::wait(int rank, const Op& op) {
  Rank& r = of(rank);
  const Op* o = &op;
  for (;;) {
    requests_.await(rank, requests_.started(rank) - o->number);
    if ((o->modes & TraceStep::kMore) == 0) break;
    const Op* following = upcoming(r);
    if (following == nullptr || following->kind != Kind::kWait) break;
    o = following;
    ++r.next;
  }
  if (!requests_.is_waiting(rank)) return true;
  report(rank);
  return false;
}

// The next request that is complete, or it waits for one.
void Engine::report(int rank) {
  requests_.resume(rank);
  const bool waits = requests_.is_blocked(rank), has_to_look = requests_.has_to_look(rank);
  if (waits || has_to_look) messages_.look(rank, waits);
}

void Engine::fail() {
  std::vector<StuckRank> stuck;
  for (int rank = 0; rank < kernel_.ranks(); ++rank) {
    if (of(rank).over) continue;
    StuckRank& s = stuck.emplace_back(StuckRank{.rank = rank});
    const std::int64_t request = requests_.waits_for(rank);
    s.has_request = request != Requests::kNone;
    const Message* m = s.has_request ? messages_.of_request(rank, request) : nullptr;
    if (m == nullptr) continue;
    const bool sends = m->from == rank && m->sending == request;
    s.message = {.sends = sends, .other = sends ? m->to : m->from, .bytes = m->bytes};
  }
  fail_stuck(stuck);
}

bool has_one_sided(const Trace& trace) {
  constexpr std::array kKinds = {Kind::kPut, Kind::kGet, Kind::kAccumulate, Kind::kFlush, Kind::kFlushOne, Kind::kLock};
  return std::any_of(trace.ranks.begin(), trace.ranks.end(), [&](const auto& steps) {
    return std::any_of(steps->begin(), steps->end(), [&](const TraceStep& step) {
      return std::find(kKinds.begin(), kKinds.end(), step.kind) != kKinds.end();
    });
  });
}

}  // namespace

Replayed replay(const Trace& trace, const Machine& machine, const std::vector<int>& cores, const Observers& observers,
                double until_s) {
  if (!trace.not_recorded.empty()) {
    throw InputError(
        "trace", fmt::format("the program calls {}, which a trace does not hold", fmt::join(trace.not_recorded, ", ")),
        "simulate it on each machine: strata exec");
  }
  if (observers.history != nullptr && has_one_sided(trace)) {
    throw InputError("trace", "has one-sided communication, whose waits have no history",
                     "leave out what asks for the program's critical path, sensitivity or timeline");
  }
  return Engine(trace, machine, cores, observers).run(until_s);
}

}  // namespace strata::replay
