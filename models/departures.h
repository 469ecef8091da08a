// SPDX-License-Identifier: LGPL-2.1-only
// Messages on their way, as far as those that leave one core hold each other up.
//
// They share the links of their ways max-min fairly, each getting at most what it gets alone. Where k messages of m
// bytes, each worth b alone, begin together on an up link of bandwidth B, all arrive after max(m / b, k m / B). If they
// begin o apart and one alone fills the link (b = B, o <= m / B), the last one arrives k m / B after the first begins:
// as if they left one after another at LogGP's gap G = 1/B. The others arrive later than they would so.
//
// Messages of different cores take no notice of each other. As long as no link is asked for more than it carries
// (LinkDemand tells) what each gets is the max-min fair allocation of all of them: a link that holds one up is full of
// messages of its own core.
#pragma once

#include <functional>
#include <queue>
#include <span>
#include <tuple>
#include <vector>

#include "models/contention.h"
#include "models/message_cost.h"

namespace strata::models {

class Departures {
 public:
  /// The ways of all messages that will ever be added: vertices of cores.
  struct Way {
    int from, to;
    double payload_bytes = 0;
  };
  Departures(const MessageCosts& costs, std::span<const Way> ways);

  /// Message `number`, an index into the ways, begins to flow at `flow_s`, not before the last arrival that arrive()
  /// has returned: `bytes`, at `bandwidth` (B/s) if it is alone.
  void add(int number, double flow_s, double bytes, double bandwidth);

  struct Arrival {
    int number;
    double time_s;
  };
  /// The next messages to arrive, those of one core at one time; empty where none is on its way. Until the next call.
  /// O(messages of the core links) for each message that begins or ends.
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
    double since_s;  // `left_bytes` were left then, and `rate` holds from then on
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
    int first_core = -1;  // that sends over it
    bool several_cores = false;
    int messages = 0;
    double left = 0;     // while shares are found: B/s not given out
    double takers = 0;   // scratch: the weights of flows that have not got their share
    int num_takers = 0;  // scratch: how many
  };
  struct Event {
    double time_s;
    bool begins;              // at one time others end first
    int number;               // of the message that begins, the core of which one ends
    long change;              // of the core; if it has changed since, nothing happens
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
  std::vector<LinkState> links_;  // by index
  std::vector<Core> cores_;       // by vertex
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::vector<Arrival> arrivals_;
  LinkDemand demand_;
};

}  // namespace strata::models
