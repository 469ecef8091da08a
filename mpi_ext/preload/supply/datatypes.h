// SPDX-License-Identifier: LGPL-2.1-only
// A process's part of a distributed array, as functions on values.
#pragma once

#include <vector>

namespace strata::mpix {

enum class Distribution { kBlock, kCyclic, kNone };

/// One dimension of a distributed array (MPI_Type_create_darray; MPI 4.0, Section 5.1.4).
struct DistributedDim {
  int size = 1;  // of the global array
  Distribution distribution = Distribution::kNone;
  int argument = 0;  // elements per block; 0: the default, ceil(size / processes) or 1
  int processes = 1;
  int process = 0;  // this process's coordinate
};

/// The indexes in this dimension that the process has, ascending.
std::vector<int> owned(const DistributedDim& dim);

/// Elements that are contiguous in memory.
struct Stretch {
  int first = 0;
  int length = 0;
  bool operator==(const Stretch&) const = default;
};

/// The process's part of the array, in memory order; the last dimension varies fastest.
std::vector<Stretch> owned_stretches(const std::vector<DistributedDim>& dims);

/// The coordinates of `rank` among the processes, row-major, as MPI requires for both orders of the array.
std::vector<int> process_coords(int rank, const std::vector<int>& processes);

}  // namespace strata::mpix
