// SPDX-License-Identifier: LGPL-2.1-only
// When each message of a schedule starts and arrives, if links have enough bandwidth for the messages of different
// cores.
//
// Let m be a message's payload plus the envelope, and L, o, r, b the latency, overhead, receive overhead and bandwidth
// of messages of its size where two cores meet. In Hockney's model the first byte of a message that starts at s flows
// at s + L; alone, the message arrives m/b later. LogGP: at s + L - r, and its receiver has taken it r after it
// arrived.
//
//   Hockney   A message keeps both ends busy from its start until it has arrived, and starts when both are ready: its
//             sender has called and its receiver has posted the receive. A process takes its messages one at a time, in
//             the order in which it posted their receives; it may send one meanwhile, and sends one after another also
//             those that it started at once.
//   LogGP     The sender is busy for o with each message. An eager one (payload below the eager limit) starts when the
//             sender calls. Rendezvous: starts when both have called (the receiver may come o later, while the sender
//             prepares), and the sender's buffer is free when it has arrived. Messages that leave one core share links
//             (departures.h): the gap G is that of the link. Messages to one process may come at the same time. The
//             receiver is busy for r with each message that it waits for, once it has arrived: k messages that are
//             there take k r, one after another.
//
// A receiver continues when it waits for the message and the message has arrived (LogGP: and it has taken it).
// Combining costs bytes / combine_bandwidth of the core, computing flops / its speed. Evaluation follows the
// dependences in O(messages log messages), and for LogGP also time, in O(messages of the core in flight) for each
// message, so 16,384 ranks are not a problem.
#pragma once

#include <optional>
#include <vector>

#include "models/contention.h"
#include "models/message_cost.h"
#include "models/schedule.h"
#include "models/transfer.h"
#include "platforms/placement.h"

namespace strata::models {

enum class CostModel { kHockney, kLogGP };

struct Timing {
  std::vector<Transfer> transfers;          // by sender, then in the order of its sends
  std::vector<std::vector<double>> done_s;  // by rank: when each of its operations is done
  std::vector<Combination> combinations;    // in no order
  Seconds completion;                       // of the last rank
  Seconds mean_completion;                  // of the ranks: the mean of when each has done its last operation
  std::optional<Contention> contention;     // LogGP: where messages of different cores had no room
};

/// Whether messages of this payload release their sender before they arrive.
bool is_eager(const Machine& machine, double payload_bytes);

/// Throws std::logic_error if sends and receives do not match or ranks wait for each other in a cycle.
Timing time_schedule(const MessageCosts& costs, const std::vector<Binding>& ranks, const Schedule& schedule,
                     CostModel model);

}  // namespace strata::models
