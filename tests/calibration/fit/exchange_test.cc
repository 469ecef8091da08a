// SPDX-License-Identifier: LGPL-2.1-only
// Overheads from an exchange, against the times of exchanges with these overheads.
#include "calibration/fit/exchange.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace strata::calibration {
namespace {

// As exchange.h has it.
double exchange_s(double latency, double sent, double received) {
  const double wire = latency - sent - received;
  return std::max(std::max(2 * sent, sent + wire) + received, 2 * sent + wire) + received;
}

TEST(Exchange, GivesItsOverheadsAgain) {
  constexpr double kLatency = 1;
  int found = 0;
  for (double sent = 0; sent <= kLatency; sent += 0.01) {
    for (double received = 0; sent + received <= kLatency; received += 0.01) {
      const double exchange = exchange_s(kLatency, sent, received);
      if (const auto again = receive_overhead_of_exchange(exchange, kLatency, sent)) {
        EXPECT_NEAR(exchange_s(kLatency, sent, *again), exchange, 1e-12) << sent << " " << received;
        EXPECT_NEAR(*again, received, 1e-12) << sent;
        ++found;
      } else {
        EXPECT_NEAR(exchange, exchange_s(kLatency, sent, 0), 0.1 * sent + 1e-12) << sent << " " << received;
      }
    }
    if (2 * sent <= kLatency) {
      EXPECT_NEAR(overhead_of_exchange(exchange_s(kLatency, sent, sent), kLatency), sent, 1e-12);
    }
  }
  EXPECT_GT(found, 2000);
  EXPECT_EQ(receive_overhead_of_exchange(2.5, 2, 0.4), 0.5);
  EXPECT_EQ(overhead_of_exchange(0.9, kLatency), 0) << "faster than a ping-pong";
}

}  // namespace
}  // namespace strata::calibration
