// SPDX-License-Identifier: LGPL-2.1-only
// Users may expect this of the times of collectives: a specialised one is not slower than others that do the same, and
// a message is not faster if it is padded. For example, on p ranks with blocks of b bytes:
//
//   allreduce(n) <= reduce(n) + bcast(n)        a reduction and a broadcast do an allreduce, too
//   gather(b)    <= allgather(b)                an allgather does more
//   bcast(n)     <= bcast(m)                    if n < m
//
// A violation is a fault of the choice of algorithms: the right side shows a faster way.
//
// Source: J. L. Traff, W. D. Gropp, R. Thakur, "Self-Consistent MPI Performance Guidelines", IEEE Transactions on
// Parallel and Distributed Systems 21(5), 2010, sections 3 and 4.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "collectives/tuning/cell.h"

namespace strata::collectives {

struct Violation {
  std::string guideline;  // "allreduce(n) <= reduce(n) + bcast(n)"
  Cell cell;              // of the left side
  double left_s = 0, right_s = 0;
};

/// Empty if a time is not known, for example because the replay has too many steps.
using TimeOf = std::function<std::optional<double>(const Cell& cell)>;

/// The calls of the right sides that `cells` do not have: their times are needed too. In order, each once.
std::vector<Cell> further_cells(const std::vector<Cell>& cells);

/// By guideline, then by cell. `tolerance`: the left side may be longer by this part of the right one.
std::vector<Violation> violations(const std::vector<Cell>& cells, const TimeOf& time, double tolerance);

}  // namespace strata::collectives
