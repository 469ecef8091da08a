// SPDX-License-Identifier: LGPL-2.1-only
// The expected communicators of a split in which some ranks do not take part.
#pragma once

#include <iterator>
#include <set>
#include <vector>

#include "tests/mpi_ext/communicators.h"

namespace strata::mpix::testing {

// The expected communicators of a split in which only the ranks take part for which `asks` is true.
struct Siblings {
  int num_comms = 0, index = -1;
  Ranks members;
};

template <class Asks>
Siblings siblings_of(const std::vector<int>& group_of, int me, Asks asks) {
  std::set<int> groups;
  Siblings s;
  for (int r = 0; r < static_cast<int>(group_of.size()); ++r) {
    if (group_of[r] >= 0 && asks(r)) groups.insert(group_of[r]);
  }
  s.num_comms = static_cast<int>(groups.size());
  if (group_of[me] < 0 || !asks(me)) return s;
  s.index = static_cast<int>(std::distance(groups.begin(), groups.find(group_of[me])));
  for (int r = 0; r < static_cast<int>(group_of.size()); ++r) {
    if (group_of[r] == group_of[me] && asks(r)) s.members.push_back(r);
  }
  return s;
}

}  // namespace strata::mpix::testing
