// SPDX-License-Identifier: LGPL-2.1-only
// The times of a message or of a combination.
#pragma once

namespace strata::models {

struct Transfer {
  int from, to;      // ranks
  double start_s;    // the sender begins
  double flow_s;     // its first byte flows: start + latency
  double arrival_s;  // its last byte arrives
  double bytes = 0;  // of payload
};

/// When a rank combined two operands.
struct Combination {
  int rank;
  double start_s, done_s;
  double bytes;  // of each operand
};

}  // namespace strata::models
