// SPDX-License-Identifier: LGPL-2.1-only
// The gather over a hierarchy: a loop over the levels, innermost first, that calls one algorithm on each communicator
// of roots (whole.h). Each rank 0 passes on the blocks of all ranks below it in one message. In the end, rank 0 has all
// blocks in the order of the tree, sorts them into the order of the ranks, and sends them to the root if that is
// another rank: one more message.
//
// The allgather is this gather to rank 0 and a broadcast of all blocks from it, both over the hierarchy.
//
// Cost in Hockney's model, linear, with blocks of m bytes and n_i ranks below a member of level i: the sum over the
// levels of (p_i - 1)(alpha_i + n_i m beta_i).
#include "mpi_ext/coll/allgather.h"
#include "mpi_ext/coll/gather.h"
#include "mpi_ext/coll/over_hierarchy.h"
#include "mpi_ext/coll/subtrees.h"
#include "mpi_ext/context/context.h"
#include "mpi_ext/monitoring/report_collective.h"
#include "mpi_ext/mpix.h"
#include "mpi_ext/ranks.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {
namespace {

// The caller's block is `mine`. On rank 0, `all` receives all blocks in the order of the ranks, with layout
// `all_block`.
void gather_over(MPIX_Hierarchy_s& h, const void* mine, const Block& block, void* all, const Block& all_block,
                 int algorithm) {
  const Subtrees& subtrees = subtrees_of(h);
  const bool is_rank_0 = rank_in(h.comms.front()) == 0;
  const long held = blocks_held(h, subtrees, algorithm);
  if (!is_rank_0 && held == 1) return gather_up(h, subtrees, const_cast<void*>(mine), block, algorithm);  // only sent
  const Block& kept = is_rank_0 ? all_block : block;
  const Scratch blocks(held * kept.count, kept.datatype);
  copy_block(mine, block, blocks.data(), kept);
  gather_up(h, subtrees, blocks.data(), kept, algorithm);
  for (long i = 0; is_rank_0 && i < held; ++i) {
    copy_block(kept.at(blocks.data(), i), kept, kept.at(all, subtrees.order[i]), kept);
  }
}

}  // namespace
}  // namespace strata::mpix

extern "C" {

int MPIX_Hierarchy_gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                          MPI_Datatype recvtype, int root, MPIX_Hierarchy hierarchy, int algorithm) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return guarded(hierarchy, [&](int size) {
    const MPI_Comm whole = hierarchy->comms.front();
    const int rank = rank_in(whole);
    const Block sendblock{sendcount, sendtype}, recvblock{recvcount, recvtype};
    check_gather_or_scatter(sendbuf, sendblock, recvbuf, recvblock, root, rank, size, algorithm);
    if (rank != root) monitoring::called(whole, Meaning::kToRoot, root, sendcount, sendtype);
    const bool in_place = rank == root && sendbuf == MPI_IN_PLACE;
    const Block block = in_place ? recvblock : sendblock;
    if (block.empty()) return;
    const void* mine = in_place ? recvblock.at(recvbuf, root) : sendbuf;
    if (root == 0) return gather_over(*hierarchy, mine, block, recvbuf, recvblock, algorithm);
    const MPI_Comm context = context_of(whole);  // collective, so not inside the ifs below
    const Scratch passed(rank == 0 ? static_cast<long>(size) * block.count : 0, block.datatype);
    gather_over(*hierarchy, mine, block, passed.data(), block, algorithm);
    if (rank == 0) send_blocks(passed.data(), size, block, root, context);
    if (rank == root) receive_blocks(recvbuf, size, recvblock, 0, context);
  });
}

int MPIX_Hierarchy_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                             MPI_Datatype recvtype, MPIX_Hierarchy hierarchy, int algorithm) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return guarded(hierarchy, [&](int size) {
    const int rank = rank_in(hierarchy->comms.front());
    const Block sendblock{sendcount, sendtype}, recvblock{recvcount, recvtype};
    if (algorithm != MPIX_ALGORITHM_LINEAR && algorithm != MPIX_ALGORITHM_BINOMIAL) check(MPI_ERR_ARG);
    check_allgather(sendbuf, sendblock, recvbuf, recvblock);
    monitoring::called(hierarchy->comms.front(), Meaning::kToAll, 0, recvcount, recvtype);
    if (recvblock.empty()) return;
    if (sendbuf == MPI_IN_PLACE) {
      gather_over(*hierarchy, recvblock.at(recvbuf, rank), recvblock, recvbuf, recvblock, algorithm);
    } else {
      gather_over(*hierarchy, sendbuf, sendblock, recvbuf, recvblock, algorithm);
    }
    const Blocks everything(size, recvblock);
    bcast_over(*hierarchy, recvbuf, everything.count(), everything.datatype(), 0, algorithm, 0);
  });
}

}  // extern "C"
