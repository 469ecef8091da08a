// SPDX-License-Identifier: LGPL-2.1-only
// Broadcast down a tree, segment by segment: chain, pipeline, binary and binomial (ompi_coll_base_bcast_intra_generic).
//
// A rank that has a segment starts the sends of it to all its children, in order, and waits for all of them; the
// receive of the next segment is posted before the wait for this one, so that it can arrive meanwhile. The overheads of
// the sends are spent one after another, the messages share the links on their ways.
//
// Cost with s segments, where the rank's own link carries one message at full speed: on a tree of depth d in which
// every rank has at most c children, about (d + s - 1)(alpha + c (m / s) beta); pipeline c = 1 and d = p - 1, chain
// c = 1 except the root's 4 and d = (p - 1) / 4, binary c = 2 and d = log2 p. Hockney's model sends to one child after
// another, (d + s - 1) c (alpha + (m / s) beta), and the first child of a rank goes on earlier; binomial with one
// segment ceil(log2 p)(alpha + m beta).
#include <array>
#include <vector>

#include "mpi_ext/coll/bcast.h"
#include "mpi_ext/coll/message.h"

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
