// SPDX-License-Identifier: LGPL-2.1-only
// The levels at which the pairs meet that a benchmark measures one after another, as HPCC does: 48 ranks on two nodes
// meet at "L3", at "Package" and at "System - Cluster".
#pragma once

#include <string>

#include "calibration/measured_number.h"
#include "platforms/machine.h"

namespace strata::calibration {

/// Pairs of the ranks 0, stride, 2 stride ... with the ranks P-1, P-1-stride, ... of P `processes`; with stride 1 all
/// pairs. `level`: where the user says that the pairs meet, as for bindings_of (held_out.h); if it is empty, processes
/// that fit are distributed over the parts of the outermost level, one each, and others fill cores in order from the
/// first node on. `ranks_per_node` limits the ranks on a node; 0: one for each core.
PairLevels levels_of_pairs(const Machine& machine, const std::string& level, int processes, int stride,
                           int ranks_per_node);

}  // namespace strata::calibration
