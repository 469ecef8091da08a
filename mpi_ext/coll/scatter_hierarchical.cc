// SPDX-License-Identifier: LGPL-2.1-only
// The scatter over a hierarchy: a loop over the levels, outermost first, that calls one algorithm on each communicator
// of roots (whole.h). Each rank 0 receives the blocks of all ranks below it in one message. If the root is not rank 0,
// it first sends all blocks to rank 0: one more message. Rank 0 puts them into the order of the tree.
//
// Cost in Hockney's model: that of the gather.
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

// On rank 0, `all` has the blocks in the order of the ranks, with layout `all_block`. The caller's block goes to
// `mine`.
void scatter_over(MPIX_Hierarchy_s& h, const void* all, const Block& all_block, void* mine, const Block& block,
                  int algorithm) {
  const Subtrees& subtrees = subtrees_of(h);
  const bool is_rank_0 = rank_in(h.comms.front()) == 0;
  const long held = blocks_held(h, subtrees, algorithm);
  if (!is_rank_0 && held == 1) return scatter_down(h, subtrees, mine, block, algorithm);
  const Block& kept = is_rank_0 ? all_block : block;
  const Scratch blocks(held * kept.count, kept.datatype);
  for (long i = 0; is_rank_0 && i < held; ++i) {
    copy_block(kept.at(all, subtrees.order[i]), kept, kept.at(blocks.data(), i), kept);
  }
  scatter_down(h, subtrees, blocks.data(), kept, algorithm);
  if (mine != MPI_IN_PLACE) copy_block(blocks.data(), kept, mine, block);
}

}  // namespace
}  // namespace strata::mpix

extern "C" int MPIX_Hierarchy_scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                      int recvcount, MPI_Datatype recvtype, int root, MPIX_Hierarchy hierarchy,
                                      int algorithm) {
  using namespace strata::mpix;  // NOLINT: the library itself
  return guarded(hierarchy, [&](int size) {
    const MPI_Comm whole = hierarchy->comms.front();
    const int rank = rank_in(whole);
    const Block sendblock{sendcount, sendtype}, recvblock{recvcount, recvtype};
    check_gather_or_scatter(recvbuf, recvblock, sendbuf, sendblock, root, rank, size, algorithm);
    if (rank == root) monitoring::called(whole, Meaning::kFromRoot, root, sendcount, sendtype);
    if ((rank == root ? sendblock : recvblock).empty()) return;
    if (root == 0) return scatter_over(*hierarchy, sendbuf, sendblock, recvbuf, recvblock, algorithm);
    const MPI_Comm context = context_of(whole);  // collective, so not inside the ifs below
    if (rank == root) send_blocks(sendbuf, size, sendblock, 0, context);
    const Scratch passed(rank == 0 ? static_cast<long>(size) * recvblock.count : 0, recvblock.datatype);
    if (rank == 0) receive_blocks(passed.data(), size, recvblock, root, context);
    // With MPI_IN_PLACE, the root's own block comes back with the others and is dropped.
    const bool in_place = rank == root && recvbuf == MPI_IN_PLACE;
    const Scratch dropped(in_place ? sendcount : 0, sendtype);
    scatter_over(*hierarchy, passed.data(), recvblock, in_place ? dropped.data() : recvbuf,
                 in_place ? sendblock : recvblock, algorithm);
  });
}
