// SPDX-License-Identifier: LGPL-2.1-only
// "What if": a copy of a machine with some figures changed. The source of every changed figure records its previous
// value and source.
#pragma once

#include <string>
#include <vector>

#include "platforms/machine.h"

namespace strata {

/// One changed figure.
struct WhatIf {
  std::string where;   // place of the change, for errors: "FILE:LINE: what_if[0]", "--set what_if..."
  std::string figure;  // LEVEL.latency, .overhead, .bandwidth or .link_bandwidth; core.speed; core.copy_bandwidth;
                       // core.combine_bandwidth; eager_limit; copies; memory.bandwidth, .combine_bandwidth,
                       // .cache_bandwidth or .shared_cache_bandwidth; torus.hop_latency, .injection or .links.x;
                       // dragonfly.hop_latency, .injection, .row, .column or .global; LEVEL.segments[0].from, .latency,
                       // .overhead or .bandwidth; LEVEL.receive_overhead, .send_copy and .receive_copy, also of
                       // segments; LEVEL.duplex_bandwidth; of the network's levels LEVEL.gap
  double value = 0;    // in `unit`; a factor if `unit` is empty
  std::string unit;
  std::string source;  // "measured[: how]", "published: where" or "assumed: why", as for every figure
};

/// `machine` with these figures changed, all at once. Its name, its description and the figures' sources then state
/// that it is a what-if, of which machine and of which figures; without changes the machine is returned unchanged.
/// A figure that is multiplied keeps its interval, in proportion; a given value has none. Throws InputError: a figure
/// that the machine does not have or that is changed twice, a value that is not above 0 (a
/// time may be 0; copies must be 1 or 2), a unit of another dimension, an overhead above its latency, a link bandwidth
/// or an injection below its bandwidth, segments out of order, a duplex bandwidth below a message's or above twice the
/// link's.
Machine what_if(Machine machine, const std::vector<WhatIf>& changes);

}  // namespace strata
