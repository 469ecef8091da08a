// SPDX-License-Identifier: LGPL-2.1-only
// Binomial gather and scatter on the in-order binomial tree, whose subtrees are ranges of ranks counted from the root
// (ompi_coll_base_gather_intra_binomial, ..._scatter_...). In a gather, a rank receives its children's subtrees in
// order, each behind the blocks that it has, and sends everything to its parent in one message. In a scatter, it
// receives its subtree and sends each child its part.
//
// Cost in Hockney's model, with blocks of m bytes: ceil(log2 p) alpha + (p - 1) m beta.
#include "mpi_ext/coll/gather.h"
#include "mpi_ext/coll/tree.h"
#include "mpi_ext/ranks.h"

namespace strata::mpix {
namespace {

// The position of a rank, counted from the root.
struct Place {
  int size, root, v;
  Tree tree;

  Place(int root, MPI_Comm comm)
      : size(size_of(comm)),
        root(root),
        v((rank_in(comm) - root + size) % size),
        tree(in_order_binomial_tree(rank_in(comm), size, root)) {}
  int counted(int rank) const { return (rank - root + size) % size; }
  long blocks_of_subtree(int w, const Shares& shares) const { return shares.number(w, in_order_span(w, size)); }
};

}  // namespace

void gather_binomial(void* blocks, const Block& block, const Shares& shares, int root, MPI_Comm comm) {
  const Place here(root, comm);
  for (const int child : here.tree.children) {
    const int w = here.counted(child);
    receive_blocks(block.at(blocks, shares.begin(w) - shares.begin(here.v)), here.blocks_of_subtree(w, shares), block,
                   child, comm);
  }
  if (here.v > 0) send_blocks(blocks, here.blocks_of_subtree(here.v, shares), block, here.tree.parent, comm);
}

void scatter_binomial(void* blocks, const Block& block, const Shares& shares, int root, MPI_Comm comm) {
  const Place here(root, comm);
  if (here.v > 0) receive_blocks(blocks, here.blocks_of_subtree(here.v, shares), block, here.tree.parent, comm);
  for (const int child : here.tree.children) {
    const int w = here.counted(child);
    send_blocks(block.at(blocks, shares.begin(w) - shares.begin(here.v)), here.blocks_of_subtree(w, shares), block,
                child, comm);
  }
}

}  // namespace strata::mpix
