// SPDX-License-Identifier: LGPL-2.1-only
// Without reordering: the same results as MPI's own Cartesian functions.
#include <mpi.h>

#include <vector>

#include "mpi_ext/cart/cart_mapping.h"
#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/cart/meshes.h"
#include "tests/mpi_ext/cart/tests.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"

namespace strata::mpix::testing {

void test_in_order(Test& test, const Mesh& mesh) {
  Checks& t = test.t;
  const MPI_Comm cart = create(t, MPI_COMM_WORLD, mesh, 0);
  MPI_Comm mpis = MPI_COMM_NULL;
  const std::vector<int> periods = periods_of(mesh);
  MPI_Cart_create(MPI_COMM_WORLD, mesh.num_dims(), mesh.dims.data(), periods.data(), 1, &mpis);
  CHECK_EQ(mpis == MPI_COMM_NULL, cart == MPI_COMM_NULL);
  if (cart == MPI_COMM_NULL || mpis == MPI_COMM_NULL) return;
  // EuroMPI'18, Table 2: MPI's own function ignores `reorder`.
  const bool all = mesh.size() == size_of(MPI_COMM_WORLD);
  CHECK_EQ(static_cast<int>(all ? MPI_CONGRUENT : MPI_UNEQUAL), compared(MPI_COMM_WORLD, mpis));
  CHECK_EQ(static_cast<int>(MPI_CONGRUENT), compared(mpis, cart));
  CHECK_EQ(mpis_topology(mpis, mesh), our_topology(cart, mesh));
  check_mapping(test, cart, CartMethod::kCart);
  for (int mask = 0; mask < 1 << mesh.num_dims(); ++mask) {
    std::vector<int> remain;
    for (int i = 0; i < mesh.num_dims(); ++i) remain.push_back(mask >> i & 1);
    MPI_Comm sub = MPI_COMM_NULL, other = MPI_COMM_NULL;
    CHECK_EQ(MPI_SUCCESS, MPIX_Nodecart_sub(cart, remain.data(), &sub));
    MPI_Cart_sub(mpis, remain.data(), &other);
    // If no dimension remains, each process is alone. MPI_Cart_sub of MPICH and SMPI returns that communicator only on
    // rank 0, and a null communicator on the other ranks.
    if (other == MPI_COMM_NULL) {
      CHECK_EQ(0, mask);
      CHECK_EQ(Ranks{rank_in(MPI_COMM_WORLD)}, members_of(sub));
    } else {
      CHECK_EQ(static_cast<int>(MPI_CONGRUENT), compared(other, sub));
      Mesh rest;
      for (int i = 0; i < mesh.num_dims(); ++i) {
        if (remain[i] == 0) continue;
        rest.dims.push_back(mesh.dims[i]);
        rest.periods.push_back(mesh.periods[i]);
      }
      // SMPI's function uses the coordinates of the whole mesh.
      if (test.real) CHECK_EQ(mpis_topology(other, rest), our_topology(sub, rest));
      if (test.real) CHECK_EQ(mpis_topology(sub, rest), our_topology(sub, rest));
    }
    check_mapping(test, sub, CartMethod::kCart);
    release(other);
    release(sub);
  }
  release(mpis);
  release(cart);
}

}  // namespace strata::mpix::testing
