// SPDX-License-Identifier: LGPL-2.1-only
// Node-aware Cartesian communicators: every process gets its place in the mesh and the blocks of its neighbours, in
// every order of messages.
//
//   nodecart --dims 2x2 [--periods 0x1] [--method auto|...] [--sub 0x1] [--count N] [--calls C]
//
// Calls MPIX_Nodecart_create on MPI_COMM_WORLD, and then MPIX_Neighbor_alltoall C times in a row, with N numbers of 8
// bytes for each neighbour. With --sub, calls MPIX_Nodecart_sub with these dimensions kept, and the same exchanges on
// its result.
//
// Asserted:
// - The processes of the mesh are different processes of MPI_COMM_WORLD. Those beyond the mesh get MPI_COMM_NULL.
// - The place of a rank is its number in row-major order (MPI 4.0, Section 8.5).
// - The partners on and off the node from MPIX_Nodecart_get_mapping equal those counted here from the placement. Off
//   the
//   node, there are at most as many as in the order of the ranks, as mpix.h promises for `auto`.
// - Each block comes from the neighbour, and from its side, that MPI's Section 8.6 specifies, even if both neighbours
//   are
//   the same process (a periodic dimension of 2).
// - The members of a part differ only in the kept dimensions, and are in their order.
#include <mpi.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "base/dims_text.h"
#include "check/protocols/expect.h"
#include "check/protocols/reading.h"
#include "mpi_ext/mpix.h"
#include "scenarios/programs/mesh_of_ranks.h"
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
  // The rank at these coordinates; -1 off the mesh.
  int rank_of(std::vector<int> coords) const {
    int rank = 0;
    for (size_t i = 0; i < dims.size(); ++i) {
      if (periods[i] != 0) coords[i] = (coords[i] + dims[i]) % dims[i];
      if (coords[i] < 0 || coords[i] >= dims[i]) return -1;
      rank = rank * dims[i] + coords[i];
    }
    return rank;
  }
  // A rank's neighbour on a side: side 2 i is the previous rank in dimension i, side 2 i + 1 the next one.
  int neighbour(int rank, int side) const {
    std::vector<int> coords = coords_of(rank);
    coords[side / 2] += side % 2 == 0 ? -1 : 1;
    return rank_of(coords);
  }
  int sides() const { return 2 * static_cast<int>(dims.size()); }
};

// The number of partners on other nodes or off the mesh, if process i of the mesh is rank `member[i]` of
// MPI_COMM_WORLD.
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

// The number that a process of the mesh sends to its neighbour on a side in a call.
long word(int call, int rank, int side) { return 10000L * (call + 1) + 100L * rank + side; }

void exchange(MPI_Comm comm, const Shape& shape, int count, int calls) {
  const int rank = rank_in(comm), sides = shape.sides();
  for (int call = 0; call < calls; ++call) {
    std::vector<long> out, in(static_cast<size_t>(sides) * count, -1), expected;
    for (int side = 0; side < sides; ++side) {
      out.insert(out.end(), count, word(call, rank, side));
      const int other = shape.neighbour(rank, side);
      // The number that this neighbour sends to its opposite side. Nothing arrives from off the mesh.
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
  shape.dims = strata::parse_dims(dims);
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
