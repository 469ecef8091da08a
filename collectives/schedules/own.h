// SPDX-License-Identifier: LGPL-2.1-only
// The collectives of Strata itself, which users call as MPIX_ functions: hierarchical ones, and those along the split
// tree. For example, the broadcast down the binomial tree of each level:
//
//   own_algorithms()[5]      {Operation::kBcast, OwnFamily::kHierarchical, "binomial", ...}
//
// Hierarchical algorithms need Collective::bridges. Those along the split tree take Settings::fanout as m, and use the
// tree over Collective::nodes if the call has nodes.
#pragma once

#include <span>

#include "base/words.h"
#include "collectives/schedules/collective.h"

namespace strata::collectives {

enum class OwnFamily { kHierarchical, kSplitTree };

inline constexpr Word<OwnFamily> kOwnFamilies[] = {{OwnFamily::kHierarchical, "hierarchical (RR-9077)"},
                                                   {OwnFamily::kSplitTree, "split tree (IJHPCA'19)"}};
constexpr const char* name_of(OwnFamily family) { return word_of(kOwnFamilies, family); }

struct OwnAlgorithm {
  Operation operation;
  OwnFamily family;
  const char* name;  // of the algorithm on each level: "binomial"; "tree" along the split tree
  Generator generate;
  bool has_segments = false, looks_at_nodes = false;
};

std::span<const OwnAlgorithm> own_algorithms();

}  // namespace strata::collectives
