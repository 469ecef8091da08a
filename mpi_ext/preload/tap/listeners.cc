// SPDX-License-Identifier: LGPL-2.1-only
// A list that only grows: a new listener adds a place if no place is free. So it can be read at any time without a
// lock, and senders never wait for new listeners.
#include "mpi_ext/preload/tap/listeners.h"

#include <atomic>
#include <mutex>

namespace strata::mpix {
namespace {

struct Place {
  std::atomic<MessageListener*> listener;  // null: free
  std::atomic<bool> calls;                 // it wants calls of collectives
  Place* next;
};

std::atomic<Place*> g_first{nullptr};
std::atomic<int> g_number{0};  // of listeners
std::atomic<int> g_calls{0};   // of those that want calls of collectives
std::mutex g_change;

Place* place_of(const MessageListener* listener) {
  Place* place = g_first.load(std::memory_order_acquire);
  while (place != nullptr && place->listener.load(std::memory_order_relaxed) != listener) place = place->next;
  return place;
}

int listen(MessageListener* listener, bool calls) {
  const std::lock_guard lock(g_change);
  if (place_of(listener) == nullptr) {
    if (Place* free = place_of(nullptr); free != nullptr) {
      free->calls.store(calls, std::memory_order_relaxed);
      free->listener.store(listener, std::memory_order_release);
    } else {
      g_first.store(new Place{{listener}, {calls}, g_first.load(std::memory_order_relaxed)}, std::memory_order_release);
    }
    g_number.fetch_add(1, std::memory_order_relaxed);
    if (calls) g_calls.fetch_add(1, std::memory_order_relaxed);
  }
  return tap_sees();
}

}  // namespace

bool anybody_listens() { return g_number.load(std::memory_order_relaxed) != 0; }

bool anybody_wants_calls() { return g_calls.load(std::memory_order_relaxed) != 0; }

void tell(MessageKind kind, ProcessId sender, ProcessId receiver, std::uint64_t bytes) {
  for (const Place* place = g_first.load(std::memory_order_acquire); place != nullptr; place = place->next) {
    MessageListener* const listener = place->listener.load(std::memory_order_acquire);
    if (listener == nullptr) continue;
    if (kind == MessageKind::kCollective && !place->calls.load(std::memory_order_relaxed)) continue;
    listener->sent(kind, sender, receiver, bytes);
  }
}

}  // namespace strata::mpix

extern "C" {

int strata_monitoring_listen(strata::MessageListener* listener) { return strata::mpix::listen(listener, true); }

int strata_monitoring_listen_to_messages(strata::MessageListener* listener) {
  return strata::mpix::listen(listener, false);
}

void strata_monitoring_ignore(strata::MessageListener* listener) {
  using namespace strata::mpix;
  const std::lock_guard lock(g_change);
  Place* const place = place_of(listener);
  if (place == nullptr) return;
  place->listener.store(nullptr, std::memory_order_release);
  g_number.fetch_sub(1, std::memory_order_relaxed);
  if (place->calls.load(std::memory_order_relaxed)) g_calls.fetch_sub(1, std::memory_order_relaxed);
}
}
