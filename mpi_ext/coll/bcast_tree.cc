// SPDX-License-Identifier: LGPL-2.1-only
// Broadcast down a tree, segment by segment: chain, pipeline, binary and binomial (ompi_coll_base_bcast_intra_generic).
//
// A rank that has a segment sends it to each of its children in order; the receive of the next segment is posted before
// the wait for this one, so that it can arrive meanwhile. Open MPI starts the sends of a segment to all children at
// once; ours go one after another, as a network card takes them, so that a child is served at full bandwidth.
//
// Cost by Hockney with s segments: on a tree of depth d in which every rank has at most c children, about
// (d + s - 1) c (alpha + (m / s) beta); pipeline c = 1 and d = p - 1, chain c = 1 except the root's 4 and d = (p - 1)
// / 4, binary c = 2 and d = log2 p; binomial with one segment ceil(log2 p)(alpha + m beta).
#include <array>

#include "mpi_ext/coll/bcast.h"
#include "mpi_ext/coll/message.h"

namespace strata::mpix {

void bcast_tree(void* buffer, int count, MPI_Datatype datatype, const Tree& tree, MPI_Comm comm, int segment_bytes) {
  const Segments segments(count, datatype, segment_bytes);
  std::array<Receive, 2> posted;
  const auto post = [&](int s) {
    posted[s % 2].post(element(buffer, segments.first(s), datatype), segments.elements(s), datatype, tree.parent, comm);
  };
  const bool receives = tree.parent >= 0;
  if (receives) post(0);
  for (int s = 0; s < segments.number(); ++s) {
    if (receives && s + 1 < segments.number()) post(s + 1);
    if (receives) posted[s % 2].wait();
    for (const int child : tree.children) {
      send(element(buffer, segments.first(s), datatype), segments.elements(s), datatype, child, comm);
    }
  }
}

}  // namespace strata::mpix
