// SPDX-License-Identifier: LGPL-2.1-only
// With reordering: the mapping of the pure core for the placement file.
#include <mpi.h>

#include <optional>
#include <string>
#include <vector>

#include "mpi_ext/cart/cart_mapping.h"
#include "mpi_ext/cart/tree_paths.h"
#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/cart/meshes.h"
#include "tests/mpi_ext/cart/tests.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"

namespace strata::mpix::testing {
namespace {

// The result of the pure core; empty if the method is not possible.
std::optional<Mapping> expected_mapping(const Test& test, const Mesh& mesh, CartMethod method) {
  try {
    return map_processes(mesh, places_of_first(test.places, mesh.size()), method);
  } catch (const Unmappable&) {
    return std::nullopt;
  }
}

void test_method(Test& test, MPI_Comm comm, CountedErrors& errors, const Mesh& mesh, CartMethod method) {
  Checks& t = test.t;
  const std::optional<Mapping> expected = expected_mapping(test, mesh, method);
  const std::vector<int> periods = periods_of(mesh);
  MPI_Comm cart = MPI_COMM_WORLD;
  int newrank = -7;
  if (!expected) {
    CHECK_ERROR(MPI_ERR_OTHER, MPIX_Nodecart_create(comm, mesh.num_dims(), mesh.dims.data(), periods.data(), 1, &cart));
    CHECK_TRUE(cart == MPI_COMM_NULL);
    CHECK_ERROR(MPI_ERR_OTHER, MPIX_Nodecart_map(comm, mesh.num_dims(), mesh.dims.data(), periods.data(), &newrank));
    return;
  }
  cart = create(t, comm, mesh, 1);
  CHECK_EQ(MPI_SUCCESS, MPIX_Nodecart_map(comm, mesh.num_dims(), mesh.dims.data(), periods.data(), &newrank));
  const int me = rank_in(comm);
  const bool takes_part = me < mesh.size();
  CHECK_EQ(takes_part, cart != MPI_COMM_NULL);
  CHECK_EQ(takes_part ? expected->new_rank[me] : static_cast<int>(MPI_UNDEFINED), newrank);
  if (cart == MPI_COMM_NULL) return;
  CHECK_EQ(newrank, rank_in(cart));
  Ranks members(mesh.size());
  bool in_order = true;
  for (int r = 0; r < mesh.size(); ++r) {
    members[expected->new_rank[r]] = r;
    in_order = in_order && expected->new_rank[r] == r;
  }
  CHECK_EQ(members, members_of(cart));
  // Table 2: "similar" after reordering.
  const int relation = mesh.size() < size_of(comm) ? MPI_UNEQUAL : in_order ? MPI_CONGRUENT : MPI_SIMILAR;
  CHECK_EQ(relation, compared(comm, cart));
  check_mapping(test, cart, expected->method);
  std::vector<int> coords(mesh.dims.size());
  CHECK_EQ(MPI_SUCCESS, MPIX_Nodecart_coords(cart, newrank, mesh.num_dims(), coords.data()));
  CHECK_EQ(coords_of(mesh, newrank), coords);
  if (test.real) {
    int kind = -1;
    MPI_Topo_test(cart, &kind);
    CHECK_EQ(static_cast<int>(MPI_CART), kind);
    CHECK_EQ(mpis_topology(cart, mesh), our_topology(cart, mesh));
  }
  release(cart);
}

}  // namespace

void test_methods(Test& test) {
  // The results have the same handler.
  CountedErrors errors(test.t);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  errors.handle(comm);
  for (CartMethod method : cart_methods()) {
    set_method(comm, std::string(name_of(method)).c_str());
    for (const Mesh& mesh : meshes(size_of(comm), 1)) test_method(test, comm, errors, mesh, method);
  }
  release(comm);
}

}  // namespace strata::mpix::testing
