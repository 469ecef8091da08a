// SPDX-License-Identifier: LGPL-2.1-only
// Broadcast over the communicator hierarchy: a loop over the levels, outermost first, that runs one algorithm on each
// bridge. For root 5 on nodes {0, 1, 2, 3}, {4, 5, 6, 7}, linear:
//
//   5 -> 0      the root sends to rank 0, one more message for any hierarchy
//   0 -> 4      between the nodes
//   0 -> 1  0 -> 2  0 -> 3,  4 -> 5  4 -> 6  4 -> 7      on the nodes
//
// Cost, linear: the sum over the levels of (p_i - 1)(alpha_i + m beta_i). Source: RR-9077, sections 6 and 7.2;
// bcast_over, mpi_ext/coll/bcast_hierarchical.cc. In the split binary tree, a leaf posts one receive at a time, as in
// Open MPI; the MPI code posts one more.
#include "collectives/schedules/bridges.h"
#include "collectives/schedules/own_algorithms.h"

namespace strata::collectives {

void hierarchical_broadcast(const Collective& call, const Settings& settings, Generator on_bridge, int rank,
                            Steps& steps) {
  if (call.count == 0) return;
  const Range all = {Buffer::kOutput, 0, call.count};
  if (call.root != 0) {
    if (rank == call.root) steps.send(0, all);
    if (rank == 0) steps.receive(call.root, all);
  }
  const Bridges bridges(call, rank);
  for (const std::vector<int>* bridge : bridges.of_rank()) {
    append_on(*bridge, on_bridge, part_of(call, Operation::kBcast), settings, rank, {}, steps);
  }
}

}  // namespace strata::collectives
