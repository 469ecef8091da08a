// SPDX-License-Identifier: LGPL-2.1-only
// The reduce over a hierarchy (RR-9077, Section 7.2): a loop over the levels, innermost first, that calls one algorithm
// on each communicator of roots (whole.h). Each reduces to its rank 0, which contributes the result to the level above.
//
// If the root is not rank 0, it gets the result from rank 0: one more message, for any hierarchy. If the members of a
// communicator are not consecutive ranks, an operation that does not commute uses the in-order binary tree over all
// ranks instead.
//
// Cost in Hockney's model, linear, with a combination at gamma s/B: the sum over the levels of (p_i - 1)(alpha_i + m
// beta_i + m gamma).
#include <vector>

#include "mpi_ext/coll/over_hierarchy.h"
#include "mpi_ext/coll/reduce.h"
#include "mpi_ext/context/context.h"
#include "mpi_ext/context/message.h"
#include "mpi_ext/hierarchy/whole.h"
#include "mpi_ext/monitoring/report_collective.h"
#include "mpi_ext/mpix.h"
#include "mpi_ext/ranks.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {

void reduce_over(const MPIX_Hierarchy_s& h, const void* mine, void* result, const Operands& o, int algorithm,
                 int segment_bytes) {
  if (is_empty(o.count, o.datatype)) return;
  const std::vector<MPI_Comm> bridges = bridges_of(h);
  Scratch room;  // for what the caller combines and passes on
  const bool keeps = rank_in(h.comms.front()) == 0;
  if (!keeps && !bridges.empty() && rank_in(bridges.back()) == 0) {
    room = Scratch(o.count, o.datatype);
    result = room.data();
  }
  for (auto bridge = bridges.rbegin(); bridge != bridges.rend(); ++bridge) {
    reduce(mine, result, o, 0, *bridge, algorithm, segment_bytes);
    if (rank_in(*bridge) == 0) mine = result;
  }
  if (keeps && mine != result) copy(mine, o.count, o.datatype, result, o.count, o.datatype);
}

}  // namespace strata::mpix

extern "C" int MPIX_Hierarchy_reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                                     int root, MPIX_Hierarchy hierarchy, int algorithm, int segment_bytes) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return guarded(hierarchy, [&](int size) {
    const MPI_Comm whole = hierarchy->comms.front();
    const int rank = rank_in(whole);
    const Operands o{count, datatype, op};
    check_reduce(sendbuf, recvbuf, o, root, rank, size, algorithm, segment_bytes);
    monitoring::called(whole, Meaning::kToRoot, root, count, datatype);
    if (is_empty(count, datatype)) return;
    const void* mine = contribution(sendbuf, recvbuf);
    const bool in_order = keeps_order(*hierarchy, op);
    if (in_order && root == 0) return reduce_over(*hierarchy, mine, recvbuf, o, algorithm, segment_bytes);
    const MPI_Comm context = context_of(whole);  // collective, so not inside the ifs below
    if (!in_order) return reduce(mine, recvbuf, o, root, context, MPIX_ALGORITHM_IN_ORDER_BINARY, segment_bytes);
    const Scratch passed(rank == 0 ? count : 0, datatype);
    reduce_over(*hierarchy, mine, passed.data(), o, algorithm, segment_bytes);
    if (rank == 0) send(passed.data(), count, datatype, root, context);
    if (rank == root) receive(recvbuf, count, datatype, 0, context);
  });
}
