// SPDX-License-Identifier: LGPL-2.1-only
#include "native/rank/process.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "native/rank/real_clock.h"
#include "native/rank/thread_calls.h"
#include "native/rank/turns.h"

namespace strata::native {
namespace {

Board* the_board = nullptr;
int rank_here = -1;
bool claimed = false;
// A rank that another one has started is in real time first, while all others wait for it, and may be so again at its
// end.
bool joined = true, left = false;
// The rank's time is slot().clock_s, plus what it has posted and computed since then. Only the coordinator knows the
// costs of sends.
double posted_s = 0;
bool has_unknown_cost = false;

// Before threads take turns (turns.h): one waits for the rank; the others wait for that thread.
std::atomic<std::uint32_t> waiting{0}, waits_ended{0};

// After a fork, the parent remains the rank.
void forget() {
  the_board = nullptr;
  claimed = false;
}

__attribute__((constructor)) void attach() {
  const char* const file = std::getenv(kBoardVariable);
  const char* const bytes = std::getenv(kBoardSizeVariable);
  const char* const rank = std::getenv(kRankVariable);
  if (file == nullptr || bytes == nullptr || rank == nullptr) return;
  void* const memory =
      ::mmap(nullptr, std::strtoull(bytes, nullptr, 10), PROT_READ | PROT_WRITE, MAP_SHARED, std::atoi(file), 0);
  if (memory == MAP_FAILED) return;  // a program that was started by a rank, without its open files
  auto* const board = static_cast<Board*>(memory);
  rank_here = std::atoi(rank);
  if (board->version != Board::kVersion || rank_here < 0 || rank_here >= static_cast<int>(board->ranks)) return;
  the_board = board;
  joined = slot().is_spawned == 0;
  ::pthread_atfork(nullptr, nullptr, forget);
}

void set_state(State state) { slot().state.store(static_cast<std::uint32_t>(state), std::memory_order_release); }

bool runs() { return slot().state.load(std::memory_order_acquire) == static_cast<std::uint32_t>(State::kRunning); }

void sleep_until_running() {
  for (std::uint32_t state;
       (state = slot().state.load(std::memory_order_acquire)) != static_cast<std::uint32_t>(State::kRunning);)
    sleep_while(slot().state, state);
}

// Nothing here waits for the rank's messages yet.
void pause_before_joining() { real_sleep({0, 1'000'000}); }

// While time is real, a rank looks again after a while, because it may wait for something else than messages: for the
// launcher's server, which answers to another thread. The pause grows, so that 1,000 ranks do not keep the processor.
void wait_in_real_time() {
  static long pause_ns = 200'000;
  constexpr long kLongest = 20'000'000;
  const timespec limit = {0, pause_ns};
  std::uint32_t state = slot().state.load(std::memory_order_acquire);
  if (state != static_cast<std::uint32_t>(State::kRunning)) sleep_while(slot().state, state, &limit);
  if (runs()) {
    pause_ns = 200'000;
    return;
  }
  pause_ns = pause_ns * 2 < kLongest ? pause_ns * 2 : kLongest;
  for (;;) {
    std::uint32_t blocked = static_cast<std::uint32_t>(State::kBlocked);
    if (slot().state.compare_exchange_strong(blocked, static_cast<std::uint32_t>(State::kRunning))) return;
    if (runs()) return;
    ::sched_yield();  // the coordinator looks at the slot
  }
}

}  // namespace

void block(Block what, double seconds, const Needed& needed) {
  if (!joined) return pause_before_joining();
  const KeepsTurn keeps;
  Slot& mine = slot();
  mine.block = what;
  mine.seconds = seconds;
  mine.open = needed.open;
  mine.completions = needed.completions;
  const bool real = board().is_virtual == 0;
  set_state(State::kBlocked);
  if (real) {
    call_coordinator(board());
    what == Block::kReal ? wait_in_real_time() : sleep_until_running();
    return;
  }
  posted_s = 0;
  has_unknown_cost = false;
  if (board().running.fetch_sub(1, std::memory_order_acq_rel) == 1) call_coordinator(board());
  sleep_until_running();
}

bool attached() { return the_board != nullptr; }
Board& board() { return *the_board; }
int my_rank() { return rank_here; }
Slot& slot() { return the_board->slot(rank_here); }
bool is_mpich() { return slot().tags == MessageTags::kMpich; }

void claim() {
  if (!attached() || claimed) return;
  claimed = true;
  slot().pid = ::getpid();
  // Receivers read long messages from their sender's memory.
  ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
}

bool is_virtual() { return claimed && joined && the_board != nullptr && the_board->is_virtual != 0; }

bool has_joined() { return joined; }
void join() { joined = !left; }
void leave() {
  joined = false;
  left = true;
}

bool is_recorded() { return is_virtual() && board().is_recorded != 0; }

Lock::Lock() {
  take_turn();
  if (takes_turns()) return;
  lock_mutex(&mutex());
  is_locked_ = true;
}

pthread_mutex_t& Lock::mutex() {
  static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  return mutex;
}

void post(Message message) {
  join();
  if (slot().posted.full()) wait_for(board().is_virtual != 0 ? Block::kClock : Block::kReal);
  if (slot().posted.full()) fail("messages cannot be posted");
  message.busy_s = slot().busy_s;
  slot().busy_s = 0;
  posted_s += message.busy_s;
  if (message.kind != Kind::kEnter && message.kind != Kind::kLeave) has_unknown_cost = true;
  slot().posted.add(message);
}

void compute(double seconds) { slot().busy_s += seconds; }

double clock_seen() { return slot().clock_s + posted_s + slot().busy_s; }

double clock_now() {
  if (has_unknown_cost) wait_for(Block::kClock);
  return clock_seen();
}

void wait_for(Block what, double seconds, const Needed& needed) {
  take_turn();
  // Only for messages and times do several threads wait side by side.
  const bool side_by_side =
      what == Block::kMessage || what == Block::kPoll || what == Block::kSleep || what == Block::kFinish;
  if (takes_turns()) return side_by_side ? wait_in_turn(what, seconds) : block(what, seconds);
  const std::uint32_t ended = waits_ended.load();
  if (waiting.exchange(1) != 0) {
    const timespec limit = {0, 1'000'000};
    sleep_while(waits_ended, ended, &limit);
    return;
  }
  block(what, seconds, needed);
  waiting.store(0);
  waits_ended.fetch_add(1);
  wake(waits_ended);
}

void fail(const char* format, ...) {
  constexpr int kCode = 98;
  char* const text = slot().failure;
  const int length = std::snprintf(text, sizeof slot().failure, "rank %d ", rank_here);
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text + length, sizeof slot().failure - static_cast<std::size_t>(length), format, arguments);
  va_end(arguments);
  std::_Exit(kCode);
}

}  // namespace strata::native
