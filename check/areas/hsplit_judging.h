// SPDX-License-Identifier: LGPL-2.1-only
// What the properties of the area hsplit have in common: words for what is wrong, and the comparison with the slow
// reading.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/areas/hsplit_properties.h"
#include "check/areas/slow_hierarchy.h"

namespace strata::check::hsplit {

using Wrong = std::optional<std::string>;

/// "{0,1}"
std::string set_of(const std::vector<int>& ranks);

/// "Core c1"
std::string called(const HsplitCase& c, int v);

/// By rank its node, where all are bound to whole nodes.
std::optional<std::vector<int>> whole_nodes(const HsplitCase& c);

/// Calls `look` with every communicator of the hierarchy, the first one (-1) too, until one is wrong.
template <class Look>
Judgement of_each(const mpix::Hierarchy& h, const Look& look) {
  for (int comm = -1; comm < static_cast<int>(h.comms.size()); ++comm) {
    if (std::optional<std::string> wrong = look(comm)) return Judgement::violated(*wrong);
  }
  return Judgement::holds();
}

/// The same with every family.
template <class Look>
Judgement of_each_family(const mpix::Hierarchy& h, const Look& look) {
  for (const mpix::Family& f : h.families) {
    if (std::optional<std::string> wrong = look(f)) return Judgement::violated(*wrong);
  }
  return Judgement::holds();
}

/// The first difference from the slow reading.
Wrong difference(const HsplitCase& c, const SlowHierarchy& expected, const mpix::Hierarchy& h);

/// The same as a judgement; `of_what` begins the message.
Judgement same_as(const HsplitCase& c, const SlowHierarchy& expected, const mpix::Hierarchy& h,
                  const std::string& of_what = "");

}  // namespace strata::check::hsplit
