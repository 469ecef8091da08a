// SPDX-License-Identifier: LGPL-2.1-only
// Samples of the traffic on the machine's links, for a timeline's counters.
#pragma once

#include <vector>

#include "records/samples.h"

namespace strata {

struct LinkRates {
  double period_s = 0;  // 0: the run was not sampled
  std::vector<LinkSample> samples = {};
};

}  // namespace strata
