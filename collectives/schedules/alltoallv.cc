// SPDX-License-Identifier: LGPL-2.1-only
// MPI_Alltoallv: all messages at the same time, or in p rounds as in the pairwise MPI_Alltoall. Blocks without elements
// are sent, too. For rank 2 of 4, linear: receives from 0, 1, 3, sends to 0, 1, 3; pairwise: to 3 and from 1, to 0 and
// from 0, to 1 and from 3.
//
// Cost: p - 1 messages of each rank. Source: ompi_coll_base_alltoallv_intra_basic_linear and _pairwise,
// coll_base_alltoallv.c, Open MPI 4.1.4.
#include "collectives/schedules/algorithms.h"
#include "collectives/schedules/alltoall_in_place.h"
#include "collectives/schedules/exchanged_blocks.h"

namespace strata::collectives {

void linear_alltoallv(const Collective& call, const Settings&, int rank, Steps& steps) {
  if (call.in_place) return alltoall_in_place(call, rank, steps);
  const ExchangedBlocks blocks(call, rank);
  steps.copy(blocks.sent[rank], blocks.received[rank]);
  std::vector<int> requests;
  for (int from = 0; from < call.ranks; ++from) {
    if (from != rank) requests.push_back(steps.start_receive(from, blocks.received[from]));
  }
  for (int to = 0; to < call.ranks; ++to) {
    if (to != rank) requests.push_back(steps.start_send(to, blocks.sent[to]));
  }
  for (const int request : requests) steps.wait(request);
}

void pairwise_alltoallv(const Collective& call, const Settings&, int rank, Steps& steps) {
  if (call.in_place) return alltoall_in_place(call, rank, steps);
  const ExchangedBlocks blocks(call, rank);
  const int p = call.ranks;
  steps.copy(blocks.sent[rank], blocks.received[rank]);
  for (int round = 1; round < p; ++round) {
    const int to = (rank + round) % p, from = (rank + p - round) % p;
    steps.send_receive(to, blocks.sent[to], from, blocks.received[from]);
  }
}

}  // namespace strata::collectives
