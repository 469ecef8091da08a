// SPDX-License-Identifier: LGPL-2.1-only
// Constants whose value in SMPI's header also means something else, and which the mpi.h of `strata mpi`
// (toolchain/mpi4.h) defines differently. Programs that were built with SMPI's own smpicc have SMPI's values.
#pragma once

#include <mpi.h>

/// Whether the simulated program was built with the mpi.h of `strata mpi`. Its library libstrata_mpi.so sets this.
extern "C" __attribute__((visibility("default"))) int strata_supply_own_constants;

namespace strata::mpix {

/// MPI_DISTRIBUTE_DFLT_DARG: 3 in SMPI's header, which is also a length of blocks.
inline bool is_default_argument(int argument) {
  return argument == -1 || (argument == MPI_DISTRIBUTE_DFLT_DARG && strata_supply_own_constants == 0);
}

/// MPI_UNWEIGHTED: a null pointer in SMPI's header, which may also be the address of no weights.
inline int* unweighted() { return reinterpret_cast<int*>(2); }
inline bool is_unweighted(const int* weights) {
  return weights == unweighted() || (weights == MPI_UNWEIGHTED && strata_supply_own_constants == 0);
}

}  // namespace strata::mpix
