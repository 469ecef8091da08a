// SPDX-License-Identifier: LGPL-2.1-only
// Broadcast down a tree, segment by segment: chain, pipeline, binary and binomial (ompi_coll_base_bcast_intra_generic).
//
// A rank that has received a segment starts sending it to all its children, in order, and waits for all of these sends.
// It posts the receive of the next segment before it waits for the current one, so that segments can arrive in the
// meantime. The overheads of the sends are spent one after another; the messages share the links on their paths.
//
// Cost with s segments, if a rank's own link carries one message at full speed: about (d + s - 1)(alpha + c (m / s)
// beta) on a tree of depth d with at most c children per rank. Pipeline: c = 1 and d = p - 1. Chain: c = 1, except 4 at
// the root, and d = (p - 1) / 4. Binary: c = 2 and d = log2 p. In Hockney's model, a rank sends to one child after
// another, (d + s - 1) c (alpha + (m / s) beta), and its first child continues earlier; binomial with one segment takes
// ceil(log2 p)(alpha + m beta).
#include <array>
#include <vector>

#include "mpi_ext/coll/bcast.h"
#include "mpi_ext/context/message.h"

namespace strata::mpix {

void bcast_tree(void* buffer, int count, MPI_Datatype datatype, const Tree& tree, MPI_Comm comm, int segment_bytes,
                Sends sends) {
  const Segments segments(count, datatype, segment_bytes);
  std::array<Receive, 2> posted;
  const auto post = [&](int s) {
    posted[s % 2].post(element(buffer, segments.first(s), datatype), segments.elements(s), datatype, tree.parent, comm);
  };
  const bool receives = tree.parent >= 0;
  std::vector<Send> sent(tree.children.size());
  if (receives) post(0);
  for (int s = 0; s < segments.number(); ++s) {
    if (receives && s + 1 < segments.number()) post(s + 1);
    if (receives) posted[s % 2].wait();
    for (std::size_t i = 0; i < sent.size(); ++i) {
      sent[i].post(element(buffer, segments.first(s), datatype), segments.elements(s), datatype, tree.children[i],
                   comm);
      if (sends == Sends::kInTurn) sent[i].wait();
    }
    if (sends == Sends::kAtOnce) {
      for (Send& one : sent) one.wait();
    }
  }
}

}  // namespace strata::mpix
