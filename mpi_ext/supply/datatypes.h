// SPDX-License-Identifier: LGPL-2.1-only
// What MPI says of datatypes, as values: the basic elements of a type, and the part of a distributed array that a
// process has.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace strata::mpix {

/// How many basic elements `bytes` are, of elements that follow each other with these sizes, again and again
/// (MPI_Get_elements; MPI 4.0, Section 5.1.11). Nothing where the bytes end within one.
std::optional<long> basic_elements(const std::vector<std::size_t>& sizes, std::size_t bytes);

enum class Distribution { kBlock, kCyclic, kNone };

/// One dimension of a distributed array (MPI_Type_create_darray; MPI 4.0, Section 5.1.4).
struct DistributedDim {
  int size = 1;  // of the global array
  Distribution distribution = Distribution::kNone;
  int argument = 0;  // elements of a block; 0: the default, ceil(size / processes) or 1
  int processes = 1;
  int process = 0;  // which of them
};

/// The indexes of the dimension that the process has, rising.
std::vector<int> owned(const DistributedDim& dim);

/// Elements that follow each other in memory.
struct Stretch {
  int first = 0;
  int length = 0;
  bool operator==(const Stretch&) const = default;
};

/// The process's part of the array, in the order of memory; the last dimension varies fastest.
std::vector<Stretch> owned_stretches(const std::vector<DistributedDim>& dims);

/// The coordinates of `rank` among the processes, row-major, as MPI says of both orders of the array.
std::vector<int> process_coords(int rank, const std::vector<int>& processes);

}  // namespace strata::mpix
