// SPDX-License-Identifier: LGPL-2.1-only
// Split-binary broadcast: each half of the message goes down one side of a binary tree, then the two sides exchange
// their halves (ompi_coll_base_bcast_intra_split_bintree).
//
// The first half (count / 2 elements, rounded up) goes to the left subtree, the second to the right, both in segments
// as in bcast_tree.cc. But a rank sends to one child after another, as in Open MPI's version of this algorithm (unlike
// its other trees). With ranks counted from the root, odd v are left and even v are right; v and v + 1 exchange their
// halves. If the last rank is odd, it has no partner, and gets the second half from the root. A message that cannot be
// cut into two segments goes down a pipeline instead, as in Open MPI.
//
// Cost in Hockney's model with s segments per half: about (log2 p + s - 1) 2 (alpha + (m / 2 s) beta) + alpha + (m / 2)
// beta. An inner rank sends half of the bytes that it sends in a binary tree, and there is one exchange.
#include <algorithm>
#include <array>

#include "mpi_ext/coll/bcast.h"
#include "mpi_ext/context/message.h"
#include "mpi_ext/ranks.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {
namespace {

// Half of the message: `count` elements, beginning at `data`.
struct Half {
  void* data;
  int count;
};

}  // namespace

void bcast_split_binary(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, int segment_bytes) {
  const int rank = rank_in(comm), size = size_of(comm);
  const int v = (rank - root + size) % size;
  const int left = count / 2 + count % 2, right = count / 2;
  int type_size = 0;
  call(MPI_Type_size(datatype, &type_size));
  if (segment_bytes > 0) segment_bytes = std::max(segment_bytes, type_size);
  if (right == 0 || segment_bytes > static_cast<long>(right) * type_size) {
    return bcast_tree(buffer, count, datatype, chain_tree(rank, size, root, 1), comm, segment_bytes, Sends::kAtOnce);
  }
  const std::array<Half, 2> halves = {Half{buffer, left}, Half{element(buffer, left, datatype), right}};
  const Tree tree = binary_tree(rank, size, root);
  if (rank == root) {
    const std::array<Segments, 2> cut = {Segments(left, datatype, segment_bytes),
                                         Segments(right, datatype, segment_bytes)};
    for (int s = 0; s < cut[0].number(); ++s) {  // the left half has the same number of segments, or one more
      for (std::size_t side = 0; side < tree.children.size(); ++side) {
        if (s >= cut[side].number()) continue;
        send(element(halves[side].data, cut[side].first(s), datatype), cut[side].elements(s), datatype,
             tree.children[side], comm);
      }
    }
    if (size % 2 == 0) send(halves[1].data, right, datatype, (root + size - 1) % size, comm);
    return;
  }
  const bool is_left = v % 2 == 1;
  const Half mine = halves[is_left ? 0 : 1], other = halves[is_left ? 1 : 0];
  bcast_tree(mine.data, mine.count, datatype, tree, comm, segment_bytes, Sends::kInTurn);
  if (v == size - 1 && is_left) return receive(other.data, other.count, datatype, root, comm);
  const int partner = (root + (is_left ? v + 1 : v - 1)) % size;
  exchange(mine.data, mine.count, datatype, partner, other.data, other.count, datatype, partner, comm);
}

}  // namespace strata::mpix
