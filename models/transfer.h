// SPDX-License-Identifier: LGPL-2.1-only
// When a message was on its way, or a combination went on.
#pragma once

namespace strata::models {

struct Transfer {
  int from, to;      // ranks
  double start_s;    // the sender begins with it
  double flow_s;     // its first byte flows: start + latency
  double arrival_s;  // its last byte is there
  double bytes = 0;  // of payload
};

/// When a rank combined two operands.
struct Combination {
  int rank;
  double start_s, done_s;
  double bytes;  // of each operand
};

}  // namespace strata::models
