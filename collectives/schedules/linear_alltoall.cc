// SPDX-License-Identifier: LGPL-2.1-only
// All-to-all with all messages at the same time: a rank starts the receives from the ranks after it, upwards, then the
// sends to the ranks before it, downwards, and waits for all. For rank 2 of 8: receives from 3, 4, 5, 6, 7, 0, 1, sends
// to 1, 0, 7, 6, 5, 4, 3.
//
// The windowed one has a limit of messages at the same time; without a limit, or with at least p - 1, it is the same.
// Which message follows depends on which ends first, so a real limit has no fixed schedule and is not supported.
// Cost: (p - 1) m bytes sent by each rank. Source: ompi_coll_base_alltoall_intra_basic_linear and _linear_sync,
// coll_base_alltoall.c, Open MPI 4.1.4.
#include <stdexcept>

#include "collectives/schedules/algorithms.h"
#include "collectives/schedules/alltoall_in_place.h"

namespace strata::collectives {

void linear_alltoall(const Collective& call, const Settings&, int rank, Steps& steps) {
  if (call.in_place) return alltoall_in_place(call, rank, steps);
  const int p = call.ranks;
  const auto block = [&](Buffer in, int of) { return Range{in, of * call.count, call.count}; };
  steps.copy(block(Buffer::kInput, rank), block(Buffer::kOutput, rank));
  std::vector<int> requests;
  for (int d = 1; d < p; ++d) {
    const int from = (rank + d) % p;
    requests.push_back(steps.start_receive(from, block(Buffer::kOutput, from)));
  }
  for (int d = 1; d < p; ++d) {
    const int to = (rank + p - d) % p;
    requests.push_back(steps.start_send(to, block(Buffer::kInput, to)));
  }
  for (const int request : requests) steps.wait(request);
}

void windowed_alltoall(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  if (settings.requests > 0 && settings.requests < call.ranks - 1) {
    throw std::invalid_argument("an all-to-all with a limit of requests has no fixed schedule");
  }
  linear_alltoall(call, settings, rank, steps);
}

}  // namespace strata::collectives
