// SPDX-License-Identifier: LGPL-2.1-only
// Which steps depend on each other. Two steps are dependent if the program may behave differently when they are taken
// in the opposite order.
//
// For example, two sends to one mailbox are independent, unless there is ever a receive from any source in that mailbox
// that matches the tags of both, or a probe of that mailbox. Such receives and probes are discovered during an
// exploration. When a new one is found, the exploration starts again, so that all of it uses the same relation.
#pragma once

#include <set>
#include <utility>

#include "check/messages/explorer/step.h"

namespace strata::check {

class Dependence {
 public:
  /// Records a step. Returns true if it is a receive from any source, or a probe, that changes the relation.
  bool learn(const Step& step);

  bool dependent(const Step& a, const Step& b) const;

  /// Whether two steps can be dependent in any state of the relation.
  static bool may_be(const Step& a, const Step& b);

 private:
  std::set<std::pair<unsigned, int>> from_anybody_;  // mailbox and tag
  std::set<unsigned> probed_;                        // mailboxes
  bool unknown_ = false;                             // all sends to one mailbox may be dependent
};

}  // namespace strata::check
