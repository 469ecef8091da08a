// SPDX-License-Identifier: LGPL-2.1-only
// Splits that are not just one step down the tree: by the instances of a hardware resource (MPI 4.0,
// MPI_COMM_TYPE_HW_GUIDED), straight to a level of the hierarchy, and what keys and absent members make of a split.
// Pure: values in, a Hierarchy out.
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

/// A communicator for each instance of a resource, in the order of the instances' numbers: `instance` is by member, -1
/// for who is within none. `vertices` say where the members are on the tree. There may be one that holds all members.
Hierarchy split_by_instance(std::span<const int> parent, std::span<const int> vertices, std::span<const int> instance);

/// Names a level of the hierarchy.
struct LevelHint {
  std::string name;  // of the communicators there, in upper or lower case; where empty:
  int splits = 0;    // how many splits in a row lead there, at least 1
};

/// Reads the value of the info key "mpix_hlevel". Nothing where it is neither a name nor a number above 0; what begins
/// with a digit or a sign is not a name. A number that does not fit is beyond all levels.
std::optional<LevelHint> parse_level_hint(const std::string& value);

/// The hierarchy in which every split goes straight to the hinted level: the outermost communicator below that has the
/// name, or the one that this many splits give. `h` is whole, and `name` gives a communicator's name. Siblings are all
/// that one such split makes of one communicator; members without such a level get none.
Hierarchy split_to_level(const Hierarchy& h, const LevelHint& hint,
                         const std::function<std::string(const Communicator&)>& name);

/// A member's request in a split.
struct Wish {
  int takes_part = 1;  // 0: it gets no communicator
  int key = 0;         // members are ordered by it, then by rank
};

/// The first level of `h` with these wishes: communicators of nobody who takes part do not exist. Names stay those of
/// the members who are left.
Hierarchy with_wishes(const Hierarchy& h, std::span<const int> parent, std::span<const int> vertices,
                      std::span<const Wish> wishes);

}  // namespace strata::mpix
