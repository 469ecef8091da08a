// SPDX-License-Identifier: LGPL-2.1-only
// Counts a message that the tap reports, in the sessions of its sender. Without an active session, this is one load.
// Otherwise, it takes a lock of the sender and, for each of its active sessions, two look-ups of ranks and one of a
// counter.
#include "mpi_ext/monitoring/process_sessions.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <utility>

#include "mpi_ext/adapter/watched.h"
#include "records/exchange/tap.h"

namespace strata::mpix::monitoring {
namespace {

std::atomic<int> active_sessions = 0;

// By slot. With a real MPI there is one slot, which exists from the beginning. With SMPI, a single thread runs
// everything.
std::vector<Process*>& processes() {
  static auto& all = *new std::vector<Process*>{new Process};
  return all;
}

Process* find(ProcessId id) {
  const std::size_t slot = slot_of(id);
  const std::vector<Process*>& all = processes();
  return slot < all.size() ? all[slot] : nullptr;
}

class Dispatcher : public MessageListener {
 public:
  void sent(Kind kind, ProcessId sender, ProcessId receiver, std::uint64_t bytes) override {
    if (!anybody_watches()) return;
    // The library itself does not use one-sided operations, and a get is not reported by the process that sends its
    // result.
    if (kind != Kind::kOneSided) {
      const Marks marks = marks_of(sender);
      if (marks.muted > 0) return;
      if (marks.internal > 0 && kind == Kind::kCollective) return;  // already counted as part of the outer collective
      if (marks.internal > 0) kind = Kind::kInternal;
    }
    const Between between = between_processes(sender, receiver);
    if (!between.counts) return;
    Process* process = find(between.sender);
    if (process == nullptr) return;
    const std::lock_guard guard(process->mutex);
    for (const auto& session : process->active) {
      const int from = session->members->rank_of(between.sender), to = session->members->rank_of(between.receiver);
      if (from < 0 || to < 0) continue;
      if (from == session->rank) {
        session->sent.add(kind, to, {.messages = 1, .bytes = bytes});
      } else {
        session->sent_here.add(kind, from, {.messages = 1, .bytes = bytes});
      }
    }
  }
};

Dispatcher& dispatcher() {
  static auto& one = *new Dispatcher;
  return one;
}

struct Listening {
  std::mutex mutex;
  int wanted = 0;
  int sees = 0;
};

Listening& listening() {
  static auto& one = *new Listening;
  return one;
}

// Adds the increase since `before`.
void add_difference(const std::vector<Entry>& before, const std::vector<Entry>& now, const Members& members,
                    Counters& counters) {
  std::map<std::pair<int, Kind>, Amount> old;
  for (const Entry& e : before) old[{e.peer, e.kind}] = e.amount;
  for (const Entry& e : now) {
    const Amount& was = old[{e.peer, e.kind}];
    const Amount more{e.amount.messages - was.messages, e.amount.bytes - was.bytes};
    const int rank = members.rank_of(e.peer);
    if (rank >= 0 && more != Amount{}) counters.add(e.kind, rank, more);
  }
}

}  // namespace

bool anybody_watches() { return active_sessions.load(std::memory_order_relaxed) > 0; }

Process& own_state() {
  const std::size_t slot = slot_of(own_process());
  std::vector<Process*>& all = processes();
  if (slot >= all.size()) all.resize(slot + 1, nullptr);
  if (all[slot] == nullptr) all[slot] = new Process;
  return *all[slot];
}

void Process::watch(const std::shared_ptr<Session>& session) {
  session->before = provider->seen();
  active.push_back(session);
  ++active_sessions;
}

void Process::ignore(const std::shared_ptr<Session>& session) {
  const Seen now = provider->seen();
  --active_sessions;
  add_difference(session->before.sent, now.sent, *session->members, session->sent);
  add_difference(session->before.received, now.received, *session->members, session->sent_here);
  session->before = {};
  active.erase(std::find(active.begin(), active.end(), session));
}

int listen_to_tap() {
  Listening& l = listening();
  const std::lock_guard guard(l.mutex);
  if (l.wanted++ == 0) l.sees = strata_monitoring_listen(&dispatcher());
  return l.sees;
}

void ignore_tap() {
  Listening& l = listening();
  const std::lock_guard guard(l.mutex);
  if (--l.wanted == 0) strata_monitoring_ignore(&dispatcher());
}

}  // namespace strata::mpix::monitoring
