// SPDX-License-Identifier: LGPL-2.1-only
// The messages between the ranks of a trace, the messages inside collectives included.
#pragma once

#include "records/matrix/pattern.h"
#include "records/trace/trace.h"

namespace strata {

struct TraceTraffic {
  Pattern bytes;     // of data, by sender and receiver
  Pattern messages;  // the same, with their number; a message without data counts here alone
};

/// O(steps of all ranks): what is repeated counts as often as it happens, and is looked at once.
TraceTraffic traffic_of(const Trace& trace);

}  // namespace strata
