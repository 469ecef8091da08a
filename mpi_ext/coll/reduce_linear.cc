// SPDX-License-Identifier: LGPL-2.1-only
// Linear reduce: all ranks send their contributions to the root, which receives them one after another, from the last
// rank down to the first, and combines each with its partial result. This keeps the order of the ranks
// (ompi_coll_base_reduce_intra_basic_linear).
//
// Cost in Hockney's model, with a combination at gamma s/B: (p - 1)(alpha + m beta + m gamma).
#include "mpi_ext/coll/reduce.h"
#include "mpi_ext/context/message.h"
#include "mpi_ext/ranks.h"

namespace strata::mpix {

void reduce_linear(const void* mine, void* result, const Operands& o, int root, MPI_Comm comm) {
  const int rank = rank_in(comm), size = size_of(comm);
  if (rank != root) return send(mine, o.count, o.datatype, root, comm);
  const Scratch arrived(o.count, o.datatype);
  Scratch kept;
  if (mine == result && rank != size - 1) {  // others are combined there first
    kept = Scratch(o.count, o.datatype);
    copy(mine, o.count, o.datatype, kept.data(), o.count, o.datatype);
    mine = kept.data();
  }
  if (rank != size - 1) {
    receive(result, o.count, o.datatype, size - 1, comm);
  } else if (mine != result) {
    copy(mine, o.count, o.datatype, result, o.count, o.datatype);
  }
  for (int from = size - 2; from >= 0; --from) {
    if (from != rank) receive(arrived.data(), o.count, o.datatype, from, comm);
    combine(from == rank ? mine : arrived.data(), result, o.count, o.datatype, o.op);
  }
}

}  // namespace strata::mpix
