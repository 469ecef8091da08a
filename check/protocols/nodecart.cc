// SPDX-License-Identifier: LGPL-2.1-only
// Node-aware Cartesian communicators: every process gets its place in the mesh and hears from its neighbours, whichever
// message is first.
//
//   nodecart --dims 2x2 [--periods 0x1] [--method auto|...] [--sub 0x1] [--count N] [--calls C]
//
// MPIX_Nodecart_create on MPI_COMM_WORLD, then C times MPIX_Neighbor_alltoall with N numbers of 8 bytes for each
// neighbour, one call right behind the other; with --sub MPIX_Nodecart_sub with these dimensions kept, and the same on
// the result.
//
// Asserted: the processes of the mesh are different ones of MPI_COMM_WORLD, those beyond it get MPI_COMM_NULL; the
// place of a rank is its number row by row (MPI 4.0, Section 8.5); MPIX_Nodecart_get_mapping's partners on and off the
// node are those that are counted here from the placement, and off the node no more than in the order of the ranks,
// which mpix.h promises of `auto`; each block comes from the neighbour, and the side of it, that MPI's Section 8.6
// names, also where both neighbours are one process (a periodic dimension of 2); the members of a part are those that
// differ in the kept dimensions alone, in their order.
#include <mpi.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "check/protocols/expect.h"
#include "check/protocols/reading.h"
#include "mpi_ext/mpix.h"
#include "scenarios/programs/cartesian.h"
#include "scenarios/programs/groups.h"
#include "scenarios/programs/options.h"

namespace {

using namespace strata::check::protocols;

struct Shape {
  std::vector<int> dims, periods;

  int size() const { return std::accumulate(dims.begin(), dims.end(), 1, std::multiplies<>()); }
  std::vector<int> coords_of(int rank) const {
    std::vector<int> coords(dims.size());
    for (size_t i = dims.size(); i-- > 0; rank /= dims[i]) coords[i] = rank % dims[i];
    return coords;
  }
  // -1 off the mesh.
  int rank_of(std::vector<int> coords) const {
    int rank = 0;
    for (size_t i = 0; i < dims.size(); ++i) {
      if (periods[i] != 0) coords[i] = (coords[i] + dims[i]) % dims[i];
      if (coords[i] < 0 || coords[i] >= dims[i]) return -1;
      rank = rank * dims[i] + coords[i];
    }
    return rank;
  }
  // Of a rank on a side: 2 i is the one before it in dimension i, 2 i + 1 the one behind it.
  int neighbour(int rank, int side) const {
    std::vector<int> coords = coords_of(rank);
    coords[side / 2] += side % 2 == 0 ? -1 : 1;
    return rank_of(coords);
  }
  int sides() const { return 2 * static_cast<int>(dims.size()); }
};

// Partners on other nodes, or off the mesh, where process i of the mesh is rank `member[i]` of MPI_COMM_WORLD.
long off_node(const Shape& shape, const std::vector<int>& member) {
  const auto node = [&](int r) { return world().topology->node(world().vertex[member[r]]); };
  long count = 0;
  for (int r = 0; r < shape.size(); ++r) {
    for (int side = 0; side < shape.sides(); ++side) {
      const int other = shape.neighbour(r, side);
      count += other < 0 || node(other) != node(r) ? 1 : 0;
    }
  }
  return count;
}

// What a process of the mesh has for its neighbour on a side, in a call.
long word(int call, int rank, int side) { return 10000L * (call + 1) + 100L * rank + side; }

void exchange(MPI_Comm comm, const Shape& shape, int count, int calls) {
  const int rank = rank_in(comm), sides = shape.sides();
  for (int call = 0; call < calls; ++call) {
    std::vector<long> out, in(static_cast<size_t>(sides) * count, -1), expected;
    for (int side = 0; side < sides; ++side) {
      out.insert(out.end(), count, word(call, rank, side));
      const int other = shape.neighbour(rank, side);
      // What that neighbour has for its opposite side; nothing comes from off the mesh.
      expected.insert(expected.end(), count, other < 0 ? -1 : word(call, other, side ^ 1));
    }
    succeed("MPIX_Neighbor_alltoall",
            MPIX_Neighbor_alltoall(out.data(), count, MPI_LONG, in.data(), count, MPI_LONG, comm));
    expect("the neighbours' blocks", expected, in);
  }
}

void expect_mapping(MPI_Comm comm, const Shape& shape, const std::string& method) {
  std::vector<int> ranks(size_of(MPI_COMM_WORLD));
  std::iota(ranks.begin(), ranks.end(), 0);
  std::vector<int> members = members_of(comm), sorted = members;
  std::sort(sorted.begin(), sorted.end());
  expect("the processes of the mesh", std::vector<int>(ranks.begin(), ranks.begin() + shape.size()), sorted);
  expect("this process", rank_in(MPI_COMM_WORLD), members[rank_in(comm)]);
  std::vector<int> coords(shape.dims.size());
  succeed("MPIX_Nodecart_coords",
          MPIX_Nodecart_coords(comm, rank_in(comm), static_cast<int>(coords.size()), coords.data()));
  expect("coordinates", shape.coords_of(rank_in(comm)), coords);
  long on = 0, off = 0;
  succeed("MPIX_Nodecart_get_mapping", MPIX_Nodecart_get_mapping(comm, nullptr, &on, &off));
  expect("partners off the node", off_node(shape, members), off);
  expect("partners", static_cast<long>(shape.size()) * shape.sides(), on + off);
  if (method == "auto") expect("no more off the node than in the order of ranks", true, off <= off_node(shape, ranks));
}

void use_part(MPI_Comm comm, const Shape& shape, const std::vector<int>& kept, int count, int calls) {
  MPI_Comm part = MPI_COMM_NULL;
  succeed("MPIX_Nodecart_sub", MPIX_Nodecart_sub(comm, kept.data(), &part));
  Shape left;
  for (size_t i = 0; i < kept.size(); ++i) {
    if (kept[i] == 0) continue;
    left.dims.push_back(shape.dims[i]);
    left.periods.push_back(shape.periods[i]);
  }
  const std::vector<int> members = members_of(comm), mine = shape.coords_of(rank_in(comm));
  std::vector<int> expected;
  for (int r = 0; r < shape.size(); ++r) {
    const std::vector<int> coords = shape.coords_of(r);
    bool same = true;
    for (size_t i = 0; i < kept.size(); ++i) same = same && (kept[i] != 0 || coords[i] == mine[i]);
    if (same) expected.push_back(members[r]);
  }
  expect("the members of the part", expected, members_of(part));
  exchange(part, left, count, calls);
  MPI_Comm_free(&part);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  std::string dims, periods, method = "auto", sub;
  int count = 1, calls = 1;
  strata::cli::App app("nodecart");
  app.add_option("--dims", dims)->required();
  app.add_option("--periods", periods);
  app.add_option("--method", method);
  app.add_option("--sub", sub);
  app.add_option("--count", count)->check(strata::cli::PositiveNumber);
  app.add_option("--calls", calls)->check(strata::cli::NonNegativeNumber);
  strata::programs::parse(app, argc, argv);

  Shape shape;
  shape.dims = strata::programs::parse_groups(dims);
  strata::programs::CartesianOptions options;
  options.periods = periods;
  shape.periods = options.periods_of(shape.dims.size());
  options.periods = sub;
  const std::vector<int> kept = options.periods_of(shape.dims.size());
  if (method != "auto") succeed("MPIX_Comm_set_nodecart", strata::programs::set_cart_method(method));
  MPI_Comm comm = MPI_COMM_NULL;
  succeed("MPIX_Nodecart_create", MPIX_Nodecart_create(MPI_COMM_WORLD, static_cast<int>(shape.dims.size()),
                                                       shape.dims.data(), shape.periods.data(), 1, &comm));
  expect("whether this process is in the mesh", rank_in(MPI_COMM_WORLD) < shape.size(), comm != MPI_COMM_NULL);
  if (comm != MPI_COMM_NULL) {
    expect_mapping(comm, shape, method);
    exchange(comm, shape, count, calls);
    if (!sub.empty()) use_part(comm, shape, kept, count, calls);
    MPI_Comm_free(&comm);
  }
  MPI_Finalize();
  return 0;
}
