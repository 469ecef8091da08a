// SPDX-License-Identifier: LGPL-2.1-only
// Messages in flight, and how far those that leave the same core delay each other.
//
// They share the links on their paths max-min fairly, each getting at most its bandwidth alone. If k messages of m
// bytes, each with bandwidth b alone, begin together on an up link of bandwidth B, all arrive after max(m / b, k m /
// B). If they begin o apart and one alone fills the link (b = B, o <= m / B), the last one arrives k m / B after the
// first begins, as if they left one after another at LogGP's gap G = 1/B. The others arrive later than they would then.
//
// Messages of different cores do not affect each other here. As long as the demand on no link exceeds its capacity
// (LinkDemand detects this), this is the max-min fair allocation of all messages: a link that delays a message is full
// of messages of its own core.
#pragma once

#include <functional>
#include <queue>
#include <span>
#include <tuple>
#include <vector>

#include "models/contention.h"
#include "models/message_cost.h"
#include "models/paged.h"

namespace strata::models {

class Departures {
 public:
  /// The path of a message that will be added later: the vertices of its two cores.
  struct Way {
    int from, to;
    double payload_bytes = 0;
  };
  Departures(const MessageCosts& costs, std::span<const Way> ways);

  /// Message `number`, an index into the paths, begins to flow at `flow_s`, which is not before the last arrival
  /// returned by arrive(): `bytes`, at `bandwidth` (B/s) if it is alone.
  void add(int number, double flow_s, double bytes, double bandwidth);

  struct Arrival {
    int number;
    double time_s;
  };
  /// The next messages to arrive, all from one core at one time; empty if no message is in flight. Valid until the next
  /// call. O(messages of the core links) for each message that begins or ends.
  std::span<const Arrival> arrive();

  /// Where messages of several cores met on a link that could not carry them all.
  const std::optional<Contention>& contention() const { return demand_.worst(); }

 private:
  struct Use {
    size_t link;  // index
    double weight;
    bool with_others;
  };
  struct Flow {
    int number;
    std::vector<Use> uses;
    double bound;  // B/s: alone
    double left_bytes;
    double rate = 0;
    double since_s;  // `left_bytes` is valid at this time, and `rate` from then on
    double done_s = 0;
    double next_rate = 0;  // while shares are found
    bool fixed = false;    // scratch too
  };
  struct Core {
    std::vector<Flow> flows;
    long changes = 0;
  };
  struct LinkState {
    Link link{};
    int first_core = -1;  // core that sends over it
    bool several_cores = false;
    int messages = 0;
    double left = 0;     // while shares are computed: unassigned B/s
    double takers = 0;   // scratch: the weights of flows without a share yet
    int num_takers = 0;  // scratch: their number
  };
  struct Event {
    double time_s;
    bool begins;              // at equal times, ends come first
    int number;               // of the message that begins, or the core with one that ends
    long change;              // of the core; the event is void if it has changed since
    double bytes, bandwidth;  // of the message
    friend bool operator>(const Event& a, const Event& b) {
      return std::tie(a.time_s, a.begins, a.number) > std::tie(b.time_s, b.begins, b.number);
    }
  };

  void begin(const Event& event);
  void end(const Event& event);
  void share(int core, double now_s);
  void find_shares(std::vector<Flow>& flows);
  void fix(Flow& flow, double rate);

  const MessageCosts& costs_;
  std::span<const Way> ways_;
  Paged<LinkState> links_;  // by index
  Paged<Core> cores_;       // by vertex
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::vector<Arrival> arrivals_;
  LinkDemand demand_;
};

}  // namespace strata::models
