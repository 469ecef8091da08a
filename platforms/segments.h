// SPDX-License-Identifier: LGPL-2.1-only
// Selects a level's figures for a message by the bytes of its payload: those of the last segment that begins at or
// below that size, or the level's own for messages shorter than the first segment.
#pragma once

#include "platforms/machine.h"

namespace strata {

struct MessageFigures {
  double latency_s, overhead_s;
  double bandwidth;  // B/s
};

/// O(segments).
MessageFigures figures_of(const LevelCosts& level, double payload_bytes);

/// The largest bandwidth at this level of one message of any size; B/s.
double widest_bandwidth(const LevelCosts& level);

}  // namespace strata
