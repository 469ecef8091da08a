// SPDX-License-Identifier: LGPL-2.1-only
// The shim for real MPIs: a program that calls MPI_Cart_create with `reorder` gets the node-aware mesh of mpix.h
// (EuroMPI'18, Section 2.2), without changes or a new build. The library must come before MPI: preload it, or link it
// first.
//
// The result is MPI's own Cartesian communicator, so MPI handles everything else that a program does with it. A program
// that does not pass `reorder` has asked for MPI's order, and gets it.
//
// MPI_Cart_map remains MPI's: it is local (MPI 4.0, Section 8.5.8), so a single process may call it, which does not
// know the places of the others. MPI_Dims_create also remains MPI's. The standard requires dimensions "as close to each
// other as possible", which node-aware ones are not; and one process may call it for all, but MPIX_Nodecart_dims_create
// is collective.
#include "mpi_ext/mpix.h"

extern "C" int MPI_Cart_create(MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder,
                               MPI_Comm* newcomm) {
  if (reorder == 0) return PMPI_Cart_create(comm, ndims, dims, periods, reorder, newcomm);
  return MPIX_Nodecart_create(comm, ndims, dims, periods, reorder, newcomm);
}
