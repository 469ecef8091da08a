// SPDX-License-Identifier: LGPL-2.1-only
#include "scenarios/gone_values.h"

#include <algorithm>
#include <string>
#include <vector>

#include "scenarios/quantities.h"
#include "scenarios/sweep.h"

namespace strata {

void prune_removed(Study& s) {
  const auto has = [&](const std::string& name, const Json& value) {
    const Axis* axis = find_axis(s, name);
    const auto known = [&](const Json& v) {
      return std::find(axis->values.begin(), axis->values.end(), v) != axis->values.end();
    };
    return axis != nullptr && (value.is_array() ? std::all_of(value.begin(), value.end(), known) : known(value));
  };
  std::erase_if(s.derived, [&](const Derived& d) {
    const bool over = d.over.is_null() ? find_axis(s, d.axis)->values.size() > 1 : has(d.axis, d.over);
    return !over || !has(d.axis, d.under);
  });
  const std::vector<std::string> quantities = quantities_of(s);
  const auto known = [&](const std::string& quantity) {
    return std::find(quantities.begin(), quantities.end(), quantity) != quantities.end();
  };
  std::erase_if(s.plots, [&](const Plot& p) { return !known(p.y); });
  std::erase_if(s.claims, [&](const Claim& c) {
    return !known(c.quantity) ||
           std::any_of(c.where.items().begin(), c.where.items().end(),
                       [&](const auto& condition) { return !has(condition.key(), condition.value()); });
  });
}

}  // namespace strata
