// SPDX-License-Identifier: LGPL-2.1-only
// Tests of Cartesian communicators in an MPI program, which runs under SMPI, Open MPI and MPICH. The tests are in
// cart/. Without reordering the results must be those of MPI's own Cartesian functions; with reordering, those of the
// pure core for the placement file.
//
//   (none)        everything
//   real          the results are MPI's own Cartesian communicators too: also compares MPI's functions on them
//   cycles=N      only creates and frees, N times
//   leak          with cycles: each cycle keeps a communicator, to test the test
//   strangers     each rank knows only its own node: what is then the same and what differs
//   environment   MPIX_CART_METHOD names no method
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "mpi_ext/cart/cart_mapping.h"
#include "mpi_ext/mpix.h"
#include "records/exchange/placement_file.h"
#include "tests/mpi_ext/cart/meshes.h"
#include "tests/mpi_ext/cart/tests.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"

namespace {

using namespace strata::mpix;           // NOLINT: the library under test
using namespace strata::mpix::testing;  // NOLINT: its checks

// "2x3".
std::string text_of(const Mesh& mesh) {
  std::string text;
  for (const int d : mesh.dims) text += (text.empty() ? "" : "x") + std::to_string(d);
  return text;
}

void cycles(Checks& t, int number, bool leak) {
  const int size = size_of(MPI_COMM_WORLD);
  const int dims[2] = {1, size}, periods[2] = {1, 1}, remain[2] = {0, 1};
  int out[4] = {1, 2, 3, 4}, in[4];
  for (int i = 0; i < number; ++i) {
    MPI_Comm comm = MPI_COMM_NULL, cart = MPI_COMM_NULL, sub = MPI_COMM_NULL, dup = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    set_method(comm, i % 2 == 0 ? "hyperplane" : "auto");
    CHECK_EQ(MPI_SUCCESS, MPIX_Nodecart_create(comm, 2, dims, periods, 1, &cart));
    CHECK_EQ(MPI_SUCCESS, MPIX_Nodecart_sub(cart, remain, &sub));
    MPI_Comm_dup(sub, &dup);
    CHECK_EQ(MPI_SUCCESS, MPIX_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, cart));
    release(comm);
    release(cart);
    release(dup);
    if (!leak) release(sub);
  }
}

void everything(Test& test) {
  Checks& t = test.t;
  for (const Mesh& mesh : meshes(size_of(MPI_COMM_WORLD), 2)) {
    t.run("in order, " + text_of(mesh), [&] { test_in_order(test, mesh); });
    t.run("neighbours, " + text_of(mesh), [&] { test_neighbours(test, mesh); });
  }
  t.run("methods", [&] { test_methods(test); });
  t.run("sub-grids", [&] { test_sub(test); });
  t.run("errors of neighbourhood collectives", [&] { test_neighbour_errors(test); });
  t.run("errors of creation", [&] { test_create_errors(test); });
  t.run("errors of local functions", [&] { test_local_errors(test); });
  t.run("no dimensions", [&] { test_no_dimensions(test); });
  t.run("settings", [&] { test_settings(test); });
  t.run("dimensions", [&] { test_dims_create(test); });
  t.run("messages", [&] { test_messages(test, true); });
}

// The two halves of the ranks have read different placement files, so a node is only known by what its own ranks
// report. Both files contain the nodes of all ranks, with different numbers of packages.
void strangers(Test& test) {
  Checks& t = test.t;
  const int size = size_of(MPI_COMM_WORLD), half = size / 2;
  // In each file all ranks are on one node.
  std::vector<int> node(size);
  for (int r = 0; r < size; ++r) node[r] = r < half ? 0 : 1;
  const strata::PlacementFile file = strata::read_placement_file(std::getenv("STRATA_PLACEMENT"));
  for (int r = 0; r < size; ++r) CHECK_EQ(0, file.topology->node(file.vertex[r]));
  test.places = packed_places({half, size - half});
  t.run("nodes of strangers", [&] {
    for (const Mesh& mesh : meshes(size, 1)) {
      MPI_Comm cart = create(t, MPI_COMM_WORLD, mesh, 1);
      if (cart == MPI_COMM_NULL) continue;
      char* name = nullptr;
      MPIX_Nodecart_get_mapping(cart, &name, nullptr, nullptr);
      check_mapping(test, cart, *find_cart_method(name));
      release(cart);
    }
  });
  t.run("messages of strangers", [&] { test_messages(test, false); });
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Checks t(rank_in(MPI_COMM_WORLD));
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto said = [&](const std::string& word) { return std::find(words.begin(), words.end(), word) != words.end(); };
  Test test{t, places_in_file(), said("real")};
  const auto counted = std::find_if(words.begin(), words.end(), [](const std::string& w) { return w[0] == 'c'; });
  if (counted != words.end()) {
    t.run("cycles", [&] { cycles(t, numbers_in(*counted).front(), said("leak")); });
  } else if (said("strangers")) {
    strangers(test);
  } else if (said("environment")) {
    t.run("bad environment", [&] { test_bad_environment(t); });
  } else {
    everything(test);
  }
  const int result = t.finish();
  MPI_Finalize();
  return result;
}
