// SPDX-License-Identifier: LGPL-2.1-only
// The definition of splits on sets of PUs: slow, obvious, and without a line of the code under check.
//
// The object of a communicator is the deepest whose PUs include the bindings of all members (RR-9077, Algorithm 1);
// each child object whose PUs include a member's whole binding is a communicator.
#pragma once

#include <functional>
#include <vector>

#include "check/areas/small_machines.h"

namespace strata::check {

/// The deepest object whose PUs include `set`, by trying all; -1 where there is none.
int slow_cover(const SmallMachine& machine, Pus set);

/// The PUs of some ranks.
Pus union_of(const std::vector<Pus>& bindings, const std::vector<int>& ranks);

/// 0 to n - 1.
std::vector<int> first_ranks(int n);

/// All that a member knows of a communicator.
struct SlowComm {
  std::vector<int> members, roots;
  int cover = -1, index = 0, num_comms = 0;
  bool operator==(const SlowComm&) const = default;
};

/// By rank the communicators it is in, outermost first, as numbers of `comms`.
struct SlowHierarchy {
  std::vector<SlowComm> comms;
  std::vector<std::vector<int>> levels;
};

/// Adds siblings with these members, in the order of their indexes.
void add_siblings(const SmallMachine& machine, const std::vector<Pus>& bindings,
                  const std::vector<std::vector<int>>& members, SlowHierarchy& hierarchy);

/// The members of the communicators that `ranks` split into.
std::vector<std::vector<int>> slow_split(const SmallMachine& machine, const std::vector<Pus>& bindings,
                                         const std::vector<int>& ranks);

/// Split again and again.
SlowHierarchy slow_hierarchy(const SmallMachine& machine, const std::vector<Pus>& bindings);

/// Split straight to a level again and again: to the first communicators on the way down for which `is_there` is true,
/// given the number of splits since the last such level and their object.
SlowHierarchy slow_jumps(const SmallMachine& machine, const std::vector<Pus>& bindings,
                         const std::function<bool(int splits, int cover)>& is_there);

}  // namespace strata::check
