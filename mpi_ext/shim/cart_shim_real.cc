// SPDX-License-Identifier: LGPL-2.1-only
// The shim of a real MPI: a program that calls MPI_Cart_create with `reorder` gets the node-aware mesh of mpix.h
// (EuroMPI'18, Section 2.2), and need not be changed or built again. The library comes before MPI's: it is
// preloaded, or linked first.
//
// The result is MPI's own Cartesian communicator, so all else that a program does with it is MPI's business. Without
// `reorder` the program has asked for MPI's order, and gets it.
//
// MPI_Cart_map stays MPI's: it is local (MPI 4.0, Section 8.5.8), one process may call it alone, and the places of
// the others are not known. MPI_Dims_create stays MPI's too. The standard has it give dimensions "as close to each
// other as possible", which node-aware ones are not; and one process may call it for all, where
// MPIX_Nodecart_dims_create is collective.
#include "mpi_ext/mpix.h"

extern "C" int MPI_Cart_create(MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder,
                               MPI_Comm* newcomm) {
  if (reorder == 0) return PMPI_Cart_create(comm, ndims, dims, periods, reorder, newcomm);
  return MPIX_Nodecart_create(comm, ndims, dims, periods, reorder, newcomm);
}
