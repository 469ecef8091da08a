// SPDX-License-Identifier: LGPL-2.1-only
// Selects a level's figures for a message by the bytes of its payload: those of the last segment that begins at or
// below that size, or the level's own for messages shorter than the first segment.
#pragma once

#include "platforms/machine.h"

namespace strata {

struct MessageFigures {
  double latency_s, overhead_s;
  double bandwidth;                        // B/s
  double receive_overhead_s = 0;           // at most the latency less the overhead
  double send_copy = 0, receive_copy = 0;  // B/s; 0: that core does not copy the message

  /// The part of the latency in which neither core is busy.
  double wire_s() const { return latency_s - overhead_s - receive_overhead_s; }
  /// Whether the machine says which cores copy the message.
  bool states_copies() const { return send_copy > 0 || receive_copy > 0; }
};

/// Whether the two overheads fit into the latency that includes them. Sums of figures may be rounded.
bool fits_into_latency(const Figure& overhead, const Figure& receive_overhead, const Figure& latency);

/// Whether any of the level's messages states a copy.
bool states_copies(const LevelCosts& level);

/// O(segments).
MessageFigures figures_of(const LevelCosts& level, double payload_bytes);

/// The largest bandwidth at this level of one message of any size; B/s.
double widest_bandwidth(const LevelCosts& level);

}  // namespace strata
