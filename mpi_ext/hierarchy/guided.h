// SPDX-License-Identifier: LGPL-2.1-only
// Splits that go further than one step down the tree: by the instances of a hardware resource (MPI 4.0,
// MPI_COMM_TYPE_HW_GUIDED), or straight to a level of the hierarchy; and the effects of keys and absent members on a
// split. Pure: values in, a Hierarchy out.
//
// Cost: O(members x levels), and O(members log members) where something is sorted.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mpi_ext/hierarchy/split.h"

namespace strata::mpix {

/// A communicator for each instance of a resource, in the order of the instances' numbers. `instance` is indexed by
/// member, -1 for a member that is within no instance. `vertices` are the members' places in the tree. A communicator
/// may hold all members.
Hierarchy split_by_instance(std::span<const int> parent, std::span<const int> vertices, std::span<const int> instance);

/// Names a level of the hierarchy.
struct LevelHint {
  std::string name;  // of the communicators there, in upper or lower case; if empty:
  int splits = 0;    // how many splits in a row lead there, at least 1
};

/// Parses the value of the info key "mpix_hlevel". Empty if it is neither a name nor a number above 0; a value that
/// begins with a digit or a sign is not a name. A number that is too large for an int means a level beyond all levels.
std::optional<LevelHint> parse_level_hint(const std::string& value);

/// The hierarchy in which every split goes straight to the hinted level: the outermost communicator below with the
/// given name, or the one after the given number of splits. `h` is whole; `name` returns a communicator's name.
/// Siblings are all communicators that one such split makes of one communicator. Members without such a level get none.
Hierarchy split_to_level(const Hierarchy& h, const LevelHint& hint,
                         const std::function<std::string(const Communicator&)>& name);

/// A member's request in a split.
struct Wish {
  int takes_part = 1;  // 0: it gets no communicator
  int key = 0;         // members are ordered by key, then by rank
};

/// The first level of `h` with these wishes. A communicator in which no member takes part is removed. Names stay those
/// of the remaining members.
Hierarchy with_wishes(const Hierarchy& h, std::span<const int> parent, std::span<const int> vertices,
                      std::span<const Wish> wishes);

}  // namespace strata::mpix
