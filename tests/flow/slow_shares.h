// SPDX-License-Identifier: LGPL-2.1-only
// Max-min fair shares, computed from scratch by progressive filling.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "flow/fair_shares.h"

namespace strata::flow {

struct SlowFlow {
  std::map<int, double> weights;  // by link
  double bound;

  std::vector<FairShares::Use> uses() const {
    std::vector<FairShares::Use> all;
    for (const auto& [link, weight] : weights) all.push_back({link, weight});
    return all;
  }
};

// All rates grow together. A flow stops at its bound, or when one of its links is full.
inline std::map<int, double> slow_shares(const std::vector<double>& capacities, const std::map<int, SlowFlow>& flows) {
  std::map<int, double> rates;
  while (rates.size() < flows.size()) {
    double level = 1e300;
    std::vector<double> share(capacities.size(), 1e300);
    for (size_t l = 0; l < capacities.size(); ++l) {
      double left = capacities[l];
      double takers = 0;
      for (const auto& [id, f] : flows) {
        const auto use = f.weights.find(static_cast<int>(l));
        if (use == f.weights.end()) continue;
        if (rates.count(id) > 0) {
          left -= use->second * rates[id];
        } else {
          takers += use->second;
        }
      }
      if (takers > 0) share[l] = left / takers;
      level = std::min(level, share[l]);
    }
    for (const auto& [id, f] : flows) {
      if (rates.count(id) == 0) level = std::min(level, f.bound);
    }
    std::vector<int> stopped;
    for (const auto& [id, f] : flows) {
      bool stops = f.bound <= level * (1 + 1e-12);
      for (const auto& [l, weight] : f.weights) stops = stops || share[l] <= level * (1 + 1e-12);
      if (stops && rates.count(id) == 0) stopped.push_back(id);
    }
    for (int id : stopped) rates[id] = level;
  }
  return rates;
}

}  // namespace strata::flow
