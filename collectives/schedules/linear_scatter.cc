// SPDX-License-Identifier: LGPL-2.1-only
// Scatter by messages of the root to each rank, one after the other or several at the same time. For 8 ranks and root
// 0:
//
//   0 -> 1  0 -> 2  0 -> 3  0 -> 4  0 -> 5  0 -> 6  0 -> 7
//
// With a limit of k requests, the nonblocking one waits at once for the sends to ranks 0, k, 2 k, ...
// Cost: the root sends (p - 1) m bytes. Source: ompi_coll_base_scatter_intra_basic_linear and _linear_nb,
// coll_base_scatter.c, Open MPI 4.1.4.
#include "collectives/schedules/algorithms.h"

namespace strata::collectives {
namespace {

// `waits(to)`: at once for the send to this rank.
template <class Waits>
void scatter(const Collective& call, int rank, const Waits& waits, Steps& steps) {
  const Range own = {Buffer::kOutput, 0, call.count};
  if (rank != call.root) return steps.receive(call.root, own);
  std::vector<int> sends;
  for (int to = 0; to < call.ranks; ++to) {
    const Range block = {Buffer::kInput, to * call.count, call.count};
    if (to == rank) {
      if (!call.in_place) steps.copy(block, own);
    } else if (waits(to)) {
      steps.send(to, block);
    } else {
      sends.push_back(steps.start_send(to, block));
    }
  }
  for (const int request : sends) steps.wait(request);
}

}  // namespace

void linear_scatter(const Collective& call, const Settings&, int rank, Steps& steps) {
  scatter(
      call, rank, [](int) { return true; }, steps);
}

void nonblocking_scatter(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  scatter(
      call, rank, [&](int to) { return settings.requests > 1 && to % settings.requests == 0; }, steps);
}

}  // namespace strata::collectives
