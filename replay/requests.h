// SPDX-License-Identifier: LGPL-2.1-only
// Requests of nonblocking operations, and the ranks that wait for them. For example, rank 3 waits for its last two:
//
//   requests.start(3, {})             request 7
//   requests.start(3, {.done = true}) request 8
//   requests.await(3, 7)              it waits for request 7,
//   requests.await(3, 8)              and for request 8, which is complete
//   requests.resume(3)                woken: the simulator's kernel reports one complete request at a time
//   requests.resume(3)                nothing: request 7 is not complete
//   requests.complete(3, 7)           woken
//
// A receive that is complete keeps its rank busy for the message's receive overhead when it is reported. As in SMPI's
// Request::waitall. Windows of one-sided operations keep requests too, for which any rank may wait.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "replay/kernel.h"
#include "replay/prepared_trace.h"

namespace strata::replay {

struct Request {
  bool done = false;
  bool left_at_once = false;  // a send that does not block its sender
  double receiving_s = 0;     // a receive that is done: for which its rank is busy when it waits for it
  bool unseen = false;        // native: it is done by a message that its rank has not seen yet
};

/// The consequences of a request's completion for the rank that waits for it.
struct Completion {
  double acknowledged_s = 0;  // a synchronous send: when its sender knows
  double receiving_s = 0;     // a receive: for which its rank is busy
  bool seen = false;          // its rank has taken the message
};

/// A receive that has been reported to its rank.
struct Taken {
  std::int64_t number = -1;  // of the request
  double seconds = 0;        // for which the rank is busy with it; 0: not at all
};

/// With a real MPI library: a message that its rank takes as soon as it sees it, and for which it is busy.
struct Delivered {
  int message = -1;
  double seconds = 0;
};

class Requests {
 public:
  static constexpr std::int64_t kNone = -1;
  static constexpr std::int64_t kOneOfAWindow = -2;  // a request kept by a window

  Requests(Kernel& kernel, const Programs& programs);

  /// By rank, the number of recent requests that are remembered: a power of two.
  std::vector<std::size_t> sizes() const;

  /// The rank's next request. Returns its number.
  std::int64_t start(int rank, const Request& request);
  /// How many the rank has started.
  std::int64_t started(int rank) const { return waits_[rank].started; }
  /// The request has completed. No effect if the program did not wait for the request, and its place was needed.
  void complete(int rank, std::int64_t number, const Completion& completion = {});

  /// The rank waits also for this one, unless it left at once or is forgotten.
  void await(int rank, std::int64_t number);
  bool is_waiting(int rank) const { return waits_[rank].awaited > 0; }
  /// Whether it waits until one of them completes.
  bool is_blocked(int rank) const { return waits_[rank].blocked; }
  /// Wakes the waiting rank if one of its requests is complete; otherwise the first that completes does so.
  void resume(int rank);
  /// When the rank knows that all that it has waited for are received, s; 0: it did not wait for a synchronous send.
  double take_acknowledged(int rank) {
    double& acknowledged_s = waits_[rank].acknowledged_s;
    return acknowledged_s > 0 ? std::exchange(acknowledged_s, 0) : 0;
  }
  /// The receive that has just been reported to the rank, if the rank has to do something for it.
  Taken take_received(int rank) { return std::exchange(waits_[rank].received, {}); }
  /// One of the requests that the rank waits for; kNone: it cannot continue for another reason.
  std::int64_t waits_for(int rank) const {
    const Wait& w = waits_[rank];
    return w.blocked ? w.waits_for : kNone;
  }

  // --- with a real MPI library, which sees only while it waits what has arrived ---

  /// The rank sees all that has arrived, and, if it waits, what arrives until stop_looking().
  void look(int rank, bool waits) {
    Wait& w = of(rank);
    ++w.looks;
    w.is_looking = waits;
    w.looked_until_s = kernel_.now();
    w.seen = w.delivered.size();
    if (w.seen > 0) interrupt(rank);
  }
  void stop_looking(int rank) {
    Wait& w = of(rank);
    if (std::exchange(w.is_looking, false)) w.looked_until_s = kernel_.now();
  }
  bool is_looking(int rank) const { return waits_[rank].is_looking; }
  /// Or whether it has until this moment.
  bool has_just_looked(int rank) const { return is_looking(rank) || waits_[rank].looked_until_s == kernel_.now(); }
  /// The rank is busy with the message once it sees it.
  void deliver(int rank, const Delivered& message) {
    Wait& w = of(rank);
    w.delivered.push_back(message);
    if (!w.is_looking) return;
    ++w.seen;
    interrupt(rank);
  }
  bool has_seen(int rank) const { return waits_[rank].seen > 0; }
  /// Whether it has begun at this moment to take what it sees.
  bool sees_now(int rank) const { return has_seen(rank) || waits_[rank].takes_since_s == kernel_.now(); }
  /// The next message with which it is busy now.
  std::optional<Delivered> next_seen(int rank) {
    Wait& w = of(rank);
    if (w.seen == 0) {
      w.takes_since_s = -1;
      return {};
    }
    --w.seen;
    if (w.takes_since_s < 0) w.takes_since_s = kernel_.now();
    const Delivered first = w.delivered.front();
    w.delivered.pop_front();
    return first;
  }
  /// How often it has looked.
  std::int64_t looks(int rank) const { return waits_[rank].looks; }
  /// Whether the rank has to look to see that a request is complete for which it has just begun to wait.
  bool has_to_look(int rank) { return std::exchange(of(rank).has_to_look, false); }

  // --- requests that windows keep, by numbers of their own ---

  int keep(bool done);
  void complete_kept(int number);
  /// The rank waits also for this one, which its window forgets.
  void await_kept(int rank, int number);

 private:
  struct Place {
    std::int64_t number = kNone;  // of the rank's request here
    bool done = false, left_at_once = false;
    bool awaited = false;         // by the wait in which its rank is
    double acknowledged_s = 0;    // a synchronous send that is done: when its sender knows
    double receiving_s = 0;       // a receive that is done: for which its rank is busy
    std::int64_t unseen = kNone;  // after as many looks it has completed without being seen
  };
  struct Kept {
    bool done = false;
    int waiter = -1;
  };
  struct Wait {
    std::int64_t started = 0;
    int awaited = 0;                 // requests that the rank waits for and has not been notified of
    int complete = 0;                // of these, those that have completed in the meantime
    double acknowledged_s = 0;       // when the rank knows that all of these that have completed are received
    bool blocked = false;            // until one of them completes
    std::int64_t waits_for = kNone;  // one of them, for error messages
    Taken received;                  // that has just been reported to the rank
    std::deque<Taken> to_receive;    // of those that have completed in the meantime
    std::int64_t looks = 0;
    bool is_looking = false, has_to_look = false;
    double looked_until_s = -1;
    std::deque<Delivered> delivered;  // the rank has seen the first `seen` of them
    std::size_t seen = 0;
    double takes_since_s = -1;  // negative: it is not busy with any
  };

  Wait& of(int rank) { return waits_[rank]; }
  // It waits again after it has taken what it sees.
  void interrupt(int rank) {
    if (std::exchange(of(rank).blocked, false)) kernel_.wake(rank);
  }
  Place& place(int rank, std::int64_t number) {
    return places_[first_[rank] + (static_cast<std::size_t>(number) & masks_[rank])];
  }
  void tell(int rank, const Taken& received = {});

  Kernel& kernel_;
  std::vector<Wait> waits_;    // by rank
  std::vector<Place> places_;  // for each rank a ring, one after another
  std::vector<std::size_t> first_, masks_;
  std::vector<Kept> kept_;
  std::vector<int> free_kept_;
};

// --- inline, for they are called for each message ---

inline std::int64_t Requests::start(int rank, const Request& request) {
  const std::int64_t number = of(rank).started++;
  place(rank, number) = {.number = number,
                         .done = request.done,
                         .left_at_once = request.left_at_once,
                         .receiving_s = request.receiving_s,
                         .unseen = request.unseen ? of(rank).looks : kNone};
  return number;
}

inline void Requests::complete(int rank, std::int64_t number, const Completion& completion) {
  Place& p = place(rank, number);
  if (p.number != number) return;
  p.acknowledged_s = completion.acknowledged_s;
  p.receiving_s = completion.receiving_s;
  p.done = true;
  if (!is_looking(rank) && !completion.seen) p.unseen = looks(rank);
  if (!p.awaited) return;
  p.awaited = false;
  // While the rank is busy with messages: it sees this, and all that has come in the meantime, when it waits again.
  if (!completion.seen && !has_just_looked(rank)) of(rank).has_to_look = true;
  of(rank).acknowledged_s = std::max(of(rank).acknowledged_s, p.acknowledged_s);
  tell(rank, {number, p.receiving_s});
}

inline void Requests::await(int rank, std::int64_t number) {
  Wait& w = of(rank);
  Place& p = place(rank, number);
  if (p.number != number || p.left_at_once) return;
  ++w.awaited;
  kernel_.observer().wait(rank, number, kernel_.now());
  if (p.done) {
    ++w.complete;
    if (p.unseen == w.looks) w.has_to_look = true;
    if (p.receiving_s > 0) w.to_receive.push_back({number, p.receiving_s});
    w.acknowledged_s = std::max(w.acknowledged_s, p.acknowledged_s);
  } else {
    p.awaited = true;
    w.waits_for = number;
  }
}

inline void Requests::resume(int rank) {
  Wait& w = of(rank);
  if (w.complete > 0) {
    --w.complete;
    --w.awaited;
    if (!w.to_receive.empty()) {
      w.received = w.to_receive.front();
      w.to_receive.pop_front();
    }
    kernel_.wake(rank);
  } else {
    w.blocked = true;
  }
}

// Called when a request that the rank waits for has completed.
inline void Requests::tell(int rank, const Taken& received) {
  Wait& w = of(rank);
  if (!w.blocked) {
    ++w.complete;
    if (received.seconds > 0) w.to_receive.push_back(received);
    return;
  }
  w.blocked = false;
  if (received.seconds > 0) w.received = received;
  --w.awaited;
  kernel_.wake(rank);
}

}  // namespace strata::replay
