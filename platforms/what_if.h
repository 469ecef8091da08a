// SPDX-License-Identifier: LGPL-2.1-only
// "What if": a copy of a machine with some figures changed, whose every changed figure says what it
// stood at before and where that came from.
#pragma once

#include <string>
#include <vector>

#include "platforms/machine.h"

namespace strata {

/// One changed figure.
struct WhatIf {
  std::string where;   // who says so, for errors: "FILE:LINE: what_if[0]", "--set what_if..."
  std::string figure;  // LEVEL.latency, .overhead, .bandwidth or .link_bandwidth; core.speed; core.copy_bandwidth;
                       // core.combine_bandwidth; eager_limit; copies; memory.bandwidth, .combine_bandwidth
                       // or .cache_bandwidth; torus.hop_latency, .injection or .links.x; dragonfly.hop_latency,
                       // .injection, .row, .column or .global; LEVEL.segments[0].from, .latency, .overhead or
                       // .bandwidth; LEVEL.duplex_bandwidth; of the network's levels LEVEL.gap
  double value = 0;    // in `unit`; without one a factor
  std::string unit;
  std::string source;  // "measured[: how]", "published: where" or "assumed: why", as every figure's
};

/// `machine` with these figures changed, all at once. Its name, its description and the figures' sources say that it is
/// a what-if, of which machine and of which figures; without changes it is the machine as it was. Throws InputError: a
/// figure that the machine does not have or that is changed twice, a value that is not above 0 (a time may be 0; copies
/// must be 1 or 2), a unit of another dimension, an overhead above its latency, a link bandwidth or an injection below
/// its bandwidth, segments out of order, a duplex bandwidth below a message's or above twice the link's.
Machine what_if(Machine machine, const std::vector<WhatIf>& changes);

}  // namespace strata
