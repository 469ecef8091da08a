// SPDX-License-Identifier: LGPL-2.1-only
// A matrix multiplication C = A B on a grid of processes: SUMMA (van de Geijn and Watts, 1997), whose broadcasts may go
// over hierarchies of its rows and columns (Quintin, Hasanov and Lastovetsky, 2013; RR-9077, Section 7.3).
//
// R rows and C columns of processes, where R is the largest divisor of their number that is at most its square root;
// ranks fill the grid row by row. There are C steps: in step k every row's member k broadcasts a block of N x N doubles
// to the row, then every column's member k mod R broadcasts one to the column, then every process computes 2 N^3 flop.
// Broadcasts use binary trees, not segmented. Over a hierarchy, a root that is not the line's first member first sends
// the block to it.
//
// Messages: C (R (C - 1) + C (R - 1)), and over hierarchies one more for each step of a line with such a root.
#pragma once

#include <array>
#include <vector>

#include "models/schedule.h"
#include "platforms/placement.h"
#include "platforms/topology.h"

namespace strata::models {

struct SummaCase {
  enum class Lines { kFlat, kGroups, kTopology };
  /// Groups over which a row or column broadcasts: all its processes, two levels of groups, or the machine's levels.
  Lines lines = Lines::kFlat;
  /// For kGroups: the number of groups of neighbours into which the processes of a column, and those of a row, are
  /// divided.
  std::array<int, 2> groups = {1, 1};
  int block = 8;  // N
};

/// O(messages + np depth^2). Throws std::invalid_argument: no ranks, a block below 1, groups that do not divide the
/// grid, more than kMaxMessages messages (collective.h).
Schedule summa_schedule(const Topology& topology, const std::vector<Binding>& ranks, const SummaCase& what);

}  // namespace strata::models
