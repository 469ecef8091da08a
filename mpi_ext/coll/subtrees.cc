// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/coll/subtrees.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include "mpi_ext/coll/gather.h"
#include "mpi_ext/coll/over_hierarchy.h"
#include "mpi_ext/coll/tree.h"
#include "mpi_ext/mpix.h"
#include "mpi_ext/ranks.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {

const Subtrees& subtrees_of(MPIX_Hierarchy_s& h) {
  if (h.subtrees != nullptr) return *h.subtrees;
  const auto found = std::make_shared<Subtrees>();
  const std::vector<MPI_Comm> bridges = bridges_of(h);
  found->begins.resize(bridges.size());
  long below = 1;  // ranks below the caller, including itself
  for (std::size_t i = bridges.size(); i-- > 0;) {
    std::vector<long> sizes(size_of(bridges[i])), &begins = found->begins[i];
    check(MPI_Allgather(&below, 1, MPI_LONG, sizes.data(), 1, MPI_LONG, bridges[i]));
    begins.assign(sizes.size() + 1, 0);
    std::partial_sum(sizes.begin(), sizes.end(), begins.begin() + 1);
    below = begins.back();  // used only by rank 0 of the bridge; the others are in no bridge further out
  }
  const int rank = rank_in(h.comms.front());
  found->order.resize(blocks_held(h, *found, MPIX_ALGORITHM_LINEAR));
  found->order.front() = rank;
  gather_up(h, *found, found->order.data(), {1, MPI_INT}, MPIX_ALGORITHM_LINEAR);
  if (rank != 0) found->order.clear();
  h.subtrees = found;
  return *h.subtrees;
}

long blocks_held(const MPIX_Hierarchy_s& h, const Subtrees& subtrees, int algorithm) {
  const std::vector<MPI_Comm> bridges = bridges_of(h);
  long most = 1;
  for (std::size_t i = 0; i < bridges.size(); ++i) {
    const int rank = rank_in(bridges[i]), size = size_of(bridges[i]);
    const int members = algorithm == MPIX_ALGORITHM_BINOMIAL ? in_order_span(rank, size) : rank == 0 ? size : 1;
    most = std::max(most, Shares(subtrees.begins[i]).number(rank, members));
  }
  return most;
}

void gather_up(const MPIX_Hierarchy_s& h, const Subtrees& subtrees, void* blocks, const Block& block, int algorithm) {
  const std::vector<MPI_Comm> bridges = bridges_of(h);
  const auto step = algorithm == MPIX_ALGORITHM_BINOMIAL ? gather_binomial : gather_linear;
  for (std::size_t i = bridges.size(); i-- > 0;) step(blocks, block, Shares(subtrees.begins[i]), 0, bridges[i]);
}

void scatter_down(const MPIX_Hierarchy_s& h, const Subtrees& subtrees, void* blocks, const Block& block,
                  int algorithm) {
  const std::vector<MPI_Comm> bridges = bridges_of(h);
  const auto step = algorithm == MPIX_ALGORITHM_BINOMIAL ? scatter_binomial : scatter_linear;
  for (std::size_t i = 0; i < bridges.size(); ++i) step(blocks, block, Shares(subtrees.begins[i]), 0, bridges[i]);
}

}  // namespace strata::mpix
