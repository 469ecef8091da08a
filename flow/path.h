// SPDX-License-Identifier: LGPL-2.1-only
// The way of a message: its latency, what it takes of which links, and the gate that it passes first.
#pragma once

#include <vector>

#include "flow/fair_shares.h"

namespace strata::flow {

struct Path {
  double latency_s = 0;
  double bandwidth = 0;               // B/s, of one message, whoever else is there
  std::vector<FairShares::Use> uses;  // of Flows' links
  int gate = -1;                      // of Flows'; -1: none
  double gate_s = 0;                  // what the message keeps the gate closed for those after it
};

}  // namespace strata::flow
