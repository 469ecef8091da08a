// SPDX-License-Identifier: LGPL-2.1-only
// MPICH's whole tree of algorithms, as a file of rules must have it: the file replaces the tree, and a program that
// calls a collective without a branch ends in an assertion. mpich_decisions.h has the part that chooses schedules here;
// the rest are nonblocking and neighbourhood collectives, MPI_Gatherv and its like, and communicators of two groups.
//
// Source: maint/tuning/coll/mpir/generic.json of MPICH 4.0.2 and 4.2.2, which differ in the barrier.
#pragma once

#include <vector>

#include "collectives/rules/library.h"
#include "collectives/rules/rule_file.h"

namespace strata::collectives {

/// Below each collective of mpich_decisions() is comm_type=intra, and perhaps comm_type=inter.
std::vector<CselNode> mpich_whole_tree(const Library& library);

}  // namespace strata::collectives
