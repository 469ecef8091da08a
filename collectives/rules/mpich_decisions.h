// SPDX-License-Identifier: LGPL-2.1-only
// Which algorithm MPICH uses without a file of rules, as two trees of the form that such a file has (csel_file.h). For
// example, a broadcast of 1 MiB to 64 ranks on 2 nodes:
//
//   look_up_mpich(kMpich40, call, nullptr).name      "MPIR_Bcast_intra_scatter_ring_allgather"
//
// The device ch4 looks first: it composes the collective of collectives of the nodes' ranks, or leaves it as it is, as
// here. The second tree is for the latter, and for the collectives of a composition. A user's file replaces the second
// tree (MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE).
//
// Source: maint/tuning/coll/ch4/generic.json and maint/tuning/coll/mpir/generic.json, MPICH 4.0.2 and 4.2.2, which
// differ in the barrier, and in names of compositions. Without branches for communicators of two groups, and for calls
// without data, which send nothing.
#pragma once

#include <string_view>
#include <vector>

#include "collectives/rules/look_up.h"

namespace strata::collectives {

/// Of MPICH 4.0 or 4.2. The compositions are the same in both.
const std::vector<CselNode>& mpich_compositions();
const std::vector<CselNode>& mpich_decisions(const Library& library);

/// Whether the device has compositions of the operation.
bool is_ever_composed(Operation operation);

/// Whether a composition only calls the collective as it is.
bool is_mpich_pass_through(std::string_view name);

/// The composition, if it looks at nodes, or else the algorithm. `rules`: what the user gives the library; null:
/// nothing. `composes`: false if MPIR_CVAR_BCAST_DEVICE_COLLECTIVE=0 or its like keep the device from composing.
Decision look_up_mpich(const Library& library, const Call& call, const RuleFile* rules, bool composes = true);

}  // namespace strata::collectives
