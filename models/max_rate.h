// SPDX-License-Identifier: LGPL-2.1-only
// The max-rate model of messages between nodes, and what of it holds for an exchange of messages over all links.
//
//   T = alpha + k n / min(R_N, k R_C)
//
// for k processes of a node that each send n bytes to other nodes at the same time: a process sends at up to R_C, all
// of a node's at up to R_N, what its link to the network carries (W. Gropp, L. Olson, P. Samfass, "Modeling MPI
// Communication Performance on SMP Nodes: Is It Time to Retire the Ping Pong Test", EuroMPI'16; W. D. Gropp, "Using
// Node Information to Implement MPI Cartesian Topologies", EuroMPI'18, Section 2). alpha and R_C are the figures of the
// level at which the nodes meet, R_N those of the node's link: of what goes out or comes in, or, where a level has a
// duplex bandwidth, of all of it together. Where messages leave a node at least g apart, k of them that begin at once
// take no less than
//
//   T = alpha + (k - 1) g + n / R_C,
//
// LogGP's time of k messages, with the node in place of a processor (A. Alexandrov et al., "LogGP: Incorporating Long
// Messages into the LogP Model", SPAA'95); the model's time is the longer of the two.
//
// Any exchange of messages of one size, m bytes on the wire, is bounded from both sides. Let k_l messages take link l
// which carries C_l (a message that is spread over several ways counts by the part that takes the link), and let each
// get its max-min fair share: at least the smallest of C_l / k_l on its way and its level's bandwidth. Then
//   - no message arrives later than when it would at that rate: an upper bound for the exchange;
//   - no link is done before k_l m / C_l, nor a message before it would be alone: a lower bound.
// The two differ by latencies and overheads only. The model is the case in which a node's link is the busiest of all,
// and its bytes are longer than latencies. With gaps, a message waits for at most all others of its node, and the last
// of them for no less than all others; where exchanges follow one another, for one message of the exchange before too.
//
// Where exchanges follow one another without a barrier the bounds hold for each on average, as long as none of a
// process's messages is left when it begins the next: a rendezvous, not an eager send.
#pragma once

#include <optional>
#include <vector>

#include "models/links.h"
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

/// Messages that all ranks start at the same time, those of one sender in this order one after another; receives are
/// posted before.
struct Exchange {
  std::vector<Message> messages;
  double bytes = 0;  // payload of each
  int times = 1;     // exchanges one after another, each process beginning the next when its own messages are through
};

/// The least and the greatest time of an exchange, on average if there are several.
struct ExchangeBounds {
  Seconds least, most;
  std::optional<Link> busiest;  // the link that is busy for longest; nothing where there is no message
  int messages = 0;             // that take it
  Seconds busy = {};            // how long at its full bandwidth
};

/// O(messages depth).
ExchangeBounds bound_exchange(const MessageCosts& costs, const std::vector<Binding>& ranks, const Exchange& exchange);

/// The model's time of an exchange: that of the node with the most messages leaving or coming, each of them counting as
/// a process. `outside` says why, where the bounds do not hold the exchange to within `tolerance` (relative) of it; it
/// tells the link that is busier than the node's, or how far latencies leave the bounds apart.
Prediction predict_max_rate(const Machine& machine, const std::vector<Binding>& ranks, const Exchange& exchange,
                            double tolerance);

}  // namespace strata::models
