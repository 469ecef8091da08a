// SPDX-License-Identifier: LGPL-2.1-only
// Overheads from an exchange of two ranks. Each sends two messages to the other, as in IMB's Exchange or
// HPCC's ring: both post their receives, send, and wait. Each takes the first message when it has arrived and both of
// its own are sent, and the second message when it has taken the first:
//
//   start    = max(2 o_s, o_s + w),   w = latency - o_s - o_r: the part of a ping-pong's latency with no core busy
//   exchange = max(start + o_r, 2 o_s + w) + o_r
//
// For example, with a latency of 2 us and o_s = 0.4 us, an exchange of 2.5 us shows o_r = 0.5 us: the second message
// arrives while the first is taken.
//
// Source: LogGP (A. Alexandrov, M. Ionescu, K. Schauser, C. Scheiman, SPAA 1995), for messages without bytes.
#pragma once

#include <optional>

namespace strata::calibration {

/// All times in s. Empty: the sender determines the time, and any short receive overhead gives it.
std::optional<double> receive_overhead_of_exchange(double exchange_s, double latency_s, double overhead_s);

/// The overhead of both sides, if it is the same. Not negative; 0 if the exchange is as fast as a ping-pong.
double overhead_of_exchange(double exchange_s, double latency_s);

}  // namespace strata::calibration
