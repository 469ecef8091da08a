// SPDX-License-Identifier: LGPL-2.1-only
// Wrong arguments, and a mesh without dimensions.
#include <mpi.h>

#include <climits>
#include <vector>

#include "mpi_ext/cart/cart_mapping.h"
#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/cart/meshes.h"
#include "tests/mpi_ext/cart/tests.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"

namespace strata::mpix::testing {

void test_create_errors(Test& test) {
  Checks& t = test.t;
  CountedErrors errors(t);
  MPI_Comm comm = MPI_COMM_NULL, cart = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  errors.handle(comm);
  errors.handle(MPI_COMM_WORLD);
  const int size = size_of(comm), last = size - 1;
  const int good[3] = {size, 1, 1}, periods[3] = {0, 0, 0};
  struct Wrong {
    int error, ndims;
    std::vector<int> dims;
  };
  for (const Wrong& w :
       {Wrong{MPI_ERR_DIMS, 1, {0}}, Wrong{MPI_ERR_DIMS, 2, {size, -1}}, Wrong{MPI_ERR_DIMS, -1, {1}},
        Wrong{MPI_ERR_ARG, 1, {size + 1}}, Wrong{MPI_ERR_ARG, 2, {size, 2}}, Wrong{MPI_ERR_ARG, 3, {65536, 65536, 1}},
        Wrong{MPI_ERR_ARG, 3, {INT_MAX, INT_MAX, INT_MAX}}, Wrong{MPI_ERR_DIMS, 3, {INT_MAX, 2, 0}}}) {
    CHECK_ERROR(w.error, MPIX_Nodecart_create(comm, w.ndims, w.dims.data(), periods, 1, &cart));
    CHECK_TRUE(cart == MPI_COMM_NULL);
    const bool mine = rank_in(comm) == last;
    CHECK_ERROR(w.error,
                MPIX_Nodecart_create(comm, mine ? w.ndims : 3, mine ? w.dims.data() : good, periods, 1, &cart));
    int newrank = 0;
    CHECK_ERROR(w.error, MPIX_Nodecart_map(comm, w.ndims, w.dims.data(), periods, &newrank));
  }
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Nodecart_create(comm, 3, nullptr, periods, 1, &cart));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Nodecart_create(comm, 3, good, nullptr, 1, &cart));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Nodecart_create(comm, 3, good, periods, 1, nullptr));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Nodecart_map(comm, 3, good, periods, nullptr));
  CHECK_ERROR(MPI_ERR_COMM, MPIX_Nodecart_create(MPI_COMM_NULL, 3, good, periods, 1, &cart));
  if (size > 1) {
    // They differ in a period, in the number of dimensions, in whether to reorder, and in the function.
    const int other[3] = {0, 0, rank_in(comm) == last ? 1 : 0};
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Nodecart_create(comm, 3, good, other, 1, &cart));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Nodecart_create(comm, rank_in(comm) == last ? 2 : 3, good, periods, 1, &cart));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Nodecart_create(comm, 3, good, periods, rank_in(comm) == last ? 0 : 1, &cart));
  }
  release(comm);
}

void test_local_errors(Test& test) {
  Checks& t = test.t;
  CountedErrors errors(t);
  const int size = size_of(MPI_COMM_WORLD);
  MPI_Comm cart = create(t, MPI_COMM_WORLD, {{size, 1}, {true, false}}, 1), plain = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &plain);
  for (MPI_Comm comm : {cart, plain, MPI_COMM_WORLD}) errors.handle(comm);
  int n = -7, source = -7, dest = -7, dims[2], periods[2], coords[2] = {0, 0};
  CHECK_ERROR(MPI_ERR_TOPOLOGY, MPIX_Nodecart_dim_get(plain, &n));
  CHECK_ERROR(MPI_ERR_TOPOLOGY, MPIX_Nodecart_shift(plain, 0, 1, &source, &dest));
  CHECK_ERROR(MPI_ERR_TOPOLOGY, MPIX_Nodecart_sub(plain, dims, &plain));
  MPI_Comm_dup(MPI_COMM_WORLD, &plain);
  CHECK_ERROR(MPI_ERR_COMM, MPIX_Nodecart_dim_get(MPI_COMM_NULL, &n));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Nodecart_dim_get(cart, nullptr));
  CHECK_ERROR(MPI_ERR_DIMS, MPIX_Nodecart_shift(cart, 2, 1, &source, &dest));
  CHECK_ERROR(MPI_ERR_DIMS, MPIX_Nodecart_shift(cart, -1, 1, &source, &dest));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Nodecart_shift(cart, 0, 1, nullptr, &dest));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Nodecart_get(cart, 1, dims, periods, coords));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Nodecart_get(cart, 2, dims, nullptr, coords));
  CHECK_ERROR(MPI_ERR_RANK, MPIX_Nodecart_coords(cart, size, 2, coords));
  CHECK_ERROR(MPI_ERR_RANK, MPIX_Nodecart_coords(cart, -1, 2, coords));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Nodecart_coords(cart, 0, 1, coords));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Nodecart_coords(cart, 0, 2, nullptr));
  const int off[2] = {0, 1}, far[2] = {INT_MIN, 0};
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Nodecart_rank(cart, off, &n));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Nodecart_rank(cart, nullptr, &n));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Nodecart_sub(cart, nullptr, &plain));
  // A distant position exists in a periodic dimension, and is outside of the mesh in the other.
  CHECK_EQ(MPI_SUCCESS, MPIX_Nodecart_rank(cart, far, &n));
  CHECK_EQ(static_cast<int>((static_cast<long>(INT_MIN) % size + size) % size), n);
  const long mine = rank_in(cart);
  for (int displ : {INT_MAX, INT_MIN, INT_MIN + 1}) {
    CHECK_EQ(MPI_SUCCESS, MPIX_Nodecart_shift(cart, 0, displ, &source, &dest));
    CHECK_EQ(static_cast<int>(((mine - displ) % size + size) % size), source);
    CHECK_EQ(static_cast<int>(((mine + displ) % size + size) % size), dest);
    CHECK_EQ(MPI_SUCCESS, MPIX_Nodecart_shift(cart, 1, displ, &source, &dest));
    CHECK_EQ(static_cast<int>(MPI_PROC_NULL), source);
    CHECK_EQ(static_cast<int>(MPI_PROC_NULL), dest);
  }
  release(cart);
}

void test_no_dimensions(Test& test) {
  Checks& t = test.t;
  int newrank = -7, ndims = -1;
  CHECK_EQ(MPI_SUCCESS, MPIX_Nodecart_map(MPI_COMM_WORLD, 0, nullptr, nullptr, &newrank));
  CHECK_EQ(rank_in(MPI_COMM_WORLD) == 0 ? 0 : static_cast<int>(MPI_UNDEFINED), newrank);
  MPI_Comm cart = create(t, MPI_COMM_WORLD, {}, 1), sub = MPI_COMM_NULL;
  CHECK_EQ(rank_in(MPI_COMM_WORLD) == 0 ? Ranks{0} : Ranks{}, members_of(cart));
  if (cart == MPI_COMM_NULL) return;
  CHECK_EQ(MPI_SUCCESS, MPIX_Nodecart_dim_get(cart, &ndims));
  CHECK_EQ(0, ndims);
  CHECK_EQ(MPI_SUCCESS, MPIX_Nodecart_get(cart, 0, nullptr, nullptr, nullptr));
  CHECK_EQ(MPI_SUCCESS, MPIX_Nodecart_coords(cart, 0, 0, nullptr));
  CHECK_EQ(MPI_SUCCESS, MPIX_Nodecart_rank(cart, nullptr, &newrank));
  CHECK_EQ(0, newrank);
  CHECK_EQ(MPI_SUCCESS, MPIX_Neighbor_alltoall(nullptr, 1, MPI_INT, nullptr, 1, MPI_INT, cart));
  CHECK_EQ(MPI_SUCCESS, MPIX_Nodecart_sub(cart, nullptr, &sub));
  CHECK_EQ(Ranks{0}, members_of(sub));
  release(sub);
  release(cart);
}

}  // namespace strata::mpix::testing
