// SPDX-License-Identifier: LGPL-2.1-only
// Facts that gather and scatter need about a hierarchy: how many ranks are below each member of a bridge (whole.h),
// and in which order they come up. Learned once for a hierarchy, at the first of these collectives.
#pragma once

#include <mpi.h>

#include <vector>

#include "mpi_ext/coll/blocks.h"
#include "mpi_ext/hierarchy/whole.h"

namespace strata::mpix {

struct Subtrees {
  /// For each of bridges_of(h): the blocks of member i, the ranks below it and itself, are those from begins[i] up to
  /// begins[i + 1] of the bridge's.
  std::vector<std::vector<long>> begins;
  /// On rank 0 alone: whose block is the i-th, when all have come up.
  std::vector<int> order;
};

/// Collective over the hierarchy at the first call, local later. Throws Unreported or ReportedByMpi.
const Subtrees& subtrees_of(MPIX_Hierarchy_s& h);

/// How many blocks the caller holds at most while they go up or down.
long blocks_held(const MPIX_Hierarchy_s& h, const Subtrees& subtrees, int algorithm);

/// Up the bridges to rank 0, innermost first: on entry the caller's block is the first of `blocks`, which has room for
/// blocks_held; on return rank 0 has all in the order of `subtrees`. Collective. Throws Unreported.
void gather_up(const MPIX_Hierarchy_s& h, const Subtrees& subtrees, void* blocks, const Block& block, int algorithm);
/// Down the bridges from rank 0, outermost first: the reverse.
void scatter_down(const MPIX_Hierarchy_s& h, const Subtrees& subtrees, void* blocks, const Block& block, int algorithm);

}  // namespace strata::mpix
