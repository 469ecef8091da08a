// SPDX-License-Identifier: LGPL-2.1-only
// Gather in which a rank sends only when the root is ready: it waits for an empty message, and then sends its block in
// two parts, the first of the size of a segment. The root waits for the first part of a rank before it asks the next
// one. For 8 ranks and root 0:
//
//   0 -> 1  empty    1 -> 0  first part    0 -> 2  empty    2 -> 0  first part    ...    second parts meanwhile
//
// Cost: as the linear gather, plus an empty message for each rank; no queue of unexpected messages. Source:
// ompi_coll_base_gather_intra_linear_sync, coll_base_gather.c, Open MPI 4.1.4.
#include "collectives/schedules/algorithms.h"
#include "collectives/schedules/vector_parts.h"

namespace strata::collectives {

void synchronised_gather(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  const std::int64_t first = segment_elements(settings.segment_bytes, call.element_bytes, call.count);
  const Range nothing = {Buffer::kOutput, 0, 0}, own = {Buffer::kInput, 0, call.count};
  if (rank != call.root) {
    steps.receive(call.root, nothing);
    steps.send(call.root, {Buffer::kInput, 0, first});
    steps.send(call.root, {Buffer::kInput, first, call.count - first});
    return;
  }
  std::vector<int> seconds;
  for (int from = 0; from < call.ranks; ++from) {
    if (from == rank) continue;
    const std::int64_t begin = from * call.count;
    const int request = steps.start_receive(from, {Buffer::kOutput, begin, first});
    steps.send(from, nothing);
    seconds.push_back(steps.start_receive(from, {Buffer::kOutput, begin + first, call.count - first}));
    steps.wait(request);
  }
  if (!call.in_place) steps.copy(own, {Buffer::kOutput, rank * call.count, call.count});
  for (const int request : seconds) steps.wait(request);
}

}  // namespace strata::collectives
