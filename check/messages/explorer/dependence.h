// SPDX-License-Identifier: LGPL-2.1-only
// Which two steps depend on each other: a program may behave differently where they are taken in the other order.
//
// Sends to one mailbox are independent unless a receive from anybody, of that mailbox and with a tag that both have, is
// ever posted, or a probe ever looks there. Which receives and probes there are becomes known during an exploration.
// The exploration begins again when a new one turns up, so that all of it is made with one relation.
#pragma once

#include <set>
#include <utility>

#include "check/messages/explorer/step.h"

namespace strata::check {

class Dependence {
 public:
  /// Takes note of a step. True where it is a receive from anybody or a probe of a kind that was not known.
  bool learn(const Step& step);

  bool dependent(const Step& a, const Step& b) const;

  /// Whether two steps may depend on each other, before anything is learned.
  static bool may_be(const Step& a, const Step& b);

 private:
  std::set<std::pair<unsigned, int>> from_anybody_;  // mailbox and tag
  std::set<unsigned> probed_;                        // mailboxes
  bool unknown_ = false;                             // all may be
};

}  // namespace strata::check
