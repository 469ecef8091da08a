// SPDX-License-Identifier: LGPL-2.1-only
// The complete hierarchy of a communicator: the object behind MPIX_Hierarchy.
//
// A collective over it is a loop over `bridge`. In a broadcast, for example, when the loop reaches a communicator, its
// rank 0 has the data for the members. It goes to the roots of the new communicators below, and each of these is then
// in the same situation one level down. If bindings are uneven, some members have no communicator below: they are not
// roots, but must take part. There the algorithm runs on a *bridge*, which consists of the roots and these members.
// Rank 0 of the communicator is always rank 0 of the bridge. At the bottom the algorithm runs on the communicator
// itself.
#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

namespace strata::mpix {
struct Subtrees;
}

struct MPIX_Hierarchy_s {
  std::vector<MPI_Comm> comms;   // a copy of the user's communicator, then the caller's communicator on each level
  std::vector<MPI_Comm> roots;   // roots[i]: of the children of comms[i]; null if the caller is not a root
  std::vector<MPI_Comm> bridge;  // bridge[i]: where the algorithm runs below comms[i]; null if the caller is not in it
  // Whether every communicator's members are consecutive ranks of the whole, in their order; the same on all members.
  bool consecutive = false;
  std::vector<MPI_Comm> own_bridges;  // those bridges that are in neither `roots` nor `comms`
  // Null until a gather or scatter needs them (coll/subtrees.h).
  std::shared_ptr<const strata::mpix::Subtrees> subtrees;
};
