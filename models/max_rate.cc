// SPDX-License-Identifier: LGPL-2.1-only
#include "models/max_rate.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "models/schedule_time.h"
#include "platforms/payload.h"

namespace strata::models {
namespace {

// The messages over one link.
struct Load {
  Link link{};
  int messages = 0;
  double weight = 0;                                            // sum over the messages
  double earliest_s = std::numeric_limits<double>::infinity();  // the earliest time of a first byte on the link
};

// The messages that leave a node through the gate of a card or port.
struct Card {
  int messages = 0;
  double gaps_s = 0, longest_gap_s = 0;
  double earliest_s = std::numeric_limits<double>::infinity();  // the earliest arrival of a message, if it were alone
  double transfer_s = std::numeric_limits<double>::infinity();  // the shortest transfer of one of the messages
};

struct Loads {
  std::vector<Load> links;
  std::vector<double> start_s;  // by message: when its sender starts it
  std::vector<Card> cards;      // by MessageCosts::card
};

double wire_bytes(const Exchange& exchange) { return exchange.bytes + kEnvelopeBytes; }

Loads count(const MessageCosts& costs, const std::vector<Binding>& ranks, const Exchange& exchange) {
  Loads loads{.links = std::vector<Load>(num_link_indexes(costs.machine())),
              .start_s = {},
              .cards = std::vector<Card>(costs.num_cards())};
  std::vector<double> busy_until_s(ranks.size(), 0);
  for (const Message& m : exchange.messages) {
    const int from = ranks[m.from].core, to = ranks[m.to].core;
    const MessageCost cost = costs.between(from, to, exchange.bytes);
    const double start_s = busy_until_s[m.from];
    busy_until_s[m.from] += cost.overhead_s;
    loads.start_s.push_back(start_s);
    if (cost.gap_s > 0) {
      Card& card = loads.cards[costs.card(from)];
      ++card.messages;
      card.gaps_s += cost.gap_s;
      card.longest_gap_s = std::max(card.longest_gap_s, cost.gap_s);
      card.earliest_s = std::min(card.earliest_s, start_s + cost.latency_s);
      card.transfer_s = std::min(card.transfer_s, wire_bytes(exchange) / cost.bandwidth_bytes_per_s);
    }
    for_each_link(costs, from, to, exchange.bytes, [&](const Link& link) {
      Load& load = loads.links[link_index(link, costs.machine())];
      load.link = link;
      ++load.messages;
      load.weight += link.weight;
      load.earliest_s = std::min(load.earliest_s, start_s + cost.latency_s);
    });
  }
  return loads;
}

// The time of the link's bytes at its full bandwidth.
double seconds(const Load& load, double wire) { return load.weight * wire / load.link.capacity_bytes_per_s; }

ExchangeBounds bounds(const MessageCosts& costs, const std::vector<Binding>& ranks, const Exchange& exchange,
                      const Loads& loads) {
  const double wire = wire_bytes(exchange);
  ExchangeBounds b;
  double longest_s = 0;
  for (const Load& load : loads.links) {
    if (load.messages == 0) continue;
    b.least = std::max(b.least, Seconds(load.earliest_s / exchange.times + seconds(load, wire)));
    if (seconds(load, wire) <= longest_s) continue;
    longest_s = seconds(load, wire);
    b.busiest = load.link;
    b.messages = load.messages;
    b.busy = Seconds(longest_s);
  }
  for (const Card& card : loads.cards) {
    if (card.messages == 0) continue;
    const double once_s = card.earliest_s + card.transfer_s - card.longest_gap_s;
    b.least = std::max(b.least, Seconds(once_s / exchange.times + card.gaps_s));
  }
  for (size_t i = 0; i < exchange.messages.size(); ++i) {
    const int from = ranks[exchange.messages[i].from].core, to = ranks[exchange.messages[i].to].core;
    const MessageCost cost = costs.between(from, to, exchange.bytes);
    const double flows_s = loads.start_s[i] + cost.latency_s;
    double share = cost.bandwidth_bytes_per_s;
    b.least = std::max(b.least, Seconds(flows_s + wire / share));
    for_each_link(costs, from, to, exchange.bytes, [&](const Link& link) {
      share = std::min(share, link.capacity_bytes_per_s / loads.links[link_index(link, costs.machine())].weight);
    });
    double waits_s = 0;
    if (cost.gap_s > 0) {
      const Card& card = loads.cards[costs.card(from)];
      waits_s = card.gaps_s - cost.gap_s + (exchange.times > 1 ? card.longest_gap_s : 0);
    }
    b.most = std::max(b.most, Seconds(flows_s + waits_s + wire / share));
  }
  return b;
}

std::string milliseconds(double s) {
  return s < 1e-3 ? fmt::format("{:.3g} us", s * 1e6) : fmt::format("{:.3g} ms", s * 1e3);
}

// Whether it is the only link between a node and the rest of the machine, or one of its ports.
bool is_a_nodes(const Link& link, const Topology& t) {
  if (is_port(link.kind)) return true;
  if (link.kind != Link::Kind::kUp && link.kind != Link::Kind::kDown && link.kind != Link::Kind::kDuplex) return false;
  if (t.node(link.of) >= 0) return t.type(link.of) == ObjectType::kMachine;
  const int first = t.first_core(link.of), last = first + t.num_cores(link.of) - 1;
  return t.node(t.cores()[first]) == t.node(t.cores()[last]);
}

}  // namespace

Seconds max_rate_time(const MaxRateCost& cost, int processes, Bytes n) {
  if (processes < 1) throw std::invalid_argument(fmt::format("{} processes: at least 1 sends", processes));
  const double rate = std::min(cost.node.value, processes * cost.process.value);
  return cost.latency + Bytes(processes * n.value) / BytesPerSecond(rate);
}

Seconds gap_time(const MaxRateCost& cost, Seconds gap, int messages, Bytes n) {
  if (messages < 1) throw std::invalid_argument(fmt::format("{} messages: at least 1 is sent", messages));
  return cost.latency + (messages - 1.0) * gap + n / cost.process;
}

ExchangeBounds bound_exchange(const MessageCosts& costs, const std::vector<Binding>& ranks, const Exchange& exchange) {
  return bounds(costs, ranks, exchange, count(costs, ranks, exchange));
}

Prediction predict_max_rate(const Machine& machine, const std::vector<Binding>& ranks, const Exchange& exchange,
                            double tolerance) {
  const MessageCosts costs(machine, ranks);
  const Topology& t = costs.topology();
  const Loads loads = count(costs, ranks, exchange);
  const ExchangeBounds b = bounds(costs, ranks, exchange, loads);
  const double wire = wire_bytes(exchange);

  MaxRateCost cost{.latency = Seconds(0),
                   .process = BytesPerSecond(std::numeric_limits<double>::infinity()),
                   .node = BytesPerSecond(std::numeric_limits<double>::infinity())};
  bool leaves = false;
  for (const Message& m : exchange.messages) {
    if (ranks[m.from].node == ranks[m.to].node) continue;
    const MessageCost c = costs.between(ranks[m.from].core, ranks[m.to].core, exchange.bytes);
    cost.latency = std::max(cost.latency, Seconds(c.latency_s));
    cost.process = std::min(cost.process, BytesPerSecond(c.bandwidth_bytes_per_s));
    leaves = true;
  }
  const bool overlap = exchange.times > 1 && is_eager(machine, exchange.bytes);
  std::optional<Prediction::Bounds> limits;
  if (!overlap) limits = {b.least, b.most};
  if (!leaves) return {.time = b.most, .outside = "no message leaves its node", .bounds = limits};
  int processes = 1;
  double nodes_link_s = 0;
  for (const Load& load : loads.links) {
    if (load.messages == 0 || seconds(load, wire) <= nodes_link_s || !is_a_nodes(load.link, t)) continue;
    nodes_link_s = seconds(load, wire);
    processes = load.messages;
    cost.node = BytesPerSecond(load.link.capacity_bytes_per_s / (load.weight / load.messages));
  }
  Prediction p{.time = max_rate_time(cost, processes, Bytes(wire)), .outside = "", .bounds = limits};
  bool gaps = false;
  for (const Card& card : loads.cards) {
    if (card.messages == 0) continue;
    gaps = true;
    p.time = std::max(p.time, gap_time(cost, Seconds(card.gaps_s / card.messages), card.messages, Bytes(wire)));
  }

  const double off = tolerance * p.time.value;
  const bool around = std::any_of(exchange.messages.begin(), exchange.messages.end(), [&](const Message& m) {
    return costs.may_go_around(ranks[m.from].core, ranks[m.to].core);
  });
  if (around) {
    p.outside = kGoesAround;
    p.bounds = std::nullopt;
  } else if (overlap) {
    p.outside = fmt::format(
        "eager: a sender of {:.0f} B does not wait for its message, which may be on its way beside those of the next "
        "exchange",
        exchange.bytes);
  } else if (b.busiest && !is_a_nodes(*b.busiest, t) && b.least.value > p.time.value + off) {
    p.outside =
        fmt::format("link: the {} messages on the {} take {}, the {} of a node {}", b.messages,
                    describe(*b.busiest, machine), milliseconds(b.busy.value), processes, milliseconds(nodes_link_s));
  } else if (b.most.value > p.time.value + off || b.least.value < p.time.value - off) {
    p.outside = fmt::format("latency: with latencies{} and overheads it takes from {} to {}", gaps ? ", gaps" : "",
                            milliseconds(b.least.value), milliseconds(b.most.value));
  }
  return p;
}

}  // namespace strata::models
