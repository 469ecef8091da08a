// SPDX-License-Identifier: LGPL-2.1-only
// The calls of MPI functions that communicate: places are exchanged in the first call, and not again.
#include <mpi.h>

#include <vector>

#include "mpi_ext/cart/cart_mapping.h"
#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/cart/meshes.h"
#include "tests/mpi_ext/cart/tests.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/counted_calls.h"

namespace strata::mpix::testing {
namespace {

// A list that can be printed in a failure.
std::vector<int> listed(const Calls& c) {
  return {c.allreduce, c.allgather, c.comm_create, c.comm_create_group, c.others};
}

}  // namespace

void test_messages(Test& test, bool everywhere) {
  Checks& t = test.t;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  const Mesh mesh{{size_of(comm)}, {true}};
  forget_calls();
  set_method(comm, "cart");
  CHECK_EQ(listed(Calls{.allreduce = 1}), listed(calls()));
  forget_calls();
  release(create(t, comm, mesh, 1));
  // Under a real MPI the communicator comes from MPI_Cart_create, which is not counted. Under SMPI rank 0 passes what
  // it knows to the other ranks.
  Calls first{.allreduce = 1};
  if (!test.real) first.comm_create_group = first.others = 1;
  if (test.real && !everywhere) first.allgather = 1;
  CHECK_EQ(listed(first), listed(calls()));
  forget_calls();
  release(create(t, comm, mesh, 1));
  CHECK_EQ(listed(Calls{.allreduce = 1, .comm_create_group = test.real ? 0 : 1}), listed(calls()));
  forget_calls();
  int newrank = -1;
  MPIX_Nodecart_map(comm, 1, mesh.dims.data(), periods_of(mesh).data(), &newrank);
  CHECK_EQ(listed(Calls{.allreduce = 1}), listed(calls()));
  // A reordered communicator, and a sub-grid.
  set_method(comm, "auto");
  forget_calls();
  MPI_Comm cart = create(t, comm, mesh, 1), sub = MPI_COMM_NULL;
  const bool in_order = compared(comm, cart) != MPI_SIMILAR;
  CHECK_EQ(listed(Calls{.allreduce = 1, .comm_create_group = in_order && test.real ? 0 : 1}), listed(calls()));
  forget_calls();
  const int none = 0;
  MPIX_Nodecart_sub(cart, &none, &sub);
  CHECK_EQ(listed(Calls{.allreduce = 1, .comm_create_group = 1}), listed(calls()));
  forget_calls();
  int source = 0, dest = 0;
  MPIX_Nodecart_shift(cart, 0, 1, &source, &dest);
  CHECK_EQ(listed({}), listed(calls()));
  release(sub);
  release(cart);
  release(comm);
}

}  // namespace strata::mpix::testing
