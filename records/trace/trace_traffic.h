// SPDX-License-Identifier: LGPL-2.1-only
// The messages between the ranks of a trace, including those inside collectives.
#pragma once

#include "records/matrix/pattern.h"
#include "records/trace/trace.h"

namespace strata {

struct TraceTraffic {
  Pattern bytes;     // bytes of data, by sender and receiver
  Pattern messages;  // their number; includes messages without data, which `bytes` omits
};

/// O(steps of all ranks). Each step of a loop is read once, and counted as often as it happens.
TraceTraffic traffic_of(const Trace& trace);

}  // namespace strata
