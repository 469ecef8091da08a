// SPDX-License-Identifier: LGPL-2.1-only
// The local functions of the C interface, which query a Cartesian communicator.
#include <algorithm>
#include <vector>

#include "mpi_ext/cart/cartesian.h"
#include "mpi_ext/coll/arguments.h"
#include "mpi_ext/mpix.h"
#include "mpi_ext/ranks.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {
namespace {

// Runs `body` with the grid of a Cartesian communicator. `body` returns the error.
template <class Body>
int on_cartesian(MPI_Comm comm, Body body) {
  return on_intracomm(comm, [&](int) { check(body(grid_of(comm))); });
}

int to_rank(int position) { return position < 0 ? MPI_PROC_NULL : position; }

int get(MPI_Comm comm, const Grid& grid, int maxdims, int* dims, int* periods, int* coords) {
  const Mesh& mesh = grid.mesh();
  if (maxdims < mesh.num_dims()) return MPI_ERR_ARG;
  if (mesh.num_dims() == 0) return MPI_SUCCESS;
  if (dims == nullptr || periods == nullptr || coords == nullptr) return MPI_ERR_ARG;
  std::copy(mesh.dims.begin(), mesh.dims.end(), dims);
  std::copy(mesh.periods.begin(), mesh.periods.end(), periods);
  const std::vector<int> mine = coords_of(mesh, rank_in(comm));
  std::copy(mine.begin(), mine.end(), coords);
  return MPI_SUCCESS;
}

int rank_at(const Grid& grid, const int* coords, int* rank) {
  const Mesh& mesh = grid.mesh();
  if (rank == nullptr || (mesh.num_dims() > 0 && coords == nullptr)) return MPI_ERR_ARG;
  const int position = position_of(mesh, std::vector<int>(coords, coords + mesh.num_dims()));
  if (position < 0) return MPI_ERR_ARG;
  *rank = position;
  return MPI_SUCCESS;
}

int coords_at(const Grid& grid, int rank, int maxdims, int* coords) {
  const Mesh& mesh = grid.mesh();
  if (rank < 0 || rank >= mesh.size()) return MPI_ERR_RANK;
  if (maxdims < mesh.num_dims() || (mesh.num_dims() > 0 && coords == nullptr)) return MPI_ERR_ARG;
  const std::vector<int> there = coords_of(mesh, rank);
  std::copy(there.begin(), there.end(), coords);
  return MPI_SUCCESS;
}

int shift_by(MPI_Comm comm, const Grid& grid, int direction, int displ, int* source, int* dest) {
  if (direction < 0 || direction >= grid.mesh().num_dims()) return MPI_ERR_DIMS;
  if (source == nullptr || dest == nullptr) return MPI_ERR_ARG;
  const auto [from, to] = shift(grid.mesh(), rank_in(comm), direction, displ);
  *source = to_rank(from);
  *dest = to_rank(to);
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace strata::mpix

extern "C" {

int MPIX_Nodecart_dim_get(MPI_Comm comm, int* ndims) {
  return strata::mpix::on_cartesian(comm, [&](const strata::mpix::Grid& grid) -> int {
    if (ndims == nullptr) return MPI_ERR_ARG;
    *ndims = grid.mesh().num_dims();
    return MPI_SUCCESS;
  });
}

int MPIX_Nodecart_get(MPI_Comm comm, int maxdims, int dims[], int periods[], int coords[]) {
  return strata::mpix::on_cartesian(comm, [&](const strata::mpix::Grid& grid) {
    return strata::mpix::get(comm, grid, maxdims, dims, periods, coords);
  });
}

int MPIX_Nodecart_rank(MPI_Comm comm, const int coords[], int* rank) {
  return strata::mpix::on_cartesian(
      comm, [&](const strata::mpix::Grid& grid) { return strata::mpix::rank_at(grid, coords, rank); });
}

int MPIX_Nodecart_coords(MPI_Comm comm, int rank, int maxdims, int coords[]) {
  return strata::mpix::on_cartesian(
      comm, [&](const strata::mpix::Grid& grid) { return strata::mpix::coords_at(grid, rank, maxdims, coords); });
}

int MPIX_Nodecart_shift(MPI_Comm comm, int direction, int displ, int* source, int* dest) {
  return strata::mpix::on_cartesian(comm, [&](const strata::mpix::Grid& grid) {
    return strata::mpix::shift_by(comm, grid, direction, displ, source, dest);
  });
}

int MPIX_Nodecart_get_mapping(MPI_Comm comm, char** method, long* on_node, long* off_node) {
  return strata::mpix::on_cartesian(comm, [&](const strata::mpix::Grid& grid) -> int {
    if (method != nullptr) *method = const_cast<char*>(strata::mpix::name_of(grid.method()).data());
    if (on_node != nullptr) *on_node = grid.partners().on.total;
    if (off_node != nullptr) *off_node = grid.partners().off.total;
    return MPI_SUCCESS;
  });
}

}  // extern "C"
