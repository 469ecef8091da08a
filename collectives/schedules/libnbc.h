// SPDX-License-Identifier: LGPL-2.1-only
// The nonblocking collectives of Open MPI's component libnbc, as far as HAN uses them (han_tasks.h). For example, what
// rank 1 does in an MPI_Ibcast of 8 ranks, which libnbc does along a binomial tree:
//
//   libnbc_broadcast({.ranks = 8, .count = 1000}, 1).list()    two rounds: a receive; two sends
//
// Each algorithm is in its own file, which says where it comes from. 4.1.4 and 5.0.7 have the same ones, and choose
// them in the same way. There are at least two ranks.
#pragma once

#include "collectives/schedules/collective.h"
#include "collectives/schedules/rounds.h"

namespace strata::collectives {

/// MPI_Ibcast with the algorithm that the library chooses: linear up to 4 ranks, else binomial. By default, it does not
/// look at the size (coll_libnbc_ibcast_skip_dt_decision). Source: nbc_bcast_init, nbc_ibcast.c, Open MPI 5.0.7.
Rounds libnbc_broadcast(const Collective& call, int rank);
/// Whether the rank gets this broadcast from a rank that gets it itself.
bool libnbc_gets_late(const Collective& call, int rank);
Rounds libnbc_linear_broadcast(const Collective& call, int rank);
Rounds libnbc_binomial_broadcast(const Collective& call, int rank);

/// MPI_Ireduce with the algorithm that the library chooses: halving from 3 ranks on, if there are enough elements; else
/// a chain of up to 4 ranks from 64 KiB on; else binomial. Operations must be commutative. They use the buffers kFirst
/// and kSecond. Source: nbc_reduce_init, nbc_ireduce.c, Open MPI 5.0.7.
Rounds libnbc_reduce(const Collective& call, int rank);
Rounds libnbc_binomial_reduce(const Collective& call, int rank);
Rounds libnbc_chain_reduce(const Collective& call, int rank);
Rounds libnbc_halving_reduce(const Collective& call, int rank);

/// The place of a rank in a tree or chain whose first place is the root's: the root and rank 0 change places. This is
/// also the rank at a place.
inline int libnbc_place(int rank, int root) {
  if (rank == root) return 0;
  return rank == 0 ? root : rank;
}

}  // namespace strata::collectives
