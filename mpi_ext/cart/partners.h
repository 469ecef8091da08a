// SPDX-License-Identifier: LGPL-2.1-only
// Counts the communication partners of a halo exchange on the same node and on others. Mappings minimise the number of
// off-node partners (EuroMPI'18, Table 3).
//
// Every process has two partners per dimension, one per shift by 1. A process that is its own partner (a periodic
// dimension of 1) and a repeated neighbour (a periodic dimension of 2) count each time, on-node or off-node. A shift
// off the mesh counts as off-node, as in Table 3.
#pragma once

#include <vector>

#include "mpi_ext/cart/mesh.h"

namespace strata::mpix {

struct PartnerCount {
  int min = 0, max = 0;  // over processes
  long total = 0;        // over all of them
};

struct Partners {
  PartnerCount on, off;  // within the same group, and not
};

/// `group_of[position]`: the node, or other instance, that runs this position. O(size x dimensions).
Partners count_partners(const Mesh& mesh, const std::vector<int>& group_of);

}  // namespace strata::mpix
