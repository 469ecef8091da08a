// SPDX-License-Identifier: LGPL-2.1-only
// The meshes of this program, and queries of their communicators.
#pragma once

#include <mpi.h>

#include <vector>

#include "mpi_ext/cart/cart_mapping.h"
#include "tests/mpi_ext/checks.h"

namespace strata::mpix::testing {

struct Test {
  Checks& t;
  Places places;  // of MPI_COMM_WORLD
  bool real;      // the results are MPI's own Cartesian communicators too
};

std::vector<int> periods_of(const Mesh& mesh);

// Meshes of one to three dimensions with `size` and with `size` - 1 processes. Each mesh has `variants` combinations of
// periods, from a binary counter that continues from mesh to mesh.
std::vector<Mesh> meshes(int size, int variants);

// The places of the ranks of MPI_COMM_WORLD, from the placement file.
Places places_in_file();

void set_method(MPI_Comm comm, const char* method);
MPI_Comm create(Checks& t, MPI_Comm comm, const Mesh& mesh, int reorder);
void release(MPI_Comm comm);
int compared(MPI_Comm a, MPI_Comm b);

// The results of all topology functions of a communicator, as one list of numbers: those of this library, and of MPI.
std::vector<int> our_topology(MPI_Comm comm, const Mesh& mesh);
std::vector<int> mpis_topology(MPI_Comm comm, const Mesh& mesh);

// The method of `cart`, and its numbers of partners, which are counted by shifts.
void check_mapping(Test& test, MPI_Comm cart, CartMethod method);

}  // namespace strata::mpix::testing
