// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/preload/supply/datatypes.h"

#include <algorithm>
#include <numeric>

namespace strata::mpix {

std::vector<int> owned(const DistributedDim& dim) {
  std::vector<int> indexes;
  if (dim.distribution == Distribution::kNone) {
    indexes.resize(dim.size);
    std::iota(indexes.begin(), indexes.end(), 0);
    return indexes;
  }
  const bool is_block = dim.distribution == Distribution::kBlock;
  const int even = (dim.size + dim.processes - 1) / dim.processes;
  const int block = dim.argument > 0 ? dim.argument : is_block ? even : 1;
  // A block distribution is a cyclic one with blocks so long that each process has one.
  for (long at = static_cast<long>(block) * dim.process; at < dim.size;
       at += static_cast<long>(block) * dim.processes) {
    for (long i = at; i < std::min<long>(at + block, dim.size); ++i) indexes.push_back(static_cast<int>(i));
  }
  return indexes;
}

std::vector<Stretch> owned_stretches(const std::vector<DistributedDim>& dims) {
  std::vector<Stretch> stretches = {{0, 1}};
  for (const DistributedDim& dim : dims) {
    std::vector<Stretch> finer;
    const std::vector<int> indexes = owned(dim);
    for (const Stretch& stretch : stretches) {
      for (int element = stretch.first; element < stretch.first + stretch.length; ++element) {
        for (int i : indexes) {
          const int at = element * dim.size + i;
          if (!finer.empty() && finer.back().first + finer.back().length == at) {
            ++finer.back().length;
          } else {
            finer.push_back({at, 1});
          }
        }
      }
    }
    stretches = std::move(finer);
  }
  return stretches;
}

std::vector<int> process_coords(int rank, const std::vector<int>& processes) {
  std::vector<int> coords(processes.size());
  for (std::size_t d = processes.size(); d-- > 0;) {
    coords[d] = rank % processes[d];
    rank /= processes[d];
  }
  return coords;
}

}  // namespace strata::mpix
