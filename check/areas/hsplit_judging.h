// SPDX-License-Identifier: LGPL-2.1-only
// Helpers of the properties of the area hsplit: texts of violations, and the comparison with the slow hierarchy.
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

/// The node of each rank, if all ranks are bound to whole nodes.
std::optional<std::vector<int>> whole_nodes(const HsplitCase& c);

/// Calls `look` for every communicator of the hierarchy, including the first one (-1), until one is wrong.
template <class Look>
Judgement of_each(const mpix::Hierarchy& h, const Look& look) {
  for (int comm = -1; comm < static_cast<int>(h.comms.size()); ++comm) {
    if (std::optional<std::string> wrong = look(comm)) return Judgement::violated(*wrong);
  }
  return Judgement::holds();
}

/// The same for every family of siblings.
template <class Look>
Judgement of_each_family(const mpix::Hierarchy& h, const Look& look) {
  for (const mpix::Family& f : h.families) {
    if (std::optional<std::string> wrong = look(f)) return Judgement::violated(*wrong);
  }
  return Judgement::holds();
}

/// The first difference from the slow hierarchy.
Wrong difference(const HsplitCase& c, const SlowHierarchy& expected, const mpix::Hierarchy& h);

/// The same as a judgement; `of_what` is the start of the message.
Judgement same_as(const HsplitCase& c, const SlowHierarchy& expected, const mpix::Hierarchy& h,
                  const std::string& of_what = "");

}  // namespace strata::check::hsplit
