// SPDX-License-Identifier: LGPL-2.1-only
// Data that gather and scatter need about a hierarchy: the number of ranks below each member of a bridge (whole.h), and
// the order in which their blocks arrive at rank 0. Computed once per hierarchy, at the first of these collectives.
#pragma once

#include <mpi.h>

#include <vector>

#include "mpi_ext/coll/blocks.h"
#include "mpi_ext/hierarchy/whole.h"

namespace strata::mpix {

struct Subtrees {
  /// For each of bridges_of(h): member i's blocks, those of itself and of the ranks below it, are blocks begins[i] up
  /// to begins[i + 1] of the bridge.
  std::vector<std::vector<long>> begins;
  /// Only on rank 0: the rank whose block is the i-th after all blocks have arrived.
  std::vector<int> order;
};

/// Collective over the hierarchy at the first call, local later. Throws Unreported or ReportedByMpi.
const Subtrees& subtrees_of(MPIX_Hierarchy_s& h);

/// The largest number of blocks that the caller holds while they move up or down.
long blocks_held(const MPIX_Hierarchy_s& h, const Subtrees& subtrees, int algorithm);

/// Gathers up the bridges to rank 0, innermost first. On entry the caller's block is the first of `blocks`, which has
/// room for blocks_held; on return rank 0 has all blocks in the order of `subtrees`. Collective. Throws Unreported.
void gather_up(const MPIX_Hierarchy_s& h, const Subtrees& subtrees, void* blocks, const Block& block, int algorithm);
/// Scatters down the bridges from rank 0, outermost first: the reverse of gather_up.
void scatter_down(const MPIX_Hierarchy_s& h, const Subtrees& subtrees, void* blocks, const Block& block, int algorithm);

}  // namespace strata::mpix
