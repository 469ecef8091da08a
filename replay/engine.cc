// SPDX-License-Identifier: LGPL-2.1-only
#include "replay/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "flow/machine_flows.h"
#include "flow/precision.h"
#include "platforms/error.h"
#include "records/exchange/acknowledgement.h"
#include "replay/channels.h"
#include "replay/charge.h"
#include "replay/cores.h"
#include "replay/meetings.h"
#include "replay/one_sided.h"
#include "replay/program.h"

namespace strata::replay {
namespace {

using Kind = TraceStep::Kind;

constexpr double kNearlyNothing = 1e-12;  // B
constexpr std::int64_t kNoRequest = -1;
constexpr std::int64_t kOneOfAWindow = -2;  // a request kept by a window
constexpr std::size_t kMostNamed = 3;       // waiting ranks that an error message names

struct Message {
  int from = 0, to = 0;
  double bytes = 0;
  std::int64_t sending = kNoRequest, receiving = kNoRequest;  // requests of sender and receiver
  int flow = -1;                                              // once it has started
  bool eager = false, arrived = false;
  double sent_s = 0, started_s = 0;
  double acknowledgement_s = 0;  // its latency, if its sender waits for one
  int kept = kNotKept;           // one-sided: the request kept by a window

  static constexpr int kNotKept = -1, kKeptNoMore = -2;
};

// A request kept by a window.
struct KeptRequest {
  bool done = false;
  int waiter = Lock::kNobody;
};

struct Request {
  std::int64_t number = kNoRequest;  // number of the rank's request in this slot
  bool done = false;
  bool left_at_once = false;  // a send that does not block its sender
  bool awaited = false;       // by the wait in which its rank is
  double acknowledged_s = 0;  // a synchronous send that is done: when its sender knows
};

struct Loop {
  const Op *first, *end;
  double left;  // iterations after the current one
};

// The stages of starting a request; each takes one round. The mailbox is the receiver's, and is locked in the meantime.
enum class Stage : std::uint8_t { kLock, kLook, kLookAgain, kPost, kUnlock };

struct Rank {
  const Op *next = nullptr, *end = nullptr;
  std::vector<Loop> loops;
  std::int64_t started = 0;             // requests
  int awaited = 0;                      // requests that the rank waits for and has not been notified of
  int complete = 0;                     // of these, those that have completed in the meantime
  double acknowledged_s = 0;            // when the rank knows that all of these that have completed are received
  bool waits = false;                   // for one of them
  std::int64_t waits_for = kNoRequest;  // one of them, for error messages
  const Op* posting = nullptr;          // the send or receive that is being started
  Stage stage = Stage::kLock;           // of `posting`: the next
  const Op* one_sided = nullptr;        // the one-sided operation in progress
  std::span<const Part> parts;          // its remaining parts
  int message = -1;                     // its message
  int kept = Message::kNotKept;         // its request that a window keeps
  int behind = Lock::kNobody;           // the next rank that waits for the same lock
  double working_set = kNoWorkingSet;   // of the next stream, B
  bool over = false;
  double ended = 0;
};

class Engine {
 public:
  Engine(const Trace& trace, const Machine& machine, const std::vector<int>& cores, const Observers& observers);
  Replayed run();

 private:
  Rank& of(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  int core(int rank) const { return core_of_[static_cast<std::size_t>(rank)]; }
  Request& request(int rank, std::int64_t number) {
    return requests_[first_request_[static_cast<std::size_t>(rank)] +
                     (static_cast<std::size_t>(number) & masks_[static_cast<std::size_t>(rank)])];
  }
  static const Op* upcoming(Rank& r);
  void wake(int rank) { woken_.push_back(rank); }
  void go_on(int rank);
  bool take(int rank, const Op& op);
  bool wait(int rank, const Op& op);
  void go_on_waiting(int rank);
  int receiver(int rank, const Op& op) const {
    return (rank + programs_.of(rank).out[static_cast<std::size_t>(op.lane)]) % static_cast<int>(ranks_.size());
  }
  int sender(int rank, const Op& op) const {
    return (rank + programs_.of(rank).in[static_cast<std::size_t>(op.lane)]) % static_cast<int>(ranks_.size());
  }
  int peer(int rank, int relative) const { return (rank + relative) % static_cast<int>(ranks_.size()); }
  void lock(Lock& lock, int rank);
  void unlock(Lock& lock, int rank);
  Lock& named_lock(int rank, const Op& op);
  bool go_on_one_sided(int rank);
  bool take_part(int rank, Part part);
  void send_one_sided(int rank, const Op& op);
  void receive_one_sided(int rank, const Op& op);
  bool wait_for_kept(int rank, const Op& op);
  void complete_kept(int number);
  void tell(int rank);
  bool nearly_there(const Message& m);
  bool eager_one_is_there(int rank, const Op& op);
  void go_on_starting(int rank);
  // Whether a message is shorter than the eager limit; is eager; does not block its sender.
  bool is_short(const Op& op) const { return op.amount < machine_.eager_limit.si; }
  bool is_eager(const Op& op) const { return (op.modes & TraceStep::kSynchronous) == 0 && is_short(op); }
  bool leaves_at_once(const Op& op) const { return is_eager(op) || (op.modes & TraceStep::kBuffered) != 0; }
  // The first stage of starting a request. SMPI locks mailboxes only if some messages are eager.
  Stage first_stage() const { return machine_.eager_limit.si > 0 ? Stage::kLock : Stage::kPost; }
  int new_message();
  void release(int number);
  void send(int rank, const Op& op);
  void receive(int rank, const Op& op);
  void start(int message);
  void own(int flow, int owner);
  void complete(int rank, std::int64_t number);
  void arrive(int message);
  void compute(int rank, double flops);
  void work(int rank, const flow::Work& work);
  void charge(int rank, const Op& op);
  bool look(int rank, const Op& op);
  void sleep_for(int rank, double seconds) { cores_.sleep(rank, now_ + std::max(seconds, flow::kTimePrecision)); }
  std::string wait_of(int rank);
  [[noreturn]] void fail_stuck();

  const Trace& trace_;
  const Machine& machine_;
  const std::vector<int>& core_of_;
  const Programs programs_;
  flow::MachineFlows flows_;
  flow::Memory* const memory_;
  History* const history_;  // null: not requested
  Traffic* const traffic_;  // null: not requested
  Cores cores_;
  double now_ = 0;
  std::vector<Rank> ranks_;
  std::vector<Request> requests_;  // for each rank a ring, one after another
  std::vector<std::size_t> first_request_, masks_;
  std::vector<Lock> mailboxes_;  // by rank
  Windows windows_;
  std::vector<double> polled_;  // by core: messages for which it polls
  std::vector<KeptRequest> kept_;
  std::vector<int> free_kept_;
  std::vector<Channel> channels_;
  std::vector<Message> messages_;
  std::vector<int> free_messages_;
  std::vector<int> owner_;                  // by flow: its message, or -1 - rank for a work
  std::vector<std::vector<int>> arrivals_;  // by channel: ranks that wait until a message is sent
  Meetings meetings_;
  std::vector<int> woken_, running_;
  long sent_ = 0;
  double bytes_ = 0;
  int left_;
};

Engine::Engine(const Trace& trace, const Machine& machine, const std::vector<int>& cores, const Observers& observers)
    : trace_(trace),
      machine_(machine),
      core_of_(cores),
      programs_(trace),
      flows_(machine, flow::kTimePrecision),
      memory_(flows_.paths().memory()),
      history_(observers.history),
      traffic_(observers.traffic),
      cores_(cores, machine.core_speed.si, flow::kTimePrecision),
      ranks_(cores.size()),
      mailboxes_(cores.size()),
      polled_(machine.topology->cores().size()),
      channels_(static_cast<std::size_t>(programs_.num_channels())),
      meetings_(trace.groups),
      left_(static_cast<int>(cores.size())) {
  for (int r = 0; r < left_; ++r) {
    const Program& p = programs_.of(r);
    of(r).next = p.ops.data();
    of(r).end = p.ops.data() + p.ops.size();
    std::size_t size = 1;
    while (size < static_cast<std::size_t>(p.longest_wait)) size *= 2;
    first_request_.push_back(requests_.size());
    masks_.push_back(size - 1);
    requests_.resize(requests_.size() + size);
    wake(r);
  }
  if (traffic_ != nullptr) traffic_->begin(machine, cores, flows_);
  if (history_ == nullptr) return;
  std::vector<std::size_t> waits;
  for (const std::size_t mask : masks_) waits.push_back(mask + 1);
  history_->begin(trace.groups, waits);
}

Replayed Engine::run() {
  for (;;) {
    while (!woken_.empty()) {
      running_.swap(woken_);
      woken_.clear();
      for (const int rank : running_) go_on(rank);
    }
    if (left_ == 0) break;
    const double by_cores = cores_.until_next(now_), by_flows = flows_.flows().until_next(now_);
    double step = by_cores;
    if ((step < 0 || by_flows < step) && by_flows >= 0) step = by_flows;
    if (step < 0) fail_stuck();
    now_ += step;
    cores_.advance(now_, [this](int rank) { wake(rank); });
    flows_.advance(now_, [this](int id) {
      const int owner = owner_[static_cast<std::size_t>(id)];
      if (owner < 0) {
        wake(-1 - owner);
      } else {
        arrive(owner);
      }
    });
  }
  if (traffic_ != nullptr) traffic_->end();
  Replayed result{.ended = {}, .simulated_time = 0, .messages = sent_, .bytes = bytes_};
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
void Engine::go_on(int rank) {
  Rank& r = of(rank);
  if (history_ != nullptr && r.awaited == 0) history_->go_on(rank, now_);
  if (r.awaited == 0 && r.acknowledged_s > 0) {
    const double left_s = std::exchange(r.acknowledged_s, 0) - now_;
    if (left_s > 0) {
      if (history_ != nullptr) history_->work(rank, {.kind = Kind::kSleep, .amount = left_s}, Lock::kNobody, now_);
      return sleep_for(rank, left_s);
    }
  }
  if (r.posting != nullptr) return go_on_starting(rank);
  if (r.awaited > 0) return go_on_waiting(rank);
  if (r.one_sided != nullptr && !go_on_one_sided(rank)) return;
  while (const Op* op = upcoming(r)) {
    ++r.next;
    if (!take(rank, *op)) return;
  }
  r.over = true;
  r.ended = now_;
  --left_;
  if (history_ != nullptr) history_->end(rank, now_);
}

// Returns whether the rank continues immediately.
bool Engine::take(int rank, const Op& op) {
  Rank& r = of(rank);
  switch (op.kind) {
    case Kind::kSend: {
      const int to = receiver(rank, op);
      // SMPI charges the overhead if the sender continues before the receiver is ready.
      const bool goes_on = leaves_at_once(op) || (op.modes & (TraceStep::kImmediate | TraceStep::kSynchronous)) != 0;
      const double overhead_s = goes_on ? flows_.paths().send_overhead(core(rank), core(to), op.amount) : 0;
      r.posting = &op;
      r.stage = first_stage();
      if (overhead_s > 0) {
        if (history_ != nullptr) history_->work(rank, {.kind = Kind::kSend, .amount = op.amount}, to, now_);
        sleep_for(rank, overhead_s);
      } else {
        go_on_starting(rank);
      }
      return false;
    }
    case Kind::kReceive:
      r.posting = &op;
      r.stage = first_stage();
      go_on_starting(rank);
      return false;
    case Kind::kWait:
      return wait(rank, op);
    case Kind::kArrival: {
      const int channel = programs_.in(rank, op.lane);
      const Channel::Slot& slot = channels_[static_cast<std::size_t>(channel)].next(op.passed);
      if (slot.sent) {
        if (history_ != nullptr) history_->probe(rank, slot.message, now_);
        return true;
      }
      if (history_ != nullptr) history_->look(rank, now_);
      if (arrivals_.empty()) arrivals_.resize(channels_.size());
      arrivals_[static_cast<std::size_t>(channel)].push_back(rank);
      --r.next;  // to look again
      return false;
    }
    case Kind::kSleep:
      if (op.amount <= 0) return true;
      if (history_ != nullptr) history_->work(rank, {.kind = Kind::kSleep, .amount = op.amount}, Lock::kNobody, now_);
      sleep_for(rank, op.amount);
      return false;
    case Kind::kWorkingSet:
      r.working_set = op.amount;
      return true;
    case Kind::kMeet: {
      const std::vector<int> all = meetings_.meet(op.number, rank);
      if (history_ != nullptr) history_->come(rank, op.number, !all.empty(), now_);
      for (const int member : all) wake(member);
      return false;
    }
    case Kind::kReadClock:
      if (history_ != nullptr) history_->read_clock(rank, op.number, now_);
      meetings_.read_clock(op.number, rank, now_);
      return true;
    case Kind::kStartTogether: {
      const double wait_s = meetings_.start_of(op.number, rank) - now_;
      if (history_ != nullptr) history_->start_together(rank, op.number, now_);
      if (wait_s > 0) {
        sleep_for(rank, wait_s);
      } else {
        wake(rank);
      }
      return false;
    }
    case Kind::kPut:
    case Kind::kGet:
    case Kind::kAccumulate:
    case Kind::kFlush:
    case Kind::kFlushOne:
      r.one_sided = &op;
      r.parts = parts_of(op.kind, (op.modes & TraceStep::kHeld) != 0);
      return go_on_one_sided(rank);
    case Kind::kPoll:
      polled_[static_cast<std::size_t>(core(rank))] += op.amount;
      return true;
    case Kind::kPolled:
      polled_[static_cast<std::size_t>(core(rank))] -= op.amount;
      return true;
    case Kind::kLook:
      return look(rank, op);
    case Kind::kLock:
      lock(named_lock(rank, op), rank);
      return false;
    case Kind::kUnlock:
      unlock(named_lock(rank, op), rank);
      return false;
    case Kind::kCall:
      if (history_ != nullptr) history_->call(rank, op.number, now_);
      return true;
    case Kind::kRepeat:
      return true;
    default:
      charge(rank, op);
      return false;
  }
}

// --- waits ---

// Waits for one request or, if the step has kMore, for all consecutive ones; a loop may end between two of them. Like
// Request::waitall: the simulator's kernel reports one completed request at a time.
bool Engine::wait(int rank, const Op& op) {
  Rank& r = of(rank);
  const Op* o = &op;
  for (;;) {
    const std::int64_t number = r.started - o->number;
    Request& q = request(rank, number);
    if (q.number == number && !q.left_at_once) {
      ++r.awaited;
      if (history_ != nullptr) history_->wait(rank, number, now_);
      if (q.done) {
        ++r.complete;
        r.acknowledged_s = std::max(r.acknowledged_s, q.acknowledged_s);
      } else {
        q.awaited = true;
        r.waits_for = number;
      }
    }
    if ((o->modes & TraceStep::kMore) == 0) break;
    const Op* following = upcoming(r);
    if (following == nullptr || following->kind != Kind::kWait) break;
    o = following;
    ++r.next;
  }
  if (r.awaited == 0) return true;
  go_on_waiting(rank);
  return false;
}

void Engine::go_on_waiting(int rank) {
  Rank& r = of(rank);
  if (r.complete > 0) {
    --r.complete;
    --r.awaited;
    wake(rank);
  } else {
    r.waits = true;
  }
}

// --- locks ---

// The rank continues when it has the lock. Each call is a call of the simulator's kernel.
void Engine::lock(Lock& lock, int rank) {
  if (lock.owner == Lock::kNobody) {
    lock.owner = rank;
    return wake(rank);
  }
  (lock.first_waiting == Lock::kNobody ? lock.first_waiting : of(lock.last_waiting).behind) = rank;
  lock.last_waiting = rank;
}

void Engine::unlock(Lock& lock, int rank) {
  if (lock.owner != rank)
    throw InputError("trace", fmt::format("rank {} unlocks what it has not locked", rank), "record it again");
  lock.owner = lock.first_waiting;
  if (lock.owner != Lock::kNobody) {
    lock.first_waiting = std::exchange(of(lock.owner).behind, Lock::kNobody);
    wake(lock.owner);
  }
  wake(rank);
}

Lock& Engine::named_lock(int rank, const Op& op) {
  Window& window = windows_.of(peer(rank, op.lane), op.number / 2);
  return op.number % 2 == 0 ? window.access : window.atomic;
}

// --- one-sided ---

// Returns whether the rank continues immediately.
bool Engine::go_on_one_sided(int rank) {
  Rank& r = of(rank);
  while (!r.parts.empty()) {
    const Part part = r.parts.front();
    r.parts = r.parts.subspan(1);
    if (!take_part(rank, part)) return false;
  }
  r.one_sided = nullptr;
  return true;
}

bool Engine::take_part(int rank, Part part) {
  Rank& r = of(rank);
  const Op& op = *r.one_sided;
  const int other = peer(rank, op.lane);
  const bool gets = op.kind == Kind::kGet, flushes = op.kind == Kind::kFlush || op.kind == Kind::kFlushOne;
  Lock& mailbox = mailboxes_[static_cast<std::size_t>(gets ? rank : other)];
  const auto window_of_peer = [&]() -> Window& { return windows_.of(other, flushes ? op.number : op.passed); };
  switch (part) {
    case Part::kOverhead: {
      const int from = gets ? other : rank, to = gets ? rank : other;
      const double overhead_s = flows_.paths().send_overhead(core(from), core(to), op.amount);
      if (overhead_s <= 0) return true;
      sleep_for(rank, overhead_s);
      return false;
    }
    case Part::kLockMailbox:
      lock(mailbox, rank);
      return false;
    case Part::kUnlockMailbox:
      unlock(mailbox, rank);
      return false;
    case Part::kLook:
      wake(rank);
      return false;
    case Part::kSend:
      send_one_sided(rank, op);
      wake(rank);
      return false;
    case Part::kReceive:
      receive_one_sided(rank, op);
      wake(rank);
      return false;
    case Part::kLockOwn:
      lock(windows_.of(rank, op.number).keeping, rank);
      return false;
    case Part::kUnlockOwn:
      unlock(windows_.of(rank, op.number).keeping, rank);
      return false;
    case Part::kLockPeer:
      lock(window_of_peer().keeping, rank);
      return false;
    case Part::kUnlockPeer:
      unlock(window_of_peer().keeping, rank);
      return false;
    case Part::kKeep: {
      Window& window = gets ? windows_.of(rank, op.number) : window_of_peer();
      window.kept.push_back({.from = gets ? other : rank, .to = gets ? rank : other, .request = r.kept});
      return true;
    }
    case Part::kWait:
      return wait_for_kept(rank, op);
  }
  return true;
}

void Engine::send_one_sided(int rank, const Op& op) {
  Rank& r = of(rank);
  const bool gets = op.kind == Kind::kGet;
  const int other = peer(rank, op.lane);
  r.message = new_message();
  messages_[static_cast<std::size_t>(r.message)] = {
      .from = gets ? other : rank, .to = gets ? rank : other, .bytes = op.amount, .eager = true};
  ++sent_;
  bytes_ += op.amount;
  start(r.message);
  if (gets || (op.modes & TraceStep::kHeld) == 0) return;
  const std::int64_t sending = r.started++;
  request(rank, sending) = {.number = sending, .done = true, .left_at_once = true};
}

void Engine::receive_one_sided(int rank, const Op& op) {
  Rank& r = of(rank);
  Message& m = messages_[static_cast<std::size_t>(r.message)];
  const bool done = m.arrived || nearly_there(m);
  if (op.kind == Kind::kGet && (op.modes & TraceStep::kHeld) != 0) {
    const std::int64_t receiving = r.started++;
    request(rank, receiving) = {.number = receiving, .done = done};
    m.receiving = receiving;
  } else {
    if (free_kept_.empty()) {
      free_kept_.push_back(static_cast<int>(kept_.size()));
      kept_.emplace_back();
    }
    r.kept = free_kept_.back();
    free_kept_.pop_back();
    kept_[static_cast<std::size_t>(r.kept)] = {.done = done};
    m.kept = done ? Message::kKeptNoMore : r.kept;
  }
  if (m.arrived) release(r.message);
}

// Like Request::waitall, which SMPI calls with the requests that the window keeps.
bool Engine::wait_for_kept(int rank, const Op& op) {
  Rank& r = of(rank);
  const int only = op.kind == Kind::kFlushOne ? peer(rank, op.passed) : Lock::kNobody;
  std::erase_if(windows_.of(peer(rank, op.lane), op.number).kept, [&](const Kept& k) {
    if (only != Lock::kNobody && k.from != only && k.to != only) return false;
    KeptRequest& q = kept_[static_cast<std::size_t>(k.request)];
    ++r.awaited;
    if (q.done) {
      ++r.complete;
      free_kept_.push_back(k.request);
    } else {
      q.waiter = rank;
      r.waits_for = kOneOfAWindow;
    }
    return true;
  });
  if (r.awaited == 0) return true;
  go_on_waiting(rank);
  return false;
}

void Engine::complete_kept(int number) {
  KeptRequest& q = kept_[static_cast<std::size_t>(number)];
  q.done = true;
  if (q.waiter == Lock::kNobody) return;
  free_kept_.push_back(number);
  tell(q.waiter);
}

// --- messages ---

// Like Request::start (src/smpi/mpi/smpi_request.cpp of SimGrid 3.32): each stage is a call of the simulator's kernel,
// during which the other ranks continue.
void Engine::go_on_starting(int rank) {
  Rank& r = of(rank);
  const Op& op = *r.posting;
  const bool sends = op.kind == Kind::kSend;
  Lock& mailbox = mailboxes_[static_cast<std::size_t>(sends ? receiver(rank, op) : rank)];
  switch (r.stage) {
    case Stage::kLock:
      r.stage = sends && !is_short(op) ? Stage::kPost : Stage::kLook;
      return lock(mailbox, rank);
    case Stage::kLook: {
      // A receive first looks for an eager message and, if it is short and finds none, for any other. A short send
      // looks for its receive, twice if it is synchronous.
      const bool again =
          sends ? (op.modes & TraceStep::kSynchronous) != 0 : is_short(op) && !eager_one_is_there(rank, op);
      r.stage = again ? Stage::kLookAgain : Stage::kPost;
      return wake(rank);
    }
    case Stage::kLookAgain:
      r.stage = Stage::kPost;
      return wake(rank);
    case Stage::kPost:
      sends ? send(rank, op) : receive(rank, op);
      if (first_stage() == Stage::kLock) {
        r.stage = Stage::kUnlock;
      } else {
        r.posting = nullptr;
      }
      return wake(rank);
    case Stage::kUnlock:
      r.posting = nullptr;
      return unlock(mailbox, rank);
  }
}

bool Engine::eager_one_is_there(int rank, const Op& op) {
  const Channel::Slot& slot = channels_[static_cast<std::size_t>(programs_.in(rank, op.lane))].next(op.passed);
  return slot.sent && messages_[static_cast<std::size_t>(slot.message)].eager;
}

int Engine::new_message() {
  if (free_messages_.empty()) {
    messages_.emplace_back();
    return static_cast<int>(messages_.size()) - 1;
  }
  const int number = free_messages_.back();
  free_messages_.pop_back();
  return number;
}

void Engine::release(int number) {
  messages_[static_cast<std::size_t>(number)] = {};
  free_messages_.push_back(number);
}

void Engine::send(int rank, const Op& op) {
  Rank& r = of(rank);
  const int channel_number = programs_.out(rank, op.lane);
  Channel& channel = channels_[static_cast<std::size_t>(channel_number)];
  const int to = receiver(rank, op);
  Channel::Slot& slot = channel.send();
  if (!slot.claimed) slot.message = new_message();
  const int number = slot.message;
  const bool claimed = slot.claimed;
  channel.forget();
  Message& m = messages_[static_cast<std::size_t>(number)];
  m.from = rank;
  m.to = to;
  m.bytes = op.amount;
  m.eager = is_eager(op);
  m.sent_s = now_;
  m.acknowledgement_s =
      (op.modes & TraceStep::kSynchronous) != 0 && is_short(op) ? flows_.paths().latency(core(to), core(rank)) : 0;
  const std::int64_t sending = r.started++;
  Request& q = request(rank, sending);
  q = {.number = sending, .done = leaves_at_once(op), .left_at_once = leaves_at_once(op)};
  if (!q.done) m.sending = sending;
  ++sent_;
  bytes_ += op.amount;
  if (traffic_ != nullptr) traffic_->sent(rank, to, op.amount);
  if (history_ != nullptr) {
    history_->send(rank, sending, number, claimed,
                   {.from = rank, .to = to, .tag = op.number, .eager = m.eager, .bytes = op.amount}, now_);
  }
  if (m.eager || claimed) start(number);
  if (!arrivals_.empty()) {
    for (const int waiting : arrivals_[static_cast<std::size_t>(channel_number)]) wake(waiting);
    arrivals_[static_cast<std::size_t>(channel_number)].clear();
  }
}

void Engine::receive(int rank, const Op& op) {
  Rank& r = of(rank);
  Channel& channel = channels_[static_cast<std::size_t>(programs_.in(rank, op.lane))];
  Channel::Slot& slot = channel.claim(op.passed);
  if (!slot.sent) slot.message = new_message();
  const int number = slot.message;
  const bool sent = slot.sent;
  channel.forget();
  Message& m = messages_[static_cast<std::size_t>(number)];
  const std::int64_t receiving = r.started++;
  const bool nearly = nearly_there(m);
  request(rank, receiving) = {.number = receiving, .done = m.arrived || nearly};
  if (history_ != nullptr) history_->receive(rank, receiving, number, sent, nearly, now_);
  m.receiving = receiving;
  if (!sent) {
    m.from = sender(rank, op);
    m.to = rank;
    m.bytes = op.amount;
  }
  if (m.arrived) {
    release(number);
  } else if (sent && !m.eager) {
    start(number);
  }
}

// SimGrid checks how much of an eager message is still to come, and takes the message if that is almost zero
// (CommImpl::irecv). The check also rounds the remaining bytes.
bool Engine::nearly_there(const Message& m) {
  return m.eager && m.flow >= 0 && !m.arrived && flows_.flows().remains(m.flow, now_) < kNearlyNothing;
}

// Called when both sides are ready, or when an eager message is sent.
void Engine::start(int number) {
  Message& m = messages_[static_cast<std::size_t>(number)];
  m.started_s = now_;
  const double delay_s = history_ == nullptr ? 0 : history_->start(number, now_);
  m.flow = flows_.start_message(core(m.from), core(m.to), m.bytes, now_, -1, delay_s);
  own(m.flow, number);
}

void Engine::own(int flow, int owner) {
  const auto id = static_cast<std::size_t>(flow);
  if (owner_.size() <= id) owner_.resize(id + 1);
  owner_[id] = owner;
}

void Engine::arrive(int number) {
  Message& m = messages_[static_cast<std::size_t>(number)];
  m.arrived = true;
  if (history_ != nullptr) history_->arrive(number, now_);
  if (m.sending != kNoRequest && m.acknowledgement_s > 0) {
    Request& q = request(m.from, m.sending);
    if (q.number == m.sending)
      q.acknowledged_s = now_ + acknowledgement_after_arrival(m.acknowledgement_s, m.started_s - m.sent_s);
  }
  if (m.sending != kNoRequest) complete(m.from, m.sending);
  if (m.kept >= 0) complete_kept(m.kept);
  if (m.receiving != kNoRequest) complete(m.to, m.receiving);
  // An eager message may arrive before its receive is posted.
  if (m.kept != Message::kNotKept || m.receiving != kNoRequest) release(number);
}

void Engine::complete(int rank, std::int64_t number) {
  Request& q = request(rank, number);
  if (q.number != number) return;  // the program did not wait for it, and its slot was needed
  q.done = true;
  if (!q.awaited) return;
  q.awaited = false;
  of(rank).acknowledged_s = std::max(of(rank).acknowledged_s, q.acknowledged_s);
  tell(rank);
}

// Called when a request that the rank waits for has completed.
void Engine::tell(int rank) {
  Rank& r = of(rank);
  if (!r.waits) {
    ++r.complete;
    return;
  }
  r.waits = false;
  --r.awaited;
  wake(rank);
}

// --- computation ---

void Engine::compute(int rank, double flops) {
  if (flops <= 0) return wake(rank);
  cores_.compute(rank, flops, now_);
}

void Engine::work(int rank, const flow::Work& work) {
  if (work.amount <= 0) return wake(rank);
  own(flows_.start_work(work, now_), -1 - rank);
}

void Engine::charge(int rank, const Op& op) {
  Charge c{.kind = op.kind, .amount = op.amount, .moved = op.moved};
  if (op.kind == Kind::kWork || op.kind == Kind::kStream)
    c.working_set = std::exchange(of(rank).working_set, kNoWorkingSet);
  if (history_ != nullptr) history_->work(rank, c, Lock::kNobody, now_);
  const Price p = price(machine_, memory_, core(rank), c);
  if (p.work != nullptr) {
    work(rank, *p.work);
  } else {
    compute(rank, p.flops);
  }
}

// As in mpi_ext/adapter/polling_smpi.cc. Returns whether the rank continues immediately.
bool Engine::look(int rank, const Op& op) {
  double& polled = polled_[static_cast<std::size_t>(core(rank))];
  const double looks_s = machine_.polling && machine_.polling->si > 0 ? machine_.polling->si * polled : -1;
  polled -= op.amount;
  if (looks_s < 0) return true;
  charge(rank, {.kind = Kind::kSeconds, .amount = looks_s});
  return false;
}

// --- deadlock ---

// "for rank 3 (send of 8 B)".
std::string Engine::wait_of(int rank) {
  const Rank& r = of(rank);
  if (!r.waits) return "at a barrier, a lock or a probe";
  for (const Message& m : messages_) {
    if (m.from == rank && m.sending == r.waits_for) return fmt::format("for rank {} (send of {:.0f} B)", m.to, m.bytes);
    if (m.to == rank && m.receiving == r.waits_for)
      return fmt::format("for rank {} (receive of up to {:.0f} B)", m.from, m.bytes);
  }
  return "for a request";
}

void Engine::fail_stuck() {
  std::string waiting;
  std::size_t count = 0;
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    const Rank& r = ranks_[i];
    if (r.over) continue;
    if (++count > kMostNamed) continue;
    waiting += fmt::format("{}rank {} waits {}", waiting.empty() ? "" : ", ", i, wait_of(static_cast<int>(i)));
  }
  throw InputError("trace",
                   fmt::format("no rank can go on: {}{}", waiting,
                               count > kMostNamed ? fmt::format(" and {} more", count - kMostNamed) : ""),
                   "the program deadlocks, or it did when it was recorded");
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

Replayed replay(const Trace& trace, const Machine& machine, const std::vector<int>& cores, const Observers& observers) {
  if (!trace.not_recorded.empty()) {
    throw InputError(
        "trace", fmt::format("the program calls {}, which a trace does not hold", fmt::join(trace.not_recorded, ", ")),
        "simulate it on each machine: strata exec");
  }
  if (observers.history != nullptr && has_one_sided(trace)) {
    throw InputError("trace", "has one-sided communication, whose waits have no history",
                     "leave out what asks for the program's critical path, sensitivity or timeline");
  }
  return Engine(trace, machine, cores, observers).run();
}

}  // namespace strata::replay
