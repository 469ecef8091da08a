// SPDX-License-Identifier: LGPL-2.1-only
// The max-rate model of messages between nodes, and its validity for an exchange of messages over all links.
//
//   T = alpha + k n / min(R_N, k R_C)
//
// for k processes of a node that each send n bytes to other nodes at the same time. A process sends at up to R_C, all
// processes of a node together at up to R_N, the bandwidth of its link to the network (W. Gropp, L. Olson, P. Samfass,
// "Modeling MPI Communication Performance on SMP Nodes: Is It Time to Retire the Ping Pong Test", EuroMPI'16; W. D.
// Gropp, "Using Node Information to Implement MPI Cartesian Topologies", EuroMPI'18, Section 2). alpha and R_C are the
// figures of the level at which the nodes meet, R_N those of the node's link in one direction or, if a level has a
// duplex bandwidth, in both together. If messages leave a node at least g apart, k of them that begin at once take at
// least
//
//   T = alpha + (k - 1) g + n / R_C,
//
// LogGP's time of k messages, with the node in place of a processor (A. Alexandrov et al., "LogGP: Incorporating Long
// Messages into the LogP Model", SPAA'95); the model's time is the longer of the two.
//
// Any exchange of messages of one size, m bytes on the wire, is bounded from both sides. Let k_l messages take link l,
// whose capacity is C_l (a message that is spread over several routes counts with the part that takes the link), and
// let each get its max-min fair share: at least the smallest of C_l / k_l on its path and its level's bandwidth. Then
//   - no message arrives later than it would at that rate: an upper bound for the exchange;
//   - no link is done before k_l m / C_l, and no message before the time that it takes alone: a lower bound.
// The two bounds differ only by latencies and overheads. The model is the case in which a node's link is the busiest of
// all, and its bytes take longer than latencies. With gaps, a message waits for at most all others of its node, and the
// last one waits for at least all others; if exchanges follow one another, also for one message of the previous
// exchange.
//
// If exchanges follow one another without a barrier, the bounds hold for each on average, as long as a process has no
// messages left when it begins the next: with a rendezvous, but not with an eager send.
#pragma once

#include <optional>
#include <vector>

#include "models/links_taken.h"
#include "models/prediction.h"

namespace strata::models {

struct MaxRateCost {
  Seconds latency;
  BytesPerSecond process;  // R_C
  BytesPerSecond node;     // R_N
};

/// alpha + k n / min(R_N, k R_C). Throws std::invalid_argument where processes < 1.
Seconds max_rate_time(const MaxRateCost& cost, int processes, Bytes n);

/// alpha + (k - 1) g + n / R_C. Throws std::invalid_argument where messages < 1.
Seconds gap_time(const MaxRateCost& cost, Seconds gap, int messages, Bytes n);

struct Message {
  int from, to;  // ranks
  friend bool operator==(const Message&, const Message&) = default;
};

/// Messages that all ranks start at the same time, those of one sender one after another in this order; receives are
/// posted before.
struct Exchange {
  std::vector<Message> messages;
  double bytes = 0;  // payload of each
  int times = 1;     // number of consecutive exchanges; each process begins the next when its own messages are complete
};

/// The least and the greatest time of an exchange, on average if there are several.
struct ExchangeBounds {
  Seconds least, most;
  std::optional<Link> busiest;  // the link that is busy for the longest time; empty without messages
  int messages = 0;             // that take it
  Seconds busy = {};            // how long at its full bandwidth
};

/// O(messages depth).
ExchangeBounds bound_exchange(const MessageCosts& costs, const std::vector<Binding>& ranks, const Exchange& exchange);

/// The model's time of an exchange: that of the node with the most messages leaving or arriving, each of which counts
/// as a process. If the bounds do not confirm it to within `tolerance` (relative), `outside` gives the reason: the link
/// that is busier than the node's, or how far latencies separate the bounds.
Prediction predict_max_rate(const Machine& machine, const std::vector<Binding>& ranks, const Exchange& exchange,
                            double tolerance);

}  // namespace strata::models
