// SPDX-License-Identifier: LGPL-2.1-only
#include "native/coordinator/coordinator.h"

#include <algorithm>
#include <cstring>
#include <thread>

#include "native/board/function_names.h"
#include "native/coordinator/one_sided_memory.h"

namespace strata::native {
namespace {

// Ranks may wait for the launcher's server, which has no events here. Before they count as stuck, they look again this
// often, after 10 ms each: 0.1 s, and 10 s in functions that start or connect jobs. The first times they look at once:
// a library may need more passes than it got, for example in MPI_Comm_dup of MPI_COMM_SELF.
constexpr int kPatience = 10, kMorePatience = 1000;
constexpr int kLooksAtOnce = 4;
constexpr timespec kPause = {0, 10'000'000};

// The time in serve() before the launcher gets its turn.
constexpr int kStepsAtOnce = 1000;
// At a rank that runs, before this process sleeps: some 30 us.
constexpr int kLooks = 1000;

}  // namespace

Coordinator::Coordinator(Board& board, VirtualTime& time)
    : board_(board),
      time_(time),
      first_ranks_(static_cast<int>(board.ranks)),
      known_(first_ranks_),
      starts_(board.capacity),
      finishes_(board.capacity),
      gone_(board.capacity),
      real_(board.capacity),
      processors_(std::thread::hardware_concurrency()) {}

void Coordinator::serve(double limit_s) {
  if (board_.is_virtual == 0 || !all_are_blocked()) sleep_until_called(limit_s);
  if (board_.is_virtual == 0) return serve_real();
  for (int i = 0; i < kStepsAtOnce && board_.is_virtual != 0 && !stuck_ && all_are_blocked(); ++i) step();
}

void Coordinator::sleep_until_called(double limit_s) {
  std::uint32_t quiet = kQuiet;
  if (board_.attention.compare_exchange_strong(quiet, kAsleep, std::memory_order_acq_rel)) {
    const timespec limit = to_timespec(limit_s);
    sleep_while(board_.attention, kAsleep, &limit);
  }
  board_.attention.store(kQuiet, std::memory_order_release);
}

// Ranks mostly block again after some microseconds, sooner than this process could fall asleep and be woken. If each of
// those that run has a processor of its own, there is one left to wait on.
bool Coordinator::all_are_blocked() const {
  if (ran_.size() < processors_) {
    for (int i = 0; i < kLooks && board_.running.load(std::memory_order_acquire) != 0; ++i) __builtin_ia32_pause();
  }
  return board_.running.load(std::memory_order_acquire) == 0;
}

void Coordinator::gone(int rank) {
  const auto r = static_cast<std::size_t>(rank);
  if (gone_[r]) return;
  if (board_.is_virtual != 0) take_new_ranks();
  gone_[r] = true;
  Slot& slot = board_.slot(rank);
  const auto was = static_cast<State>(slot.state.exchange(static_cast<std::uint32_t>(State::kGone)));
  if (board_.is_virtual == 0) return;
  take_posts(rank);
  time_.end(rank, slot.busy_s);
  std::erase(ran_, rank);
  if (was == State::kRunning && board_.running.fetch_sub(1) == 1) board_.attention.store(kCalled);
}

// --- virtual time ---

void Coordinator::take_posts(int rank) {
  Slot& slot = board_.slot(rank);
  if (!slot.posted.empty()) patience_ = 0;  // it has come further, if only to another function
  while (!slot.posted.empty()) time_.post(rank, slot.posted.take());
}

// MPI_Comm_spawn has added some. They run from then on, so time has stood still.
void Coordinator::take_new_ranks() {
  for (; known_ < ranks(); ++known_) {
    time_.add_rank(board_.slot(known_).core);
    ran_.push_back(known_);
  }
}

// A job that ranks have started, and that has disconnected, ends when all of its ranks are in MPI_Finalize.
void Coordinator::let_jobs_leave() {
  for (int first = first_ranks_, end = first; first < known_; first = end) {
    bool all = true;
    for (; end < known_ && std::strcmp(board_.slot(end).job, board_.slot(first).job) == 0; ++end)
      all = all && (gone_[end] || (finishes_[end] && board_.slot(end).may_leave != 0));
    for (int r = first; r < end && all; ++r) {
      if (gone_[r]) continue;
      gone_[r] = true;
      time_.end(r, 0);
      Slot& slot = board_.slot(r);
      slot.has_left = 1;
      slot.state.store(static_cast<std::uint32_t>(State::kRunning), std::memory_order_release);
      wake(slot.state);
    }
  }
}

void Coordinator::step() {
  take_new_ranks();
  for (const int rank : ran_) {
    Slot& slot = board_.slot(rank);
    take_posts(rank);
    time_.block(rank, {.block = slot.block,
                       .seconds = slot.seconds,
                       .busy_s = slot.busy_s,
                       .key = slot.key,
                       .participants = slot.participants,
                       .receives = {slot.open_receives, slot.open},
                       .completions = slot.completions});
    slot.busy_s = 0;
    finishes_[rank] = slot.block == Block::kFinish;
    if (slot.block != Block::kMessage) patience_ = 0;
  }
  ran_.clear();
  let_jobs_leave();
  ++steps_;
  if (time_.advance()) {
    patience_ = 0;
    return let_run(time_.continuing());
  }
  bool all_finish = true;
  for (int r = 0; r < ranks(); ++r) {
    all_finish = all_finish && (finishes_[r] || gone_[r]);
  }
  all_finish ? finish() : wait_for_others();
}

void Coordinator::let_run(const std::vector<int>& ranks) {
  for (const int rank : ranks) deliver(rank);
  ran_ = ranks;
  board_.running.store(static_cast<std::uint32_t>(ranks.size()), std::memory_order_release);
  for (const int rank : ranks) {
    Slot& slot = board_.slot(rank);
    slot.state.store(static_cast<std::uint32_t>(State::kRunning), std::memory_order_release);
    wake(slot.state);
  }
}

void Coordinator::deliver(int rank) {
  Slot& slot = board_.slot(rank);
  std::deque<Message>& delivered = time_.delivered(rank);
  for (; !delivered.empty() && !slot.delivered.full(); delivered.pop_front()) slot.delivered.add(delivered.front());
  slot.clock_s = time_.clock(rank);
}

// Every rank is in MPI_Finalize, and nothing is under way.
void Coordinator::finish() {
  std::vector<int> all;
  for (int r = 0; r < ranks(); ++r) {
    if (gone_[r]) continue;
    time_.end(r, 0);
    std::deque<Message>& delivered = time_.delivered(r);
    for (; !delivered.empty(); delivered.pop_front()) real_[r].push_back(delivered.front());
    all.push_back(r);
  }
  time_.advance();  // the ends
  board_.is_virtual = 0;
  let_run(all);
  ran_.clear();
}

bool Coordinator::may_wait_for_launcher() const {
  for (int r = 0; r < ranks(); ++r) {
    if (!gone_[r] && connects_jobs(board_.slots[r].call.function)) return true;
  }
  return false;
}

void Coordinator::wait_for_others() {
  if (patience_++ >= (may_wait_for_launcher() ? kMorePatience : kPatience) + kLooksAtOnce) {
    stuck_ = true;
    return;
  }
  if (patience_ > kLooksAtOnce) ::nanosleep(&kPause, nullptr);
  std::vector<int> all;
  for (int r = 0; r < ranks(); ++r) {
    if (!gone_[r] && board_.slots[r].block == Block::kMessage) all.push_back(r);
  }
  if (all.empty()) {
    stuck_ = true;
    return;
  }
  let_run(all);
}

// --- real time ---

void Coordinator::serve_real() {
  std::uint32_t blocked = static_cast<std::uint32_t>(State::kBlocked);
  int joined = 0;
  for (int r = 0; r < ranks(); ++r) {
    Slot& slot = board_.slot(r);
    blocked = static_cast<std::uint32_t>(State::kBlocked);
    // From now on the slot is ours, until its state changes again.
    if (slot.state.load(std::memory_order_acquire) == blocked &&
        slot.state.compare_exchange_strong(blocked, static_cast<std::uint32_t>(State::kServed),
                                           std::memory_order_acquire)) {
      while (!slot.posted.empty()) real_post(r, slot.posted.take());
      if (slot.block == Block::kStart) starts_[r] = true;
    }
    joined += starts_[r] ? 1 : 0;
  }
  for (int r = 0; r < ranks(); ++r) {
    Slot& slot = board_.slot(r);
    if (state(r) != State::kServed || (starts_[r] && !started_)) continue;
    std::deque<Message>& delivered = real_[r];
    const bool has_news = !delivered.empty() || slot.block == Block::kClock;
    for (; !delivered.empty() && !slot.delivered.full(); delivered.pop_front()) slot.delivered.add(delivered.front());
    slot.state.store(static_cast<std::uint32_t>(has_news ? State::kRunning : State::kBlocked),
                     std::memory_order_release);
    if (has_news) wake(slot.state);
  }
  if (started_ || joined < ranks()) return;
  started_ = true;
  std::vector<int> all;
  for (int r = 0; r < ranks(); ++r) {
    // Messages that arrived while the rank waited here.
    for (Message& m : real_[r]) time_.delivered(r).push_back(m);
    real_[r].clear();
    board_.slot(r).busy_s = 0;
    if (!gone_[r]) all.push_back(r);
  }
  board_.is_virtual = 1;
  let_run(all);
}

// As VirtualTime, without time.
void Coordinator::real_post(int rank, const Message& m) {
  Message delivered = m;
  delivered.peer = rank;
  const auto to = static_cast<std::size_t>(m.peer);
  const auto from = static_cast<std::size_t>(rank);
  switch (m.kind) {
    case Kind::kEager:
    case Kind::kActive:
    case Kind::kOffer:
      return real_[to].push_back(delivered);
    case Kind::kFetch:
      delivered.kind = Kind::kFetched;
      real_[from].push_back(delivered);
      delivered.kind = Kind::kTaken;
      delivered.worker = m.sender_worker;
      return real_[to].push_back(delivered);
    case Kind::kPut:
    case Kind::kGet:
    case Kind::kAtomic:
      perform_one_sided(board_, rank, m);
      delivered.kind = Kind::kDone;
      return real_[from].push_back(delivered);
    default:
      return;
  }
}

}  // namespace strata::native
