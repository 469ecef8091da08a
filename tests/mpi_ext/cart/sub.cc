// SPDX-License-Identifier: LGPL-2.1-only
// Sub-grids of a reordered communicator: processes with the same coordinates in the removed dimensions, in the order of
// the other coordinates. Also their own sub-grids, and dups of both, which work the same after the original is freed.
#include <mpi.h>

#include <vector>

#include "mpi_ext/cart/cart_mapping.h"
#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/cart/meshes.h"
#include "tests/mpi_ext/cart/tests.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"

namespace strata::mpix::testing {

void test_sub(Test& test) {
  Checks& t = test.t;
  for (const Mesh& mesh : meshes(size_of(MPI_COMM_WORLD), 1)) {
    MPI_Comm cart = create(t, MPI_COMM_WORLD, mesh, 1);
    if (cart == MPI_COMM_NULL) continue;
    MPI_Comm dup = MPI_COMM_NULL;
    MPI_Comm_dup(cart, &dup);
    const Ranks members = members_of(cart);
    const std::vector<int> all = our_topology(cart, mesh), mine = coords_of(mesh, rank_in(cart));
    release(cart);
    CHECK_EQ(all, our_topology(dup, mesh));
    for (int mask = 0; mask < 1 << mesh.num_dims(); ++mask) {
      Ranks expected;
      for (int p = 0; p < mesh.size(); ++p) {
        const std::vector<int> other = coords_of(mesh, p);
        bool same = true;
        for (int i = 0; i < mesh.num_dims(); ++i) same = same && ((mask >> i & 1) != 0 || other[i] == mine[i]);
        if (same) expected.push_back(members[p]);
      }
      std::vector<int> remain, dims, periods, coords, none(3, 0);
      for (int i = 0; i < mesh.num_dims(); ++i) {
        remain.push_back((mask >> i & 1) != 0 ? 5 : 0);  // any number except 0 is true
        if (remain[i] == 0) continue;
        dims.push_back(mesh.dims[i]);
        periods.push_back(mesh.periods[i] ? 1 : 0);
        coords.push_back(mine[i]);
      }
      MPI_Comm sub = MPI_COMM_NULL, below = MPI_COMM_NULL;
      CHECK_EQ(MPI_SUCCESS, MPIX_Nodecart_sub(dup, remain.data(), &sub));
      CHECK_EQ(expected, members_of(sub));
      std::vector<int> got[3] = {std::vector<int>(dims.size()), std::vector<int>(dims.size()),
                                 std::vector<int>(dims.size())};
      CHECK_EQ(MPI_SUCCESS,
               MPIX_Nodecart_get(sub, static_cast<int>(dims.size()), got[0].data(), got[1].data(), got[2].data()));
      CHECK_EQ(dims, got[0]);
      CHECK_EQ(periods, got[1]);
      CHECK_EQ(coords, got[2]);
      char* name = nullptr;
      MPIX_Nodecart_get_mapping(sub, &name, nullptr, nullptr);
      check_mapping(test, sub, *find_cart_method(name));
      CHECK_EQ(MPI_SUCCESS, MPIX_Nodecart_sub(sub, none.data(), &below));
      CHECK_EQ(Ranks{rank_in(MPI_COMM_WORLD)}, members_of(below));
      int ndims = -1;
      CHECK_EQ(MPI_SUCCESS, MPIX_Nodecart_dim_get(below, &ndims));
      CHECK_EQ(0, ndims);
      release(below);
      release(sub);
    }
    release(dup);
  }
}

}  // namespace strata::mpix::testing
