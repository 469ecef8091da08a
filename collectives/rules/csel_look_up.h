// SPDX-License-Identifier: LGPL-2.1-only
// Goes down MPICH's tree of tests (csel_file.h) for a call. MPICH has done a part of the way when it made the
// communicator, up to the first test of the message. This matters because there, `comm_size<8` means below 8, and below
// a test of the message it means at most 8.
//
// Source: prune_tree, MPIR_Csel_prune, MPIR_Csel_search, get_total_msgsize and get_count in src/mpi/coll/src/csel.c of
// MPICH 4.0.2, 4.2.3 and 5.0.1.
#pragma once

#include <vector>

#include "collectives/rules/rule_file.h"

namespace strata::collectives {

/// The tests that hold, from the root of the tree to the leaf; empty if MPICH finds none.
std::vector<const CselNode*> find_path(const std::vector<CselNode>& tree, const Library& library, const Call& call);

}  // namespace strata::collectives
