// SPDX-License-Identifier: LGPL-2.1-only
// The path of a message: its latency, its uses of links, and the gate that it passes first.
#pragma once

#include <vector>

#include "flow/fair_shares.h"

namespace strata::flow {

struct Path {
  double latency_s = 0;
  double bandwidth = 0;               // B/s, of one message, independent of others
  std::vector<FairShares::Use> uses;  // of Flows' links
  int gate = -1;                      // of Flows'; -1: none
  double gate_s = 0;                  // how long the message keeps the gate closed for the next one
};

}  // namespace strata::flow
