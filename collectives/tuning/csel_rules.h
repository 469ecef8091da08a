// SPDX-License-Identifier: LGPL-2.1-only
// MPICH's file of rules (rules/csel_file.h) from the choices of cells. For example, choices of a broadcast on 16 and 64
// ranks become
//
//   collective=bcast, comm_type=intra
//     comm_size<=15                  the library's own tree
//     comm_size<=63
//       avg_msg_size<65536           the library's own tree
//       avg_msg_size=any             MPIR_Bcast_intra_scatter_ring_allgather
//     comm_size=any                  ...
//
// As in Open MPI's files (tuned_rules.h), a choice applies from its size on up to the next one, and so do those of a
// number of ranks. If an algorithm does not suit all of these calls, for example one for a power of two of ranks, tests
// before it lead the others to the library's own tree. The file has the library's trees of all other collectives,
// because it replaces them.
//
// The device must not compose the collectives with choices (rules/mpich_variables.h): it would not look at the file.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "collectives/tuning/tuned_rules.h"

namespace strata::collectives {

/// The operations that have a choice other than the library's own (algorithm 0).
std::set<Operation> with_choices(const std::vector<CellChoice>& choices);

/// MPICH does not test the size of barriers and scans. If their choices for one number of ranks differ, the library
/// decides.
void agree_on_sizes(std::vector<CellChoice>& choices);

/// `library`: a release of MPICH. `choices` have names and agree on sizes; in any order, each cell once.
RuleFile csel_rules_of(const std::vector<CellChoice>& choices, const Library& library);

/// As differs() of tuned_rules.h, for a device that does not compose the collectives with choices. The ranks of the
/// cells are on nodes that `nodes` says by number of ranks.
std::optional<Cell> csel_differs(const RuleFile& file, const Library& library, const std::vector<CellChoice>& choices,
                                 const std::map<int, std::vector<int>>& nodes);

/// The choice to write in place of a composition, which a file cannot choose: the algorithm that does the same within
/// and between nodes ("MPIR_Bcast_intra_smp"), or algorithm 0 if MPICH has no such one. Other choices stay.
Choice without_composition(Operation operation, const Choice& choice);

}  // namespace strata::collectives
