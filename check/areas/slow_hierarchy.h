// SPDX-License-Identifier: LGPL-2.1-only
// The definition of splits on sets of PUs: slow and obvious, and independent of the code under check.
//
// The object of a communicator is the deepest object whose PUs include the bindings of all members (RR-9077, Algorithm
// 1). Each child object whose PUs include the whole binding of a member is a new communicator.
#pragma once

#include <functional>
#include <vector>

#include "check/areas/small_machines.h"

namespace strata::check {

/// The deepest object whose PUs include `set`, found by trying all objects; -1 if there is none.
int slow_cover(const SmallMachine& machine, Pus set);

/// The PUs of some ranks together.
Pus union_of(const std::vector<Pus>& bindings, const std::vector<int>& ranks);

/// 0 to n - 1.
std::vector<int> first_ranks(int n);

/// The information that a member has about its communicator.
struct SlowComm {
  std::vector<int> members, roots;
  int cover = -1, index = 0, num_comms = 0;
  bool operator==(const SlowComm&) const = default;
};

/// By rank, the communicators that contain it, outermost first, as indexes into `comms`.
struct SlowHierarchy {
  std::vector<SlowComm> comms;
  std::vector<std::vector<int>> levels;
};

/// Adds sibling communicators with these members, in the order of their indexes.
void add_siblings(const SmallMachine& machine, const std::vector<Pus>& bindings,
                  const std::vector<std::vector<int>>& members, SlowHierarchy& hierarchy);

/// The members of the communicators that result from splitting `ranks`.
std::vector<std::vector<int>> slow_split(const SmallMachine& machine, const std::vector<Pus>& bindings,
                                         const std::vector<int>& ranks);

/// Splits recursively.
SlowHierarchy slow_hierarchy(const SmallMachine& machine, const std::vector<Pus>& bindings);

/// Splits recursively, but directly to selected levels: each split goes down to the first communicators for which
/// `is_there` returns true, given the number of splits since the previous selected level, and the communicator's
/// object.
SlowHierarchy slow_jumps(const SmallMachine& machine, const std::vector<Pus>& bindings,
                         const std::function<bool(int splits, int cover)>& is_there);

}  // namespace strata::check
