// SPDX-License-Identifier: LGPL-2.1-only
// The collective functions of the C interface that make Cartesian communicators. Messages on p processes: one
// MPI_Allreduce of a few integers (known_places.h also describes the cost of the first call), and those for making a
// communicator: MPI_Comm_create_group and, with a real MPI, its MPI_Cart_create. If the order is MPI's own, only the
// latter.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mpi_ext/cart/cartesian.h"
#include "mpi_ext/cart/dims.h"
#include "mpi_ext/cart/known_places.h"
#include "mpi_ext/cart/method_setting.h"
#include "mpi_ext/cart/tree_paths.h"
#include "mpi_ext/hierarchy/member_data.h"
#include "mpi_ext/mpix.h"
#include "mpi_ext/ranks.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {
namespace {

// Returns the error in the arguments of a mesh over at most `size` processes.
int check_mesh(int size, int ndims, const int* dims, const int* periods) {
  if (ndims < 0) return MPI_ERR_DIMS;
  if (ndims > 0 && (dims == nullptr || periods == nullptr)) return MPI_ERR_ARG;
  long product = 1;
  for (int i = 0; i < ndims; ++i) {
    if (dims[i] <= 0) return MPI_ERR_DIMS;
    if (product <= size) product *= dims[i];
  }
  return product <= size ? MPI_SUCCESS : MPI_ERR_ARG;
}

std::string text_of(const char* function, CartMethod method, const Mesh& mesh) {
  std::string text = std::string(function) + " " + std::string(name_of(method));
  for (int i = 0; i < mesh.num_dims(); ++i) {
    text += " " + std::to_string(mesh.dims[i]) + (mesh.periods[i] ? "p" : "");
  }
  return text;
}

// The common part of create and map: finds the layout on which all ranks agree. Collective.
int lay_out(const char* function, MPI_Comm comm, int ndims, const int* dims, const int* periods, bool reorder,
            bool has_result, std::shared_ptr<const Layout>& layout) {
  CallArguments arguments;
  arguments.error = check_mesh(size_of(comm), ndims, dims, periods);
  if (!has_result) arguments.error = std::max<int>(arguments.error, MPI_ERR_ARG);
  Mesh mesh;
  CartMethod method = CartMethod::kCart;
  if (arguments.error == MPI_SUCCESS) {
    mesh.dims.assign(dims, dims + ndims);
    mesh.periods.assign(periods, periods + ndims);
    const std::optional<CartMethod> wanted = reorder ? method_for(comm) : CartMethod::kCart;
    method = wanted.value_or(method);
    arguments.no_method = !wanted.has_value();
    arguments.what = text_of(function, method, mesh);
  }
  std::shared_ptr<const KnownPlaces> places;
  if (const int error = agree(comm, arguments, places)) return error;
  layout = places->layout(mesh, method);
  if (layout->impossible.empty()) return MPI_SUCCESS;
  if (rank_in(comm) == 0) std::fprintf(stderr, "strata: %s: %s\n", function, layout->impossible.c_str());
  call(MPI_Barrier(comm));  // so that the message appears before the error ends a process
  return MPI_ERR_OTHER;
}

int create(MPI_Comm comm, int ndims, const int* dims, const int* periods, bool reorder, MPI_Comm* newcomm) {
  std::shared_ptr<const Layout> layout;
  const int error = lay_out("MPIX_Nodecart_create", comm, ndims, dims, periods, reorder, newcomm != nullptr, layout);
  if (error != MPI_SUCCESS) return error;
  if (layout->in_order) {
    *newcomm = make_cartesian_of_first(comm, layout->grid);
  } else if (rank_in(comm) < layout->grid->mesh().size()) {
    *newcomm = make_cartesian(comm, layout->grid, layout->rank);
  }
  return MPI_SUCCESS;
}

int map(MPI_Comm comm, int ndims, const int* dims, const int* periods, int* newrank) {
  std::shared_ptr<const Layout> layout;
  const int error = lay_out("MPIX_Nodecart_map", comm, ndims, dims, periods, true, newrank != nullptr, layout);
  if (error != MPI_SUCCESS) return error;
  const int rank = rank_in(comm);
  *newrank = rank < layout->grid->mesh().size() ? layout->new_rank[rank] : MPI_UNDEFINED;
  return MPI_SUCCESS;
}

int sub(MPI_Comm comm, const int* remain_dims, MPI_Comm* newcomm) {
  const Grid& grid = grid_of(comm);
  const int ndims = grid.mesh().num_dims(), position = rank_in(comm);
  Agreement agreement;
  std::vector<bool> remain(ndims);
  if (newcomm == nullptr || (ndims > 0 && remain_dims == nullptr)) {
    agreement.fail(MPI_ERR_ARG);
  } else {
    remain.assign(remain_dims, remain_dims + ndims);
  }
  std::string text;
  for (bool r : remain) text += r ? "1" : "0";
  const size_t arguments = agreement.add(digest(text));
  agreement.reach(comm);
  if (agreement.error() != MPI_SUCCESS) return agreement.error();
  if (!agreement.same(arguments)) return MPI_ERR_ARG;
  std::shared_ptr<const Grid> made = grid.sub(remain, position);
  *newcomm = made->mesh().size() == 1 ? make_cartesian_of_self(comm, std::move(made))
                                      : make_cartesian(comm, std::move(made), grid.positions_of_sub(remain, position));
  return MPI_SUCCESS;
}

// The number of ranks per node among the first `ranks` processes; 0 if nodes differ.
int ranks_per_node(const Places& places, int ranks) {
  const std::vector<int> sizes = group_sizes(places_of_first(places, ranks).nodes());
  return std::all_of(sizes.begin(), sizes.end(), [&](int n) { return n == sizes.front(); }) ? sizes.front() : 0;
}

int dims_create(MPI_Comm comm, int nnodes, int ndims, int* dims) {
  CallArguments arguments;
  if (ndims < 1) arguments.error = MPI_ERR_DIMS;
  if (dims == nullptr || nnodes < 1) arguments.error = MPI_ERR_ARG;
  std::vector<int> wanted;
  if (arguments.error == MPI_SUCCESS) {
    wanted.assign(dims, dims + ndims);
    arguments.what = "MPIX_Nodecart_dims_create " + std::to_string(nnodes);
    for (int d : wanted) {
      if (d < 0) arguments.error = MPI_ERR_DIMS;
      arguments.what += " " + std::to_string(d);
    }
  }
  std::shared_ptr<const KnownPlaces> places;
  if (const int error = agree(comm, arguments, places)) return error;
  try {
    const int known = std::min(nnodes, size_of(comm));
    wanted = node_aware_dims(nnodes, ranks_per_node(places->places(), known), std::move(wanted));
  } catch (const Unmappable&) {
    return MPI_ERR_DIMS;
  }
  std::copy(wanted.begin(), wanted.end(), dims);
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace strata::mpix

extern "C" {

int MPIX_Nodecart_create(MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder,
                         MPI_Comm* newcomm) {
  return strata::mpix::guarded(comm, [&] {
    if (const int error = strata::mpix::check_intracomm(comm)) return error;
    if (newcomm != nullptr) *newcomm = MPI_COMM_NULL;
    return strata::mpix::create(comm, ndims, dims, periods, reorder != 0, newcomm);
  });
}

int MPIX_Nodecart_map(MPI_Comm comm, int ndims, const int dims[], const int periods[], int* newrank) {
  return strata::mpix::guarded(comm, [&] {
    if (const int error = strata::mpix::check_intracomm(comm)) return error;
    return strata::mpix::map(comm, ndims, dims, periods, newrank);
  });
}

int MPIX_Nodecart_sub(MPI_Comm comm, const int remain_dims[], MPI_Comm* newcomm) {
  return strata::mpix::guarded(comm, [&] {
    if (const int error = strata::mpix::check_intracomm(comm)) return error;
    if (newcomm != nullptr) *newcomm = MPI_COMM_NULL;
    return strata::mpix::sub(comm, remain_dims, newcomm);
  });
}

int MPIX_Nodecart_dims_create(MPI_Comm comm, int nnodes, int ndims, int dims[]) {
  return strata::mpix::guarded(comm, [&] {
    if (const int error = strata::mpix::check_intracomm(comm)) return error;
    return strata::mpix::dims_create(comm, nnodes, ndims, dims);
  });
}

}  // extern "C"
