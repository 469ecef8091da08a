// SPDX-License-Identifier: LGPL-2.1-only
// Allreduce by recursive doubling: in step k, partners at distance 2^k exchange their partial results, and both combine
// them (ompi_coll_base_allreduce_intra_recursivedoubling).
//
// Let 2^n be the largest power of two up to p. The first 2 (p - 2^n) ranks work in pairs: the even rank sends its
// contribution to the odd one, and receives the result at the end. Partial results always belong to a range of ranks,
// so the order is kept.
//
// Cost in Hockney's model, with a combination at gamma s/B: log2(p) (alpha + m beta + m gamma), plus 2 (alpha + m beta)
// + m gamma if p is not a power of two.
#include <bit>
#include <utility>

#include "mpi_ext/coll/allreduce.h"
#include "mpi_ext/context/message.h"
#include "mpi_ext/ranks.h"

namespace strata::mpix {

void allreduce_recursive_doubling(const void* mine, void* result, const Operands& o, MPI_Comm comm) {
  const int rank = rank_in(comm), size = size_of(comm);
  const int power = static_cast<int>(std::bit_floor(static_cast<unsigned>(size)));
  const int paired = 2 * (size - power);
  if (rank < paired && rank % 2 == 0) {
    send(mine, o.count, o.datatype, rank + 1, comm);
    return receive(result, o.count, o.datatype, rank + 1, comm);
  }
  const Scratch other(o.count, o.datatype);
  void *so_far = result, *arrived = other.data();
  if (mine != result) copy(mine, o.count, o.datatype, result, o.count, o.datatype);
  if (rank < paired) {
    receive(arrived, o.count, o.datatype, rank - 1, comm);
    combine(arrived, so_far, o.count, o.datatype, o.op);
  }
  const int v = rank < paired ? rank / 2 : rank - paired / 2;
  for (int distance = 1; distance < power; distance *= 2) {
    const int w = v ^ distance;
    const int partner = w < paired / 2 ? 2 * w + 1 : w + paired / 2;
    exchange(so_far, o.count, o.datatype, partner, arrived, o.count, o.datatype, partner, comm);
    if (w > v) std::swap(so_far, arrived);  // the lower ranks' part comes first
    combine(arrived, so_far, o.count, o.datatype, o.op);
  }
  if (rank < paired) send(so_far, o.count, o.datatype, rank - 1, comm);
  if (so_far != result) copy(so_far, o.count, o.datatype, result, o.count, o.datatype);
}

}  // namespace strata::mpix
