// SPDX-License-Identifier: LGPL-2.1-only
// A case of the area "mapping": a small machine, the places of its processes, and the messages between the
// application's ranks. Also keys, simpler cases and drawings.
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
  std::vector<int> place;   // by old rank: its vertex, in a node; several ranks may share one
  std::vector<Flow> flows;  // between application ranks: one entry for each pair, sorted by pair, whole bytes

  int ranks() const { return static_cast<int>(place.size()); }
};

/// "s2m2ccm2cc+2.3.5.6+0-1=5,1-0=5,2-2=1": the machine as text_of(SmallMachine) writes it, the vertex of each rank, and
/// entries SENDER-RECEIVER=BYTES, or "none".
std::string mapping_key(const MappingCase& c);
/// Throws InputError that names the wrong character.
MappingCase read_mapping(const std::string& key);

/// Cases with fewer ranks, vertices or bytes, the smallest first. If there are many ranks or entries, whole parts are
/// removed at once.
std::vector<MappingCase> smaller_mappings(const MappingCase& c);

/// Equal for cases that differ only in the order of siblings or, with up to kNamesTried ranks, in the ranks' names.
std::uint64_t fingerprint(const MappingCase& c);
inline constexpr int kNamesTried = 6;

struct MappingBounds {
  int ranks = 0;     // processes
  int size = 0;      // processes plus levels of the machine below its root
  int directed = 0;  // largest number of ranks for patterns with different bytes in the two directions
  int weighted = 0;  // largest number of ranks for patterns with kLargeEntry
};

/// All cases up to the order of siblings and the ranks' names, from small to large. Every leaf of the machine has a
/// process. In addition, there are machines with one empty leaf, only with a chain of ranks as the pattern, because the
/// code under check first removes parts without processes. Cases with one or two ranks also have messages to self.
/// Stops and returns false if `visit` returns false.
bool for_each_mapping(const MappingBounds& bounds, const std::function<bool(const MappingCase&)>& visit);

/// The number of cases if cases with different names of ranks are counted separately: each pattern on each placement.
long named_mappings(const MappingBounds& bounds);

/// A case beyond the bounds: up to hundreds of ranks; stencils, groups, stars, sparse and dense patterns. Half of the
/// cases have at most 8 ranks, and a tenth more than 40.
MappingCase random_mapping(std::mt19937_64& random);

}  // namespace strata::check
