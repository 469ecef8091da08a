// SPDX-License-Identifier: LGPL-2.1-only
#include "native/rank/turns.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "native/rank/call_entries.h"
#include "native/rank/process.h"
#include "native/rank/thread_calls.h"
#include "native/rank/thread_states.h"

namespace strata::native {

constexpr double kNever = std::numeric_limits<double>::infinity();

struct Thread {
  enum class Place {
    kElsewhere,  // in the program, without the turn
    kWantsTurn,
    kWantsLock,  // wants the turn when `mutex` is free
    kHasTurn,
    kKeepsTurn,  // has the turn and sleeps, perhaps because it does not know yet
    kWaits,      // for a message, or a time
  };
  using Key = std::vector<int>;  // its creator's, and the number of threads that the creator had created before

  Key key;
  int created = 0;
  Place place = Place::kElsewhere;
  bool has_been_here = false;
  bool waits_for_launcher = false;
  ThreadState state;
  std::atomic<std::uint32_t> word{0};  // it sleeps on it; changes when it gets the turn
  Call call;
  pthread_mutex_t* mutex = nullptr;  // kWantsLock
  // kWaits
  Block block = Block::kMessage;
  double until_s = kNever;
  bool is_ready = false;
};

namespace {

// Threads that the library did not see being created come behind all others.
constexpr int kAdopted = 1 << 20;

// Never destroyed: threads may outlive it.
struct Threads {
  std::atomic<bool> in_use{false};    // there has been a second thread
  std::atomic_flag lock;              // a thread that waits for it does not sleep: it must not seem to be at rest
  std::map<Thread::Key, Thread> all;  // in the order of turns
  Thread* first = nullptr;            // the rank's
  Thread* turn = nullptr;             // null: no thread has it
  Thread::Key last;                   // whose turn it was
  int adopted = 0;
};
Threads& threads() {
  static Threads& one = *new Threads;
  return one;
}

// This thread's.
struct Place {
  Thread* thread = nullptr;
  bool is_in_lock = false;  // allocators may use a mutex
  ~Place();
};
thread_local Place here;

class Locked {
 public:
  Locked() { lock(); }
  ~Locked() { unlock(); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
  void lock() {
    here.is_in_lock = true;
    // It is never held for long, but its owner may have lost its processor.
    for (int tries = 0; threads().lock.test_and_set(std::memory_order_acquire); ++tries) {
      tries < 1000 ? __builtin_ia32_pause() : static_cast<void>(::syscall(SYS_sched_yield));
    }
  }
  void unlock() {
    std::atomic<std::uint32_t>* const word = std::exchange(to_wake_, nullptr);
    threads().lock.clear(std::memory_order_release);
    here.is_in_lock = false;
    if (word != nullptr) strata::native::wake(*word);
  }
  /// A thread that sleeps on `word` is woken when this is unlocked.
  void wake(std::atomic<std::uint32_t>& word) { to_wake_ = &word; }

 private:
  std::atomic<std::uint32_t>* to_wake_ = nullptr;
};

// Leaves when the thread ends.
Place::~Place() {
  if (thread == nullptr) return;
  const Locked locked;
  Threads& t = threads();
  if (t.turn == thread) {
    t.turn = nullptr;
    t.last = thread->key;
  }
  t.all.erase(Thread::Key(thread->key));
}

bool is_multiple() { return slot().has_threads != 0; }

Thread& add(Thread::Key key) {
  Thread& t = threads().all[key];
  t.key = std::move(key);
  return t;
}

// This thread, which is not known yet.
Thread& enroll() {
  Threads& t = threads();
  const bool is_first = t.first == nullptr;
  Thread& me = add({is_first ? 0 : kAdopted + t.adopted++});
  me.state.set_thread(::gettid());
  if (is_first) {
    t.first = t.turn = &me;
    me.place = Thread::Place::kHasTurn;
  } else {
    t.in_use = true;
  }
  here.thread = &me;
  return me;
}

// As the C library keeps it. The order of turns needs to know, without taking the mutex, which threads could.
bool is_free(const pthread_mutex_t& mutex) { return __atomic_load_n(&mutex.__data.__lock, __ATOMIC_ACQUIRE) == 0; }
pid_t owner_of(const pthread_mutex_t& mutex) { return __atomic_load_n(&mutex.__data.__owner, __ATOMIC_ACQUIRE); }

// Whether a thread that takes turns has the mutex. One that does not may release it at any time.
bool is_ours(const pthread_mutex_t& mutex) {
  const pid_t owner = owner_of(mutex);
  return std::any_of(threads().all.begin(), threads().all.end(),
                     [&](const auto& entry) { return entry.second.state.is_of(owner); });
}

bool at_rest(Thread& thread) {
  if (thread.waits_for_launcher) return false;
  switch (thread.place) {
    case Thread::Place::kWantsLock:
      return is_free(*thread.mutex) || is_ours(*thread.mutex);
    case Thread::Place::kWantsTurn:
    case Thread::Place::kWaits:
      return true;
    case Thread::Place::kKeepsTurn:
      return false;
    case Thread::Place::kHasTurn:
    case Thread::Place::kElsewhere:
      break;
  }
  if (!is_multiple() && !thread.has_been_here) return true;
  if (thread.state.at_rest()) return true;
  if (!thread.state.seems_to_spin()) return false;
  slot().lost_order = 1;
  return true;
}

bool others_at_rest(const Thread& me) {
  return std::all_of(threads().all.begin(), threads().all.end(),
                     [&](auto& entry) { return &entry.second == &me || at_rest(entry.second); });
}

// The next thread, after the last turn, that can use a turn; null: none can.
Thread* next() {
  const auto can = [](auto& entry) {
    const Thread& t = entry.second;
    return t.place == Thread::Place::kWantsTurn || (t.place == Thread::Place::kWaits && t.is_ready) ||
           (t.place == Thread::Place::kWantsLock && is_free(*t.mutex));
  };
  auto& all = threads().all;
  const auto behind = all.upper_bound(threads().last);
  if (const auto found = std::find_if(behind, all.end(), can); found != all.end()) return &found->second;
  const auto found = std::find_if(all.begin(), behind, can);
  return found == behind ? nullptr : &found->second;
}

void give_turn(Thread& thread, Locked& locked) {
  Threads& t = threads();
  t.turn = &thread;
  t.last = thread.key;
  thread.place = Thread::Place::kKeepsTurn;
  thread.word.fetch_add(1);
  locked.wake(thread.word);
}

bool waits_for_messages(const Thread& thread) { return thread.block != Block::kSleep; }

// Blocks the rank until one of the waits ends.
void block_rank(Locked& locked) {
  double first_s = kNever;
  bool messages = false, finishes = false;
  const Call* call = nullptr;
  for (auto& [key, thread] : threads().all) {
    if (thread.place != Thread::Place::kWaits) continue;
    first_s = std::min(first_s, thread.until_s);
    messages = messages || (waits_for_messages(thread) && thread.block != Block::kFinish);
    finishes = finishes || thread.block == Block::kFinish;
    if (call == nullptr && thread.call.function >= 0) call = &thread.call;
  }
  if (call != nullptr) slot().call = *call;
  Block what = messages ? Block::kMessage : Block::kFinish;
  double seconds = 0;
  if (first_s < kNever) {
    what = messages || finishes ? Block::kPoll : Block::kSleep;
    seconds = std::max(0.0, first_s - slot().clock_s);
  }
  // A message may have come while a thread asked for its time.
  if (!messages || slot().delivered.empty()) {
    locked.unlock();
    block(what, seconds);
    locked.lock();
  }
  const bool has_message = !slot().delivered.empty();
  for (auto& [key, thread] : threads().all) {
    if (thread.place != Thread::Place::kWaits) continue;
    // Without a message and a time, the ranks are to look again.
    const bool looks = waits_for_messages(thread) && (has_message || first_s == kNever);
    thread.is_ready = looks || (!has_message && thread.until_s <= first_s) || thread.until_s <= slot().clock_s;
  }
}

void pause(std::atomic<std::uint32_t>& word, std::uint32_t value, long& ns) {
  constexpr long kLongest_ns = 5'000'000;
  const timespec limit = {0, ns};
  ns = std::min(ns * 2, kLongest_ns);
  sleep_while(word, value, &limit);
}

void await_rest(const Thread& me, Locked& locked) {
  std::atomic<std::uint32_t> unused{0};
  for (long pause_ns = 20'000; !others_at_rest(me);) {
    locked.unlock();
    pause(unused, 0, pause_ns);
    locked.lock();
  }
}

// This thread has the turn, and wants it again or waits. Passes it on, perhaps to itself.
void pass_on(Thread& me, Locked& locked) {
  std::atomic<std::uint32_t> unused{0};
  for (long pause_ns = 20'000;;) {
    await_rest(me, locked);
    if (Thread* const thread = next(); thread != nullptr) return give_turn(*thread, locked);
    const bool one_waits = std::any_of(threads().all.begin(), threads().all.end(),
                                       [](const auto& entry) { return entry.second.place == Thread::Place::kWaits; });
    if (one_waits) {
      block_rank(locked);
    } else {  // all want mutexes, whose owner sleeps in the kernel
      locked.unlock();
      pause(unused, 0, pause_ns);
      locked.lock();
    }
  }
}

// Whether the turn has no owner that will pass it on.
bool is_left(Thread* turn) { return turn == nullptr || (turn->place == Thread::Place::kHasTurn && at_rest(*turn)); }

void await_turn(Thread& me, Locked& locked) {
  Threads& t = threads();
  for (long pause_ns = 50'000; t.turn != &me;) {
    if (is_left(t.turn) && others_at_rest(me)) {
      if (t.turn != nullptr) t.turn->place = Thread::Place::kElsewhere;
      t.turn = &me;
      pass_on(me, locked);
      continue;
    }
    const std::uint32_t value = me.word.load();
    locked.unlock();
    pause(me.word, value, pause_ns);
    locked.lock();
  }
  me.place = Thread::Place::kHasTurn;
  me.state.forget();
}

}  // namespace

void take_turn() {
  if (!is_virtual()) return;
  Threads& t = threads();
  if (here.thread != nullptr && !t.in_use.load(std::memory_order_acquire)) return;
  Locked locked;
  Thread& me = here.thread != nullptr ? *here.thread : enroll();
  me.has_been_here = true;
  if (t.turn == &me) return me.state.forget();
  me.place = Thread::Place::kWantsTurn;
  await_turn(me, locked);
}

void wait_in_turn(Block what, double seconds) {
  take_turn();
  Thread& me = *here.thread;
  const bool has_end = what == Block::kPoll || what == Block::kSleep;
  const double until_s = has_end ? clock_now() + seconds : kNever;
  Locked locked;
  me.block = what;
  me.until_s = until_s;
  me.is_ready = false;
  me.place = Thread::Place::kWaits;
  pass_on(me, locked);
  await_turn(me, locked);
}

int lock_in_turn(pthread_mutex_t* mutex) {
  if (!takes_turns() || here.thread == nullptr || here.is_in_lock || !is_multiple()) return lock_mutex(mutex);
  take_turn();
  Thread& me = *here.thread;
  if (me.place != Thread::Place::kHasTurn || me.state.is_of(owner_of(*mutex))) return lock_mutex(mutex);
  Locked locked;
  me.place = Thread::Place::kKeepsTurn;
  await_rest(me, locked);
  me.place = Thread::Place::kHasTurn;
  const bool others_wait = std::any_of(threads().all.begin(), threads().all.end(), [&](const auto& entry) {
    return entry.second.place == Thread::Place::kWantsLock && entry.second.mutex == mutex;
  });
  int error = others_wait ? EBUSY : ::pthread_mutex_trylock(mutex);
  if (error == EBUSY && !others_wait && !is_ours(*mutex)) {  // a thread of the library has it
    locked.unlock();
    error = lock_mutex(mutex);
    locked.lock();
    return error;
  }
  while (error == EBUSY) {
    me.mutex = mutex;
    me.place = Thread::Place::kWantsLock;
    pass_on(me, locked);
    await_turn(me, locked);
    error = ::pthread_mutex_trylock(mutex);
  }
  return error;
}

void yield_turn() {
  if (!takes_turns() || here.thread == nullptr) return;
  Thread& me = *here.thread;
  Locked locked;
  if (threads().turn != &me) return;
  me.place = Thread::Place::kWantsTurn;
  pass_on(me, locked);
  await_turn(me, locked);
}

bool takes_turns() { return is_virtual() && threads().in_use.load(std::memory_order_acquire); }
bool is_first_thread() { return here.thread == nullptr || here.thread == threads().first; }
bool is_bystander() { return here.thread == nullptr && is_virtual() && !is_multiple() && threads().first != nullptr; }

void set_call(const Call& call) {
  slot().call = call;
  if (here.thread != nullptr) here.thread->call = call;
}

KeepsTurn::KeepsTurn() {
  if (here.thread == nullptr) return;
  const Locked locked;
  if (here.thread->place == Thread::Place::kHasTurn) here.thread->place = Thread::Place::kKeepsTurn;
}
KeepsTurn::~KeepsTurn() {
  if (here.thread == nullptr) return;
  const Locked locked;
  if (here.thread->place == Thread::Place::kKeepsTurn) here.thread->place = Thread::Place::kHasTurn;
}

Thread& announce_thread() {
  take_turn();
  const Locked locked;
  Thread& me = *here.thread;
  Thread::Key key = me.key;
  key.push_back(me.created++);
  threads().in_use = true;
  return add(std::move(key));
}

void begin_thread(Thread& thread) {
  const Locked locked;
  here.thread = &thread;
  thread.state.set_thread(::gettid());
}

void forget_thread(Thread& thread) {
  const Locked locked;
  threads().all.erase(Thread::Key(thread.key));
}

WaitsForLauncher::WaitsForLauncher(bool waits) : is_set_(waits && takes_turns() && here.thread != nullptr) {
  set(true);
}
WaitsForLauncher::~WaitsForLauncher() { set(false); }
void WaitsForLauncher::set(bool on) const {
  if (!is_set_) return;
  const Locked locked;
  here.thread->waits_for_launcher = on;
}

}  // namespace strata::native
