// SPDX-License-Identifier: LGPL-2.1-only
// Tests of Cartesian communicators in an MPI program, which runs under SMPI, Open MPI and MPICH. Without reordering the
// results must be those of MPI's own Cartesian functions; with reordering, those of the pure core for the placement
// file.
//
//   (none)        everything
//   real          the results are MPI's own Cartesian communicators too: also compares MPI's functions on them
//   cycles=N      only creates and frees, N times
//   leak          with cycles: each cycle keeps a communicator, to test the test
//   strangers     each rank knows only its own node: what is then the same and what differs
//   environment   MPIX_CART_METHOD names no method
#include <mpi.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "mpi_ext/cart/cart_mapping.h"
#include "mpi_ext/cart/dims.h"
#include "mpi_ext/cart/tree_paths.h"
#include "mpi_ext/mpix.h"
#include "records/exchange/placement_file.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/counted_calls.h"
#include "tests/mpi_ext/users_message.h"

namespace {

using namespace strata::mpix;           // NOLINT: the library under test
using namespace strata::mpix::testing;  // NOLINT: its checks

struct Test {
  Checks& t;
  Places places;  // of MPI_COMM_WORLD
  bool real;      // the results are MPI's own Cartesian communicators too
};

// -------------------------------------------------------------------------------------------- inputs and expectations

std::vector<int> periods_of(const Mesh& mesh) { return {mesh.periods.begin(), mesh.periods.end()}; }

// All products of `ndims` numbers that are `size`, in all orders.
std::vector<std::vector<int>> products(int size, int ndims) {
  if (ndims == 1) return {{size}};
  std::vector<std::vector<int>> all;
  for (int d = 1; d <= size; ++d) {
    if (size % d != 0) continue;
    for (std::vector<int> rest : products(size / d, ndims - 1)) {
      rest.insert(rest.begin(), d);
      all.push_back(rest);
    }
  }
  return all;
}

// Meshes of one to three dimensions with `size` and with `size` - 1 processes. Each mesh has `variants` combinations of
// periods, from a binary counter that continues from mesh to mesh.
std::vector<Mesh> meshes(int size, int variants) {
  std::vector<Mesh> all;
  int counter = 0;
  for (int n : {size, size - 1}) {
    if (n < 1) continue;
    for (int ndims = 1; ndims <= 3; ++ndims) {
      for (const std::vector<int>& dims : products(n, ndims)) {
        for (int variant = 0; variant < variants; ++variant, ++counter) {
          Mesh mesh{dims, {}};
          for (int i = 0; i < ndims; ++i) mesh.periods.push_back((counter >> i & 1) != 0);
          all.push_back(mesh);
        }
      }
    }
  }
  return all;
}

// The places of the ranks of MPI_COMM_WORLD, from the placement file.
Places places_in_file() {
  const strata::PlacementFile file = strata::read_placement_file(std::getenv("STRATA_PLACEMENT"));
  std::vector<Path> paths;
  for (int v : file.vertex) {
    Path& path = paths.emplace_back();
    for (int at = v; at > 0; at = file.topology->parent(at)) {
      const bool network = file.topology->node(at) < 0;
      if (at == file.topology->node_vertex(std::max(0, file.topology->node(at)))) {
        path.node = static_cast<std::uint64_t>(at);
      } else {
        std::vector<Holder>& way = network ? path.network : path.inside;
        way.insert(way.begin(), {file.topology->name(at), at});
      }
    }
  }
  return places_along(paths);
}

void set_method(MPI_Comm comm, const char* method) {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, const_cast<char*>("mpix_cart_method"), const_cast<char*>(method));
  MPIX_Comm_set_nodecart(comm, info);
  MPI_Info_free(&info);
}

MPI_Comm create(Checks& t, MPI_Comm comm, const Mesh& mesh, int reorder) {
  MPI_Comm cart = MPI_COMM_WORLD;
  const std::vector<int> periods = periods_of(mesh);
  CHECK_EQ(MPI_SUCCESS, MPIX_Nodecart_create(comm, mesh.num_dims(), mesh.dims.data(), periods.data(), reorder, &cart));
  return cart;
}

void release(MPI_Comm comm) {
  if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
}

int compared(MPI_Comm a, MPI_Comm b) {
  int result = -1;
  MPI_Comm_compare(a, b, &result);
  return result;
}

// The results of all topology functions of a communicator, as one list of numbers.
using Rank = int (*)(MPI_Comm, const int*, int*);
using Coords = int (*)(MPI_Comm, int, int, int*);
using Shift = int (*)(MPI_Comm, int, int, int*, int*);
using Get = int (*)(MPI_Comm, int, int*, int*, int*);
using DimGet = int (*)(MPI_Comm, int*);

struct Functions {
  DimGet dim_get;
  Get get;
  Rank rank;
  Coords coords;
  Shift shift;
};
constexpr Functions kOurs = {MPIX_Nodecart_dim_get, MPIX_Nodecart_get, MPIX_Nodecart_rank, MPIX_Nodecart_coords,
                             MPIX_Nodecart_shift};
const Functions kMpis = {MPI_Cartdim_get, MPI_Cart_get, MPI_Cart_rank, MPI_Cart_coords, MPI_Cart_shift};

std::vector<int> told(const Functions& f, MPI_Comm comm, const Mesh& mesh) {
  std::vector<int> all;
  int ndims = -1;
  all.push_back(f.dim_get(comm, &ndims));
  all.push_back(ndims);
  std::vector<int> dims(mesh.dims.size() + 1, -1), periods = dims, coords = dims;
  all.push_back(f.get(comm, mesh.num_dims(), dims.data(), periods.data(), coords.data()));
  for (const std::vector<int>* list : {&dims, &periods, &coords}) all.insert(all.end(), list->begin(), list->end());
  for (int r = 0; r < mesh.size(); ++r) {
    all.push_back(f.coords(comm, r, mesh.num_dims(), coords.data()));
    all.insert(all.end(), coords.begin(), coords.end());
    for (int i = 0; i < mesh.num_dims(); ++i) {
      if (mesh.periods[i]) coords[i] += mesh.dims[i] * (r % 7 - 3);
    }
    int rank = -1;
    all.push_back(f.rank(comm, coords.data(), &rank));
    all.push_back(rank);
  }
  for (int i = 0; i < mesh.num_dims(); ++i) {
    const int d = mesh.dims[i];
    for (int displ : {0, 1, -1, 2, -2, d - 1, d, -d, d + 1, 3 * d + 1, -3 * d - 1}) {
      int source = -7, dest = -7;
      all.push_back(f.shift(comm, i, displ, &source, &dest));
      all.push_back(source);
      all.push_back(dest);
    }
  }
  return all;
}

// The number of partners on the same node and on others, found by shifts by 1.
std::pair<long, long> slow_partners(MPI_Comm cart, const std::vector<int>& node_of_world_rank) {
  const Ranks members = members_of(cart);
  int ndims = 0;
  MPIX_Nodecart_dim_get(cart, &ndims);
  long mine[2] = {0, 0}, all[2] = {0, 0};
  for (int i = 0; i < ndims; ++i) {
    int partner[2];
    MPIX_Nodecart_shift(cart, i, 1, &partner[0], &partner[1]);
    for (int p : partner) {
      const bool here =
          p != MPI_PROC_NULL && node_of_world_rank[members[p]] == node_of_world_rank[members[rank_in(cart)]];
      ++mine[here ? 0 : 1];
    }
  }
  MPI_Allreduce(mine, all, 2, MPI_LONG, MPI_SUM, cart);
  return {all[0], all[1]};
}

void check_mapping(Test& test, MPI_Comm cart, CartMethod method) {
  Checks& t = test.t;
  char* name = nullptr;
  long on = -1, off = -1;
  CHECK_EQ(MPI_SUCCESS, MPIX_Nodecart_get_mapping(cart, &name, &on, &off));
  CHECK_EQ(std::string(name_of(method)), std::string(name));
  const auto [expected_on, expected_off] = slow_partners(cart, test.places.nodes());
  CHECK_EQ(expected_on, on);
  CHECK_EQ(expected_off, off);
  CHECK_EQ(MPI_SUCCESS, MPIX_Nodecart_get_mapping(cart, nullptr, nullptr, nullptr));
}

// ---------------------------------------------------------------------------------------------- compared with MPI's
// own

// Without reordering everything is the same as in MPI's own communicator.
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
  CHECK_EQ(told(kMpis, mpis, mesh), told(kOurs, cart, mesh));
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
      if (test.real) CHECK_EQ(told(kMpis, other, rest), told(kOurs, sub, rest));
      if (test.real) CHECK_EQ(told(kMpis, sub, rest), told(kOurs, sub, rest));
    }
    check_mapping(test, sub, CartMethod::kCart);
    release(other);
    release(sub);
  }
  release(mpis);
  release(cart);
}

// ----------------------------------------------------------------------------------------------------------- reordered

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
    CHECK_EQ(told(kMpis, cart, mesh), told(kOurs, cart, mesh));
  }
  release(cart);
}

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

// Sub-grids of a reordered communicator: processes with the same coordinates in the removed dimensions, in the order of
// the other coordinates. Also their own sub-grids, and dups of both, which work the same after the original is freed.
void test_sub(Test& test) {
  Checks& t = test.t;
  for (const Mesh& mesh : meshes(size_of(MPI_COMM_WORLD), 1)) {
    MPI_Comm cart = create(t, MPI_COMM_WORLD, mesh, 1);
    if (cart == MPI_COMM_NULL) continue;
    MPI_Comm dup = MPI_COMM_NULL;
    MPI_Comm_dup(cart, &dup);
    const Ranks members = members_of(cart);
    const std::vector<int> all = told(kOurs, cart, mesh), mine = coords_of(mesh, rank_in(cart));
    release(cart);
    CHECK_EQ(all, told(kOurs, dup, mesh));
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

// ------------------------------------------------------------------------------------------- neighbourhood collectives

// The neighbours, found by shifts: for each dimension the source, then the destination.
std::vector<int> neighbours(MPI_Comm cart, const Mesh& mesh) {
  std::vector<int> all(2 * mesh.dims.size());
  for (int i = 0; i < mesh.num_dims(); ++i) MPIX_Nodecart_shift(cart, i, 1, &all[2 * i], &all[2 * i + 1]);
  return all;
}

// True if this MPI's own neighbourhood collectives exchange messages of a process to itself: MPICH 4.0.2 receives all
// blocks in reverse order, so that with two periodic dimensions of 1 the messages of one dimension arrive in the other.
bool is_mixed_up_by_mpi(const Mesh& mesh) {
#ifdef MPICH_VERSION
  int alone = 0;
  for (int i = 0; i < mesh.num_dims(); ++i) alone += mesh.dims[i] == 1 && mesh.periods[i] ? 1 : 0;
  return alone > 1;
#else
  return false;
#endif
}

// Block k goes to neighbour k, which receives it from its other side. Its value is 1000 x rank + k.
void test_neighbours(Test& test, const Mesh& mesh) {
  Checks& t = test.t;
  const MPI_Comm cart = create(t, MPI_COMM_WORLD, mesh, 1);
  if (cart == MPI_COMM_NULL) return;
  const std::vector<int> from = neighbours(cart, mesh);
  const int number = static_cast<int>(from.size()), me = rank_in(cart);
  std::vector<int> out(number), in(number, -1), want(number), native(number, -1);
  for (int k = 0; k < number; ++k) out[k] = 1000 * me + k;
#ifndef SMPI_H
  // Before the user's message is sent: in MPICH 4.0.2 a receive from any source gets a process's message to itself.
  if (test.real) MPI_Neighbor_alltoall(out.data(), 1, MPI_INT, native.data(), 1, MPI_INT, cart);
#endif
  UsersMessage message(cart, me % 2 == 0 ? UsersMessage::First::kReceive : UsersMessage::First::kSend);
  const auto expected = [&](int k, int sent) { return from[k] == MPI_PROC_NULL ? -1 : 1000 * from[k] + sent; };

  for (int k = 0; k < number; ++k) want[k] = expected(k, k ^ 1);
  CHECK_EQ(MPI_SUCCESS, MPIX_Neighbor_alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, cart));
  CHECK_EQ(want, in);
  if (test.real && !is_mixed_up_by_mpi(mesh)) CHECK_EQ(native, in);

  std::fill(in.begin(), in.end(), -1);
  const int mine = 1000 * me;
  for (int k = 0; k < number; ++k) want[k] = expected(k, 0);
  CHECK_EQ(MPI_SUCCESS, MPIX_Neighbor_allgather(&mine, 1, MPI_INT, in.data(), 1, MPI_INT, cart));
  CHECK_EQ(want, in);

  // Blocks of k / 2 + 1 elements, from the last neighbour to the first, with a gap before each block.
  std::vector<int> counts(number), places(number);
  int total = 0;
  for (int k = number - 1; k >= 0; --k) {
    counts[k] = k / 2 + 1;
    places[k] = total + 1;
    total += counts[k] + 1;
  }
  const auto blocks = [&](const std::function<int(int)>& value) {
    std::vector<int> all(total + 1, -1);
    for (int k = 0; k < number; ++k) std::fill_n(all.begin() + places[k], counts[k], value(k));
    return all;
  };
  std::vector<int> sent = blocks([&](int k) { return 1000 * me + k; }), got(total + 1, -1);
  CHECK_EQ(MPI_SUCCESS, MPIX_Neighbor_alltoallv(sent.data(), counts.data(), places.data(), MPI_INT, got.data(),
                                                counts.data(), places.data(), MPI_INT, cart));
  CHECK_EQ(blocks([&](int k) { return expected(k, k ^ 1); }), got);

  // Allgatherv with one element from each neighbour: all neighbours send equally many, so the count is that of the
  // shortest block.
  std::vector<int> ones(number, 1);
  std::fill(got.begin(), got.end(), -1);
  CHECK_EQ(MPI_SUCCESS,
           MPIX_Neighbor_allgatherv(&mine, 1, MPI_INT, got.data(), ones.data(), places.data(), MPI_INT, cart));
  std::vector<int> gathered(total + 1, -1);
  for (int k = 0; k < number; ++k) gathered[places[k]] = expected(k, 0);
  CHECK_EQ(gathered, got);

  // Each dimension has its own datatype: every second element, as many as in its blocks.
  std::vector<MPI_Datatype> types(number);
  std::vector<MPI_Aint> at(number);
  for (int k = 0; k < number; ++k) {
    if (k % 2 == 0) {
      MPI_Type_vector(k / 2 + 1, 1, 2, MPI_INT, &types[k]);
      MPI_Type_commit(&types[k]);
    } else {
      types[k] = types[k - 1];
    }
    at[k] = static_cast<MPI_Aint>(sizeof(int)) * 8 * k;
  }
  const auto strided = [&](const std::function<int(int, int)>& value) {
    std::vector<int> all(8 * number, -1);
    for (int k = 0; k < number; ++k) {
      for (int e = 0; e <= k / 2; ++e) all[8 * k + 2 * e] = value(k, e);
    }
    return all;
  };
  sent = strided([&](int k, int e) { return 1000 * me + k + 100 * e; });
  got.assign(8 * number, -1);
  CHECK_EQ(MPI_SUCCESS, MPIX_Neighbor_alltoallw(sent.data(), ones.data(), at.data(), types.data(), got.data(),
                                                ones.data(), at.data(), types.data(), cart));
  const std::vector<int> arrived =
      strided([&](int k, int e) { return from[k] == MPI_PROC_NULL ? -1 : expected(k, (k ^ 1) + 100 * e); });
  CHECK_EQ(arrived, got);

  // The same with absolute addresses.
  const auto absolute = [&](std::vector<int>& buffer) {
    MPI_Aint address = 0;
    MPI_Get_address(buffer.data(), &address);
    std::vector<MPI_Aint> all = at;
    for (MPI_Aint& place : all) place += address;
    return all;
  };
  got.assign(8 * number, -1);
  CHECK_EQ(MPI_SUCCESS, MPIX_Neighbor_alltoallw(MPI_BOTTOM, ones.data(), absolute(sent).data(), types.data(),
                                                MPI_BOTTOM, ones.data(), absolute(got).data(), types.data(), cart));
  CHECK_EQ(arrived, got);
  for (int k = 0; k < number; k += 2) MPI_Type_free(&types[k]);
  message.arrives(t);
  release(cart);
}

void test_neighbour_errors(Test& test) {
  Checks& t = test.t;
  CountedErrors errors(t);
  const Mesh mesh{{size_of(MPI_COMM_WORLD)}, {true}};
  MPI_Comm cart = create(t, MPI_COMM_WORLD, mesh, 1), plain = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &plain);
  errors.handle(cart);
  errors.handle(plain);
  int out[2] = {0, 0}, in[2];
  CHECK_ERROR(MPI_ERR_TOPOLOGY, MPIX_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, plain));
  CHECK_ERROR(MPI_ERR_COUNT, MPIX_Neighbor_alltoall(out, -1, MPI_INT, in, 1, MPI_INT, cart));
  CHECK_ERROR(MPI_ERR_COUNT, MPIX_Neighbor_allgather(out, 1, MPI_INT, in, -1, MPI_INT, cart));
  CHECK_ERROR(MPI_ERR_TYPE, MPIX_Neighbor_allgather(out, 1, MPI_DATATYPE_NULL, in, 1, MPI_INT, cart));
  CHECK_ERROR(MPI_ERR_BUFFER, MPIX_Neighbor_alltoall(MPI_IN_PLACE, 1, MPI_INT, in, 1, MPI_INT, cart));
  CHECK_ERROR(MPI_ERR_BUFFER, MPIX_Neighbor_alltoall(out, 1, MPI_INT, nullptr, 1, MPI_INT, cart));
  CHECK_ERROR(MPI_ERR_ARG,
              MPIX_Neighbor_alltoallv(out, nullptr, nullptr, MPI_INT, in, nullptr, nullptr, MPI_INT, cart));
  errors.handle(MPI_COMM_WORLD);
  CHECK_ERROR(MPI_ERR_COMM, MPIX_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_NULL));
  release(plain);
  release(cart);
}

// ------------------------------------------------------------------------------------------------------------- errors

// Arguments that are wrong on all processes, or only on the last one: all processes get the error.
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

// A communicator without dimensions contains only rank 0.
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

// --------------------------------------------------------------------------------------------- settings and dimensions

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

void test_dims_create(Test& test) {
  Checks& t = test.t;
  const int size = size_of(MPI_COMM_WORLD);
  for (int nnodes : {size, std::max(1, size - 1), 1, 4 * size, 576}) {
    const std::vector<int> sizes = group_sizes(places_of_first(test.places, std::min(nnodes, size)).nodes());
    const bool equal = std::all_of(sizes.begin(), sizes.end(), [&](int n) { return n == sizes.front(); });
    for (std::vector<int> dims : std::vector<std::vector<int>>{{0}, {0, 0}, {0, 0, 0}, {0, 1, 0}}) {
      const std::vector<int> expected = node_aware_dims(nnodes, equal ? sizes.front() : 0, dims);
      CHECK_EQ(MPI_SUCCESS,
               MPIX_Nodecart_dims_create(MPI_COMM_WORLD, nnodes, static_cast<int>(dims.size()), dims.data()));
      CHECK_EQ(expected, dims);
    }
  }
  CountedErrors errors(t);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  errors.handle(comm);
  int dims[2] = {0, 7};
  CHECK_ERROR(MPI_ERR_DIMS, MPIX_Nodecart_dims_create(comm, 8, 2, dims));
  CHECK_ERROR(MPI_ERR_DIMS, MPIX_Nodecart_dims_create(comm, 8, 0, dims));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Nodecart_dims_create(comm, 0, 2, dims));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Nodecart_dims_create(comm, 8, 2, nullptr));
  dims[1] = -1;
  CHECK_ERROR(MPI_ERR_DIMS, MPIX_Nodecart_dims_create(comm, 8, 2, dims));
  CHECK_EQ(0, dims[0]);
  release(comm);
}

// ----------------------------------------------------------------------------------------------------------- messages

// A list that can be printed in a failure.
std::vector<int> listed(const Calls& c) {
  return {c.allreduce, c.allgather, c.comm_create, c.comm_create_group, c.others};
}

// Places are exchanged in the first call, and not again.
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

// -------------------------------------------------------------------------------------------------------------- words

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
  for (const Mesh& mesh : meshes(size_of(MPI_COMM_WORLD), 2)) {
    test_in_order(test, mesh);
    test_neighbours(test, mesh);
  }
  test_methods(test);
  test_sub(test);
  test_neighbour_errors(test);
  test_create_errors(test);
  test_local_errors(test);
  test_no_dimensions(test);
  test_settings(test);
  test_dims_create(test);
  test_messages(test, true);
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
  for (const Mesh& mesh : meshes(size, 1)) {
    MPI_Comm cart = create(t, MPI_COMM_WORLD, mesh, 1);
    if (cart == MPI_COMM_NULL) continue;
    char* name = nullptr;
    MPIX_Nodecart_get_mapping(cart, &name, nullptr, nullptr);
    check_mapping(test, cart, *find_cart_method(name));
    release(cart);
  }
  test_messages(test, false);
}

void bad_environment(Checks& t) {
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

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Checks t(rank_in(MPI_COMM_WORLD));
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto said = [&](const std::string& word) { return std::find(words.begin(), words.end(), word) != words.end(); };
  Test test{t, places_in_file(), said("real")};
  const auto counted = std::find_if(words.begin(), words.end(), [](const std::string& w) { return w[0] == 'c'; });
  if (counted != words.end()) {
    cycles(t, numbers_in(*counted).front(), said("leak"));
  } else if (said("strangers")) {
    strangers(test);
  } else if (said("environment")) {
    bad_environment(t);
  } else {
    everything(test);
  }
  const int result = t.finish();
  MPI_Finalize();
  return result;
}
