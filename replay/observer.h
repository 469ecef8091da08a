// SPDX-License-Identifier: LGPL-2.1-only
// An observer of a replay, such as its history (history.h): the engine tells it each step. An Observer itself ignores
// them, so the engine need not ask whether there is one. Observers do not influence a replay, except by delaying
// messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "replay/step_price.h"

namespace strata::replay {

class Observer {
 public:
  /// A message that is sent.
  struct Sent {
    int to = -1;
    int tag = 0;
    bool eager = false;  // does not wait for its receiver
    double bytes = 0;
  };

  Observer() = default;
  virtual ~Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  /// `waits`: by rank, the number of recent requests for which it may wait: a power of two.
  virtual void begin(const std::vector<std::vector<int>>& /*groups*/, const std::vector<std::size_t>& /*waits*/) {}
  virtual void call(int /*rank*/, int /*function*/, double /*now*/) {}
  /// The rank does this work until it resumes.
  virtual void work(int /*rank*/, const Charge&, int /*peer*/, double /*now*/) {}
  /// `slot`: the engine's number of the message; `known`: the other side has given it that number.
  virtual void send(int /*rank*/, std::int64_t /*request*/, int /*slot*/, bool /*known*/, const Sent&, double /*now*/) {
  }
  virtual void receive(int /*rank*/, std::int64_t /*request*/, int /*slot*/, bool /*known*/, bool /*complete*/,
                       double /*now*/) {}
  /// The receiver of the message has posted its receive before, and lets it begin to flow now that it waits.
  virtual void accept(int /*rank*/, int /*slot*/, double /*now*/) {}
  /// The message begins to flow. Returns an additional delay, s.
  virtual double start(int /*slot*/, const flow::Spans&, double /*now*/) { return 0; }
  /// Only the first time counts.
  virtual void arrive(int /*slot*/, double /*now*/) {}
  /// The rank waits until this request, and all others for which this is called before it resumes, are complete.
  virtual void wait(int /*rank*/, std::int64_t /*request*/, double /*now*/) {}
  /// The rank has waited for this request, a receive, and is busy with its message; it has been. Then it waits for the
  /// others, or resumes.
  virtual void take(int /*rank*/, std::int64_t /*request*/, double /*now*/) {}
  virtual void taken(int /*rank*/, double /*now*/) {}
  /// The rank waits until a message is sent; it has been sent.
  virtual void look(int /*rank*/, double /*now*/) {}
  virtual void probe(int /*rank*/, int /*slot*/, double /*now*/) {}
  virtual void come(int /*rank*/, int /*group*/, bool /*last*/, double /*now*/) {}
  virtual void read_clock(int /*rank*/, int /*group*/, double /*now*/) {}
  /// The rank sleeps until the start, and then resumes.
  virtual void start_together(int /*rank*/, int /*group*/, double /*now*/) {}
  virtual void resume(int /*rank*/, double /*now*/) {}
  virtual void end(int /*rank*/, double /*now*/) {}
};

}  // namespace strata::replay
