// SPDX-License-Identifier: LGPL-2.1-only
#include "tests/mpi_ext/cart/meshes.h"

#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "mpi_ext/cart/cart_mapping.h"
#include "mpi_ext/cart/tree_paths.h"
#include "mpi_ext/mpix.h"
#include "records/exchange/placement_file.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"

namespace strata::mpix::testing {
namespace {

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

}  // namespace

std::vector<int> periods_of(const Mesh& mesh) { return {mesh.periods.begin(), mesh.periods.end()}; }

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

std::vector<int> our_topology(MPI_Comm comm, const Mesh& mesh) { return told(kOurs, comm, mesh); }
std::vector<int> mpis_topology(MPI_Comm comm, const Mesh& mesh) { return told(kMpis, comm, mesh); }

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

}  // namespace strata::mpix::testing
