// SPDX-License-Identifier: LGPL-2.1-only
// When each message of a schedule starts and arrives, if no link is asked for more than it carries.
//
// Let m be a message's payload plus the envelope, and L, o, b the latency, overhead and bandwidth where two cores meet,
// of messages of its size.
// A message that starts at s arrives at s + L + m/b; its bytes flow in the last m/b of that.
//
//   Hockney   A message keeps both ends busy from its start until it has arrived, and starts when both are ready: its
//             sender has called and its receiver has posted the receive. A process takes its messages one at a time, in
//             the order in which it posted their receives; it may send one meanwhile.
//   LogGP     Eager (payload below the eager limit): the sender is busy for o, and its core's up link, of bandwidth B,
//             for m G with G = 1/B: the next message starts no earlier than max(o, m/B) after this one.
//             Rendezvous: starts when both have called (the receiver may come o later, while the sender prepares); the
//             sender is busy for o, and its buffer is free when the message has arrived. Messages to one process may
//             come at the same time.
//
// A receiver goes on when the message has arrived and it waits for it; receiving costs it nothing more. Combining costs
// bytes / combine_bandwidth of the core, computing flops / its speed. Evaluation follows the dependences, O(messages
// log messages), so that 16,384 ranks are ordinary.
#pragma once

#include <vector>

#include "models/message_cost.h"
#include "models/schedule.h"
#include "platforms/placement.h"

namespace strata::models {

enum class CostModel { kHockney, kLogGP };

struct Transfer {
  int from, to;      // ranks
  double start_s;    // the sender begins with it
  double flow_s;     // its first byte flows: start + latency
  double arrival_s;  // its last byte is there
  double bytes = 0;  // of payload
};

struct Timing {
  std::vector<Transfer> transfers;          // by sender, then in the order of its sends
  std::vector<std::vector<double>> done_s;  // by rank: when each of its operations is done
  Seconds completion;                       // of the last rank
  Seconds mean_completion;                  // of the ranks: the mean of when each has done its last operation
  int waited_for_link =
      -1;  // LogGP: the first rank that had a message wait for the one before to leave its link, or -1
};

/// Whether messages of this payload leave their sender free before they arrive.
bool is_eager(const Machine& machine, double payload_bytes);

/// Throws std::logic_error where sends and receives do not match or ranks wait for each other in a circle.
Timing time_schedule(const MessageCosts& costs, const std::vector<Binding>& ranks, const Schedule& schedule,
                     CostModel model);

}  // namespace strata::models
