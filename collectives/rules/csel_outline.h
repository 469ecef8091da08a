// SPDX-License-Identifier: LGPL-2.1-only
// MPICH's trees (csel_file.h) as indented text, in which the sources here have them: a test is below the one that is
// indented less, and `= name` is a leaf. For example
//
//   collective=bcast
//     comm_size<8
//       = binomial
//
// with leaves for the names of a collective: "algorithm=MPIR_Bcast_intra_binomial".
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "collectives/rules/rule_file.h"

namespace strata::collectives {

/// The key of a leaf; `collective` as MPICH's names have it: "Reduce_scatter".
using LeafKey = std::function<std::string(const std::string& collective, const std::string& name)>;

std::vector<CselNode> read_outline(const std::string& text, const LeafKey& leaf_key);

}  // namespace strata::collectives
