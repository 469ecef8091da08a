// SPDX-License-Identifier: LGPL-2.1-only
// A program that uses only MPI's Cartesian functions, with the shim between it and MPI. The functions must behave as
// the MPI standard says, for meshes that the shim creates and for others, and the meshes must be those of the pure
// core. Runs under SMPI, Open MPI and MPICH.
//
//   nodes=A,B,...   the node of each rank in the placement
//   METHOD          one of mapping.h: the method in MPIX_CART_METHOD, or auto if that is not set
//   few             few meshes, for ranks that wait for each other on few cores
//   wrong           MPIX_CART_METHOD names no method
#include <mpi.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mpi_ext/cart/cart_mapping.h"
#include "mpi_ext/cart/level_groups.h"
#include "mpi_ext/cart/mesh.h"
#include "mpi_ext/cart/partners.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"

namespace {

using namespace strata::mpix;           // NOLINT: the pure core, to compare with
using namespace strata::mpix::testing;  // NOLINT: the checks

std::vector<int> ints(const std::vector<bool>& flags) { return {flags.begin(), flags.end()}; }

int create(MPI_Comm comm, const Mesh& mesh, int reorder, MPI_Comm* made) {
  return MPI_Cart_create(comm, mesh.num_dims(), mesh.dims.data(), ints(mesh.periods).data(), reorder, made);
}

int or_null(int position) { return position < 0 ? MPI_PROC_NULL : position; }

// Checks all local functions of MPI for a Cartesian communicator of `mesh`.
void check_local(Checks& t, MPI_Comm cart, const Mesh& mesh) {
  const int n = mesh.num_dims(), me = rank_in(cart);
  CHECK_EQ(mesh.size(), size_of(cart));
  int topology = MPI_UNDEFINED, ndims = -1;
  CHECK_EQ(MPI_SUCCESS, MPI_Topo_test(cart, &topology));
  CHECK_EQ(static_cast<int>(MPI_CART), topology);
  CHECK_EQ(MPI_SUCCESS, MPI_Cartdim_get(cart, &ndims));
  CHECK_EQ(n, ndims);
  std::vector<int> dims(n), periods(n), coords(n);
  CHECK_EQ(MPI_SUCCESS, MPI_Cart_get(cart, n, dims.data(), periods.data(), coords.data()));
  CHECK_EQ(mesh.dims, dims);
  CHECK_EQ(ints(mesh.periods), periods);
  CHECK_EQ(coords_of(mesh, me), coords);
  for (int position = 0; position < mesh.size(); ++position) {
    int rank = -1;
    CHECK_EQ(MPI_SUCCESS, MPI_Cart_coords(cart, position, n, coords.data()));
    CHECK_EQ(coords_of(mesh, position), coords);
    CHECK_EQ(MPI_SUCCESS, MPI_Cart_rank(cart, coords.data(), &rank));
    CHECK_EQ(position, rank);
  }
  for (int d = 0; d < n; ++d) {
    for (int by = -2; by <= 2; ++by) {
      const std::array<int, 2> expected = shift(mesh, me, d, by);
      int source = -1, dest = -1;
      CHECK_EQ(MPI_SUCCESS, MPI_Cart_shift(cart, d, by, &source, &dest));
      CHECK_EQ(or_null(expected[0]), source);
      CHECK_EQ(or_null(expected[1]), dest);
    }
  }
}

// A halo exchange and the neighbourhood collectives: every process sends its position to its neighbours.
void check_exchange(Checks& t, MPI_Comm cart, const Mesh& mesh) {
  const int n = mesh.num_dims(), me = rank_in(cart);
  if (n == 0) return;  // no neighbours and no buffers
  constexpr int kNobody = -7;
  std::vector<int> expected(2 * n, kNobody), got(2 * n, kNobody), gathered(2 * n, kNobody), to_all(2 * n, me);
  for (int d = 0; d < n; ++d) {
    const std::array<int, 2> beside = shift(mesh, me, d, 1);
    int source = -1, dest = -1;
    MPI_Cart_shift(cart, d, 1, &source, &dest);
    MPI_Sendrecv(&me, 1, MPI_INT, dest, 2 * d, &got[2 * d], 1, MPI_INT, source, 2 * d, cart, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&me, 1, MPI_INT, source, 2 * d + 1, &got[2 * d + 1], 1, MPI_INT, dest, 2 * d + 1, cart,
                 MPI_STATUS_IGNORE);
    for (int side = 0; side < 2; ++side) {
      if (beside[side] >= 0) expected[2 * d + side] = beside[side];
    }
  }
  CHECK_EQ(expected, got);
  CHECK_EQ(MPI_SUCCESS, MPI_Neighbor_allgather(&me, 1, MPI_INT, gathered.data(), 1, MPI_INT, cart));
  CHECK_EQ(expected, gathered);
  const std::vector<int> ones(2 * n, 1);
  std::vector<int> at(2 * n);
  std::vector<MPI_Aint> at_bytes(2 * n);
  const std::vector<MPI_Datatype> types(2 * n, MPI_INT);
  for (int i = 0; i < 2 * n; ++i) {
    at[i] = i;
    at_bytes[i] = static_cast<MPI_Aint>(i * sizeof(int));
  }
  const auto again = [&](auto&& exchange) {
    std::fill(gathered.begin(), gathered.end(), kNobody);
    CHECK_EQ(MPI_SUCCESS, exchange());
    CHECK_EQ(expected, gathered);
  };
  again(
      [&] { return MPI_Neighbor_allgatherv(&me, 1, MPI_INT, gathered.data(), ones.data(), at.data(), MPI_INT, cart); });
  again([&] { return MPI_Neighbor_alltoall(to_all.data(), 1, MPI_INT, gathered.data(), 1, MPI_INT, cart); });
  again([&] {
    return MPI_Neighbor_alltoallv(to_all.data(), ones.data(), at.data(), MPI_INT, gathered.data(), ones.data(),
                                  at.data(), MPI_INT, cart);
  });
  again([&] {
    return MPI_Neighbor_alltoallw(to_all.data(), ones.data(), at_bytes.data(), types.data(), gathered.data(),
                                  ones.data(), at_bytes.data(), types.data(), cart);
  });
}

// Sub-grids for all choices of dimensions: each is the local part of the mesh, and its members agree in the other
// dimensions.
void check_subs(Checks& t, MPI_Comm cart, const Mesh& mesh) {
  const int n = mesh.num_dims();
  const std::vector<int> mine = coords_of(mesh, rank_in(cart)), members = members_of(cart);
  for (int choice = 0; choice < 1 << n; ++choice) {
    std::vector<int> remain(n);
    Mesh sub;
    for (int d = 0; d < n; ++d) {
      remain[d] = choice >> d & 1;
      if (remain[d] == 0) continue;
      sub.dims.push_back(mesh.dims[d]);
      sub.periods.push_back(mesh.periods[d]);
    }
    Ranks expected;
    for (int position = 0; position < mesh.size(); ++position) {
      const std::vector<int> coords = coords_of(mesh, position);
      bool agrees = true;
      for (int d = 0; d < n; ++d) agrees = agrees && (remain[d] != 0 || coords[d] == mine[d]);
      if (agrees) expected.push_back(members[position]);
    }
    MPI_Comm made = MPI_COMM_NULL;
    CHECK_EQ(MPI_SUCCESS, MPI_Cart_sub(cart, remain.data(), &made));
    if (choice == 0 && made == MPI_COMM_NULL) continue;  // MPICH 4.0 returns only rank 0's
    CHECK_EQ(expected, members_of(made));
    if (choice > 0) check_local(t, made, sub);
    MPI_Comm_free(&made);
  }
}

// The places that the shim must give to the first ranks of the world.
struct Expected {
  std::vector<int> nodes;  // by world rank
  CartMethod method;

  Partners partners(const Mesh& mesh, const std::vector<int>& new_rank) const {
    return count_partners(mesh, groups_by_position(new_rank, groups(mesh)));
  }
  // Empty if the method is not possible.
  std::optional<long> off_node(const Mesh& mesh) const {
    try {
      const Places places{{{"Machine", groups(mesh)}}, 0};
      return partners(mesh, map_processes(mesh, places, method).new_rank).off.total;
    } catch (const Unmappable&) {
      return std::nullopt;
    }
  }

 private:
  // The nodes of the first ranks, numbered in the order of their first ranks.
  std::vector<int> groups(const Mesh& mesh) const {
    std::map<int, int> number;
    std::vector<int> group(mesh.size());
    for (int r = 0; r < mesh.size(); ++r) {
      group[r] = number.emplace(nodes[r], static_cast<int>(number.size())).first->second;
    }
    return group;
  }
};

// Checks the communicator of a mesh, which may be smaller than MPI_COMM_WORLD. Returns its number of off-node partners,
// or -1 if the method is not possible.
long check_mesh(Checks& t, const Mesh& mesh, const Expected& e) {
  const int me = rank_in(MPI_COMM_WORLD);
  const std::optional<long> off_node = e.off_node(mesh);
  MPI_Comm cart = MPI_COMM_NULL, native = MPI_COMM_NULL;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int code = create(MPI_COMM_WORLD, mesh, 1, &cart);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  if (!off_node) {
    CHECK_EQ(static_cast<int>(MPI_ERR_OTHER), class_of(code));
    return -1;
  }
  CHECK_EQ(static_cast<int>(MPI_SUCCESS), code);
  CHECK_EQ(me < mesh.size(), cart != MPI_COMM_NULL);

  // Without `reorder`, ranks keep MPI's order.
  CHECK_EQ(MPI_SUCCESS, create(MPI_COMM_WORLD, mesh, 0, &native));
  CHECK_EQ(cart != MPI_COMM_NULL, native != MPI_COMM_NULL);
  if (cart == MPI_COMM_NULL) return *off_node;
  CHECK_EQ(me, rank_in(native));
  if (mesh.num_dims() > 0) check_local(t, native, mesh);
  MPI_Comm_free(&native);

  const Ranks members = members_of(cart);
  std::vector<int> new_rank(mesh.size(), -1);
  for (int position = 0; position < mesh.size(); ++position) {
    CHECK_TRUE(members[position] < mesh.size());
    new_rank[members[position]] = position;
  }
  CHECK_EQ(*off_node, e.partners(mesh, new_rank).off.total);
  check_local(t, cart, mesh);
  check_exchange(t, cart, mesh);
  check_subs(t, cart, mesh);
  // A dup is Cartesian too, even after its original is freed; a communicator split from it is not.
  MPI_Comm dup = MPI_COMM_NULL, plain = MPI_COMM_NULL;
  MPI_Comm_dup(cart, &dup);
  MPI_Comm_split(cart, 0, rank_in(cart), &plain);
  MPI_Comm_free(&cart);
  CHECK_TRUE(cart == MPI_COMM_NULL);
  check_local(t, dup, mesh);
  check_exchange(t, dup, mesh);
  int topology = MPI_CART;
  CHECK_EQ(MPI_SUCCESS, MPI_Topo_test(plain, &topology));
  CHECK_EQ(static_cast<int>(MPI_UNDEFINED), topology);
  MPI_Comm_free(&plain);
  MPI_Comm_free(&dup);
  return *off_node;
}

// An error calls the program's error handler once, whether the shim or MPI finds it. The created communicator has the
// same handler.
void check_errors(Checks& t, int size) {
  CountedErrors errors(t);
  MPI_Comm all, cart, made = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &all);
  errors.handle(all);
  errors.handle(MPI_COMM_WORLD);
  const std::array<int, 1> line = {size}, negative = {-1}, large = {size + 1}, open = {0};
  for (MPI_Comm comm : {all, MPI_COMM_WORLD}) {
    CHECK_ERROR(MPI_ERR_DIMS, MPI_Cart_create(comm, 1, negative.data(), open.data(), 1, &made));
    CHECK_ERROR(MPI_ERR_ARG, MPI_Cart_create(comm, 1, large.data(), open.data(), 1, &made));
  }
  CHECK_EQ(MPI_SUCCESS, MPI_Cart_create(all, 1, line.data(), open.data(), 1, &cart));
  MPI_Comm_free(&all);
  int source, dest, rank;
  const std::array<int, 1> off = {-1};
  CHECK_ERROR(MPI_ERR_ARG, MPI_Cart_rank(cart, off.data(), &rank));
  // Not every MPI detects these errors (Open MPI 4.1 does not), and their classes differ.
  const auto wrong = [&](int code) {
    if (code != MPI_SUCCESS) errors.expect(class_of(code), code, "an error", __FILE__, __LINE__);
  };
  wrong(MPI_Cart_shift(cart, 1, 1, &source, &dest));
  wrong(MPI_Cart_coords(cart, size, 1, &rank));
  std::array<int, 1> remain = {1};
  CHECK_EQ(MPI_SUCCESS, MPI_Cart_sub(cart, remain.data(), &made));
  wrong(MPI_Cart_shift(made, 1, 1, &source, &dest));
  MPI_Comm_free(&made);
  MPI_Comm_split(cart, 0, rank_in(cart), &made);
  errors.handle(made);
  CHECK_ERROR(MPI_ERR_TOPOLOGY, MPI_Cart_shift(made, 0, 1, &source, &dest));
  CHECK_ERROR(MPI_ERR_TOPOLOGY, MPI_Cart_sub(made, remain.data(), &cart));
  MPI_Comm_free(&made);
}

// An unknown method: all ranks get an error, and no rank waits.
void check_wrong_method(Checks& t, int size) {
  CountedErrors errors(t);
  MPI_Comm all, made = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &all);
  errors.handle(all);
  const std::array<int, 1> line = {size}, open = {0};
  CHECK_ERROR(MPI_ERR_OTHER, MPI_Cart_create(all, 1, line.data(), open.data(), 1, &made));
  CHECK_EQ(MPI_SUCCESS, MPI_Cart_create(all, 1, line.data(), open.data(), 0, &made));
  MPI_Comm_free(&made);
  MPI_Comm_free(&all);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int size = size_of(MPI_COMM_WORLD);
  Checks t(rank_in(MPI_COMM_WORLD));
  Expected e{{}, CartMethod::kAuto};
  bool wrong = false, few = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "wrong") wrong = true;
    if (word == "few") few = true;
    if (word.rfind("nodes=", 0) == 0) e.nodes = numbers_in(word);
    if (const std::optional<CartMethod> method = find_cart_method(word)) e.method = *method;
  }
  if (wrong) {
    t.run("wrong method", [&] { check_wrong_method(t, size); });
  } else {
    t.run("errors", [&] { check_errors(t, size); });
    for (int rows = few ? 2 : 1; rows <= (few ? 3 : size); ++rows) {
      const int columns = size / rows;
      for (int periods = 0; periods < 4; periods += few ? 3 : 1) {
        const Mesh mesh{{rows, columns}, {(periods & 1) != 0, (periods & 2) != 0}};
        t.run("mesh of " + std::to_string(rows) + " rows", [&] { check_mesh(t, mesh, e); });
      }
    }
    t.run("mesh of one dimension", [&] { check_mesh(t, {{size}, {false}}, e); });
    t.run("mesh of three dimensions", [&] { check_mesh(t, {{2, size / 4, 2}, {true, false, true}}, e); });
    t.run("mesh without dimensions", [&] { check_mesh(t, {{}, {}}, e); });
  }
  const int result = t.finish();
  MPI_Finalize();
  return result;
}
