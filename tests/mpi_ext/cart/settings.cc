// SPDX-License-Identifier: LGPL-2.1-only
// The method that a communicator uses: from its info, or from the environment.
#include <mpi.h>

#include <string>

#include "mpi_ext/cart/cart_mapping.h"
#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/cart/meshes.h"
#include "tests/mpi_ext/cart/tests.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"

namespace strata::mpix::testing {

void test_settings(Test& test) {
  Checks& t = test.t;
  CountedErrors errors(t);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  errors.handle(comm);
  const Mesh mesh{{size_of(comm)}, {false}};
  const auto method = [&] {
    MPI_Comm cart = create(t, comm, mesh, 1);
    char* name = nullptr;
    MPIX_Nodecart_get_mapping(cart, &name, nullptr, nullptr);
    release(cart);
    return std::string(name);
  };
  const std::string found = method();
  set_method(comm, "kdtree");
  CHECK_EQ(std::string("kdtree"), method());
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, const_cast<char*>("mpix_cart_method"), const_cast<char*>("tidy"));
  CHECK_ERROR(MPI_ERR_INFO, MPIX_Comm_set_nodecart(comm, info));
  const bool last = rank_in(comm) == size_of(comm) - 1;
  CHECK_ERROR(MPI_ERR_INFO, MPIX_Comm_set_nodecart(comm, last ? info : MPI_INFO_NULL));
  if (size_of(comm) > 1) {
    MPI_Info_set(info, const_cast<char*>("mpix_cart_method"), const_cast<char*>(last ? "strips" : "cart"));
    CHECK_ERROR(MPI_ERR_INFO, MPIX_Comm_set_nodecart(comm, info));
  }
  MPI_Info_free(&info);
  // An error leaves the setting unchanged; an empty info restores the default.
  CHECK_EQ(std::string("kdtree"), method());
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_set_nodecart(comm, MPI_INFO_NULL));
  CHECK_EQ(found, method());
  release(comm);
}

void test_bad_environment(Checks& t) {
  CountedErrors errors(t);
  MPI_Comm comm = MPI_COMM_NULL, cart = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  errors.handle(comm);
  const int size = size_of(comm), periodic = 0;
  CHECK_ERROR(MPI_ERR_OTHER, MPIX_Nodecart_create(comm, 1, &size, &periodic, 1, &cart));
  CHECK_TRUE(cart == MPI_COMM_NULL);
  // Calls that do not use the environment variable still work.
  CHECK_EQ(MPI_SUCCESS, MPIX_Nodecart_create(comm, 1, &size, &periodic, 0, &cart));
  release(cart);
  set_method(comm, "strips");
  CHECK_EQ(MPI_SUCCESS, MPIX_Nodecart_create(comm, 1, &size, &periodic, 1, &cart));
  release(cart);
  release(comm);
}

}  // namespace strata::mpix::testing
