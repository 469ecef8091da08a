// SPDX-License-Identifier: LGPL-2.1-only
// What the area "mapping" asks the mappings: a small machine, where its processes are, and what the application's ranks
// send each other. Keys, simpler cases and drawings of it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "check/areas/patterns.h"
#include "check/areas/small_machines.h"

namespace strata::check {

struct MappingCase {
  SmallMachine machine;
  std::vector<int> place;   // by old rank: the vertex it is on, in a node; several may share one
  std::vector<Flow> flows;  // between the application's ranks: one a pair, in the order of pairs, whole bytes

  int ranks() const { return static_cast<int>(place.size()); }
};

/// "s2m2ccm2cc+2.3.5.6+0-1=5,1-0=5,2-2=1": the machine as text_of(SmallMachine) has it, the vertex of each rank, and
/// who sends how many bytes to whom, or "none".
std::string mapping_key(const MappingCase& c);
/// Throws InputError, with the character that is wrong.
MappingCase read_mapping(const std::string& key);

/// Cases with fewer ranks, vertices or bytes, the smallest first. Where there are many ranks or entries, whole parts
/// are left out at once.
std::vector<MappingCase> smaller_mappings(const MappingCase& c);

/// The same number for cases that differ only in the order of siblings or, with up to kNamesTried ranks, in the ranks'
/// names.
std::uint64_t fingerprint(const MappingCase& c);
inline constexpr int kNamesTried = 6;

struct MappingBounds {
  int ranks = 0;     // processes
  int size = 0;      // processes and levels of the machine below its root, together
  int directed = 0;  // up to so many ranks what two send each other may differ; beyond it is the same both ways
  int weighted = 0;  // up to so many ranks entries are 0, 1 or kLargeEntry; beyond 0 or 1
};

/// All cases up to the order of siblings and the ranks' names, from small to large. Every leaf of the machine has a
/// process; machines with one leaf more come with a chain of ranks as the pattern, because parts without processes are
/// cut off before anything else is done. One or two ranks also send to themselves. Ends and returns false when `visit`
/// does.
bool for_each_mapping(const MappingBounds& bounds, const std::function<bool(const MappingCase&)>& visit);

/// The number of cases if those that differ in the ranks' names count: each pattern on each placement.
long named_mappings(const MappingBounds& bounds);

/// Beyond the bounds: up to hundreds of ranks; stencils, groups, stars, sparse and dense patterns. Half of the cases
/// have up to 8 ranks, a tenth more than 40.
MappingCase random_mapping(std::mt19937_64& random);

}  // namespace strata::check
