// SPDX-License-Identifier: LGPL-2.1-only
#include "models/vectors.h"

#include <vector>

#include "models/gather.h"
#include "models/group.h"

namespace strata::models {

Schedule vectors_schedule(const Hierarchy& hierarchy, double bytes) {
  Schedule schedule(hierarchy.np);
  for (auto bridge = hierarchy.bridges.rbegin(); bridge != hierarchy.bridges.rend(); ++bridge) {
    add_gather(schedule, Algorithm::kLinear, Group(*bridge), std::vector<double>(bridge->size(), bytes));
    for (size_t i = 0; bytes > 0 && i < bridge->size(); ++i) combine(schedule, bridge->front(), bytes);
  }
  return schedule;
}

}  // namespace strata::models
