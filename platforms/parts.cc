// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/parts.h"

#include <algorithm>

namespace strata {

void merge(std::vector<Fabric::Part>& parts, long first) {
  const auto begin = parts.begin() + first;
  // Stable, so that the parts of a link are always added in the same order.
  std::stable_sort(begin, parts.end(), [](const Fabric::Part& a, const Fabric::Part& b) { return a.link < b.link; });
  auto last = begin;
  for (auto p = begin; p != parts.end(); ++p) {
    if (p == begin) continue;
    if (p->link == last->link) {
      last->part += p->part;
    } else {
      *++last = *p;
    }
  }
  if (begin != parts.end()) parts.erase(last + 1, parts.end());
}

}  // namespace strata
