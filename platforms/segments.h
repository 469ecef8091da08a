// SPDX-License-Identifier: LGPL-2.1-only
// Which figures of a level hold for a message, by the bytes of its payload: those of the last segment that begins at
// them or below, or the level's own for messages shorter than the first segment's.
#pragma once

#include "platforms/machine.h"

namespace strata {

struct MessageFigures {
  double latency_s, overhead_s;
  double bandwidth;  // B/s
};

/// O(segments).
MessageFigures figures_of(const LevelCosts& level, double payload_bytes);

/// The most that one message of any size gets at the level; B/s.
double widest_bandwidth(const LevelCosts& level);

}  // namespace strata
