// SPDX-License-Identifier: LGPL-2.1-only
// MPI_Alltoall and MPI_Alltoallv with MPI_IN_PLACE: with any algorithm, Open MPI exchanges blocks with the ranks at
// distance 1, 2, ..., p / 2 on both sides, and keeps the block for the right one in a temporary buffer meanwhile. Empty
// blocks are not sent.
//
// Source: mca_coll_base_alltoall_intra_basic_inplace, coll_base_alltoall.c, and the same of alltoallv, Open MPI 4.1.4.
#pragma once

#include "collectives/schedules/collective.h"

namespace strata::collectives {

void alltoall_in_place(const Collective& call, int rank, Steps& steps);

}  // namespace strata::collectives
