// SPDX-License-Identifier: LGPL-2.1-only
// Identifies messages: SimGrid has an object for each message under way, made by the side that posts first, the sender
// or the receiver, and used by the other. For example, a message that is sent before it is received:
//   log.sent(object, ...);      is message 1
//   log.complete(object, ...);  nothing: no rank has asked for it
//   log.posted(object, ...);    message 1 arrives now, for a receive that is posted now
//   log.number(object)          1
//   log.released(object);       the receive's request has ended; so has the message
//
// SimGrid reuses the memory of an object for another.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "records/event_recorder.h"

namespace strata::sim {

class MessageLog {
 public:
  explicit MessageLog(EventRecorder& events) : events_(events) {}

  /// The sender posts it. `eager`: its request does not keep the object.
  void sent(const void* object, int rank, int other, int tag, std::int64_t bytes, bool eager, double now) {
    Message& m = messages_[object];
    const bool awaited = !m.arrived && m.number == 0 && m.posted >= 0;
    if (!awaited) m = {};
    m.number = events_.send(rank, other, tag, bytes, now);
    m.requests += eager ? 0 : 1;
  }

  /// The receiver posts. `complete`: the whole message has arrived; it began to flow at `began`.
  void posted(const void* object, bool complete, double began, double now) {
    Message& m = messages_[object];
    const bool sent = !m.arrived && m.number > 0 && m.posted < 0;
    if (!sent) m = {};
    m.posted = now;
    ++m.requests;
    if (complete) this->complete(object, began, now);
  }

  /// The whole message has arrived.
  void complete(const void* object, double began, double now) {
    const auto at = messages_.find(object);
    if (at == messages_.end()) return;
    Message& m = at->second;
    if (m.arrived || m.number == 0 || m.posted < 0) return;
    m.arrived = true;
    events_.arrive(m.number, m.posted, began, now);
  }

  /// The message never arrives, or no rank receives it.
  void cancelled(const void* object) { messages_.erase(object); }

  /// A request that had the object has ended.
  void released(const void* object) {
    const auto at = messages_.find(object);
    if (at != messages_.end() && --at->second.requests <= 0 && at->second.arrived) messages_.erase(at);
  }

  /// 0: none.
  std::int64_t number(const void* object) const {
    const auto at = messages_.find(object);
    return at == messages_.end() ? 0 : at->second.number;
  }

 private:
  struct Message {
    std::int64_t number = 0;  // 0: not sent yet
    double posted = -1;       // negative: not yet
    int requests = 0;         // that have the object
    bool arrived = false;
  };

  EventRecorder& events_;
  std::unordered_map<const void*, Message> messages_;
};

}  // namespace strata::sim
