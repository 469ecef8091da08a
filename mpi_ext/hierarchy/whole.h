// SPDX-License-Identifier: LGPL-2.1-only
// The hierarchy of a communicator kept as a whole: what MPIX_Hierarchy points to.
//
// A collective over it is a loop over `bridge`: going down, when the loop comes to a communicator its rank 0 has what
// the members are to get. It goes to the roots of the new communicators below, and each of these is in the same
// position one level down. Where bindings are uneven some members have no communicator below: they are not roots, yet
// must take part, so there the algorithm runs on a *bridge*, the roots and these members together. Rank 0 of the
// communicator is always in it, as rank 0. At the bottom the algorithm runs on the communicator itself.
#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

namespace strata::mpix {
struct Subtrees;
}

struct MPIX_Hierarchy_s {
  std::vector<MPI_Comm> comms;  // a copy of the user's communicator, then the caller's communicator on each level
  std::vector<MPI_Comm> roots;  // roots[i]: of the children of comms[i]; null if the caller is not a root
  std::vector<MPI_Comm>
      bridge;  // bridge[i]: where the algorithm runs below comms[i]; null where the caller is not in it
  // Whether every communicator's members are consecutive ranks of the whole, in their order; the same on all members.
  bool consecutive = false;
  std::vector<MPI_Comm> own_bridges;  // those of them that are neither in `roots` nor in `comms`
  // Null until a gather or scatter needs them (coll/subtrees.h).
  std::shared_ptr<const strata::mpix::Subtrees> subtrees;
};
