// SPDX-License-Identifier: LGPL-2.1-only
// Reduce up a tree, segment by segment: chain, pipeline, binary, binomial and in-order binary
// (ompi_coll_base_reduce_generic).
//
// A rank receives each segment from each of its children in order, combines it with its partial result, and sends the
// result to its parent. It posts the next receive (from the next child, or of the first child's next segment) before it
// waits for the current one, so that messages can arrive in the meantime.
//
// Cost in Hockney's model with s segments and a combination at gamma s/B: that of the broadcast down the same tree
// (bcast_tree.cc), plus (m / s) gamma for each segment received.
#include <array>

#include "mpi_ext/coll/reduce.h"
#include "mpi_ext/context/message.h"

namespace strata::mpix {

void reduce_tree(const void* mine, void* result, const Operands& o, const Tree& tree, MPI_Comm comm,
                 int segment_bytes) {
  const Segments segments(o.count, o.datatype, segment_bytes);
  const bool is_root = tree.parent < 0;
  const int children = static_cast<int>(tree.children.size());
  const int arrivals = children * segments.number();
  const std::array<Scratch, 2> arrived = {Scratch(arrivals > 0 ? segments.longest() : 0, o.datatype, mine),
                                          Scratch(arrivals > 1 ? segments.longest() : 0, o.datatype, mine)};
  const Scratch combined(arrivals > 0 && !is_root ? segments.longest() : 0, o.datatype, mine);
  std::array<Receive, 2> posted;
  const auto post = [&](int arrival) {
    posted[arrival % 2].post(arrived[arrival % 2].data(), segments.elements(arrival / children), o.datatype,
                             tree.children[arrival % children], comm);
  };
  if (arrivals > 0) post(0);
  int arrival = 0;
  for (int s = 0; s < segments.number(); ++s) {
    const int count = segments.elements(s);
    const void* own = element(mine, segments.first(s), o.datatype);
    if (children == 0) {
      send(own, count, o.datatype, tree.parent, comm);
      continue;
    }
    void* so_far = is_root ? element(result, segments.first(s), o.datatype) : combined.data();
    if (so_far != own) copy(own, count, o.datatype, so_far, count, o.datatype);
    for (int child = 0; child < children; ++child, ++arrival) {
      if (arrival + 1 < arrivals) post(arrival + 1);
      posted[arrival % 2].wait();
      combine(arrived[arrival % 2].data(), so_far, count, o.datatype, o.op);
    }
    if (!is_root) send(so_far, count, o.datatype, tree.parent, comm);
  }
}

}  // namespace strata::mpix
