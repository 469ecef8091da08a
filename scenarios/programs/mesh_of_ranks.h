// SPDX-License-Identifier: LGPL-2.1-only
// A Cartesian mesh of all ranks, with the dimensions of a program's command line, made in one of three ways:
//
//   --comm world      MPI_COMM_WORLD itself; neighbours follow from the ranks, row by row
//   --comm cart       MPI_Cart_create with reorder, MPI_Cart_coords and MPI_Cart_shift, without Strata's functions:
//                     the calls that the shim (libmpix_cart_shim) changes in unmodified programs
//   --comm nodecart   MPIX_Nodecart_create, _coords and _shift, with the method of --method ("mpix_cart_method")
#pragma once

#include <mpi.h>

#include <functional>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "base/dims_text.h"
#include "mpi_ext/mpix.h"
#include "records/program_defaults.h"
#include "scenarios/programs/options.h"

namespace strata::programs {

/// Sets the method for Cartesian communicators of MPI_COMM_WORLD. Returns an MPI error code. Collective.
inline int set_cart_method(const std::string& method) {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "mpix_cart_method", method.c_str());
  const int code = MPIX_Comm_set_nodecart(MPI_COMM_WORLD, info);
  MPI_Info_free(&info);
  return code;
}

/// The options and their checks. All ranks must get the same options.
struct CartesianOptions : MeshOptions {
  void add_to(cli::App& app) {
    app.add_option("--dims", dims);
    app.add_option("--periods", periods);
    app.add_option("--comm", comm)->check(cli::IsMember({"world", "cart", "nodecart"}));
    app.add_option("--method", method);
  }

  /// Refuses invalid dimensions, and those whose product is not the number of ranks.
  std::vector<int> dims_of_all() const {
    int size = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (dims.empty()) {
      std::vector<int> made(ndims, 0);
      MPI_Dims_create(size, ndims, made.data());
      return made;
    }
    std::vector<int> given = parse_dims(dims);
    if (given.empty()) refuse("--dims: '" + dims + "' is not whole numbers above 0 as 16x8x8");
    if (std::accumulate(given.begin(), given.end(), 1.0, std::multiplies<>()) != size) {
      refuse("--dims: the product of " + dims + " is not the number of ranks, " + std::to_string(size));
    }
    return given;
  }

  /// 0 or 1 for each of `count` dimensions. Refuses other values.
  std::vector<int> periods_of(std::size_t count) const {
    if (periods.empty()) return std::vector<int>(count, 0);
    std::vector<int> flags;
    std::istringstream in(periods);
    for (std::string flag; std::getline(in, flag, 'x');) {
      flags.push_back(flag == "0" ? 0 : flag == "1" ? 1 : 2);
      if (flags.back() == 2) break;
    }
    if (flags.size() != count || flags.back() == 2 || periods.back() == 'x') {
      refuse("--periods: '" + periods + "' is not 0 or 1 for each of the " + std::to_string(count) +
             " dimensions, as 0x1");
    }
    return flags;
  }
};

/// The position of the calling process in the mesh, and its neighbours.
class Cartesian {
 public:
  /// Collective. Refuses a method that is unknown, or not applicable here.
  explicit Cartesian(const CartesianOptions& options)
      : dims_(options.dims_of_all()),
        periods_(options.periods_of(dims_.size())),
        coords_(dims_.size()),
        partners_(2 * dims_.size(), MPI_PROC_NULL) {
    if (options.comm == "world") {
      number_by_rank();
    } else if (options.comm == "cart") {
      MPI_Cart_create(MPI_COMM_WORLD, ndims(), dims_.data(), periods_.data(), 1, &comm_);
      MPI_Comm_rank(comm_, &position_);
      MPI_Cart_coords(comm_, position_, ndims(), coords_.data());
      for (int i = 0; i < ndims(); ++i) MPI_Cart_shift(comm_, i, 1, &partners_[2 * i], &partners_[2 * i + 1]);
    } else {
      create_nodecart(options.method);
      MPI_Comm_rank(comm_, &position_);
      MPIX_Nodecart_coords(comm_, position_, ndims(), coords_.data());
      for (int i = 0; i < ndims(); ++i) MPIX_Nodecart_shift(comm_, i, 1, &partners_[2 * i], &partners_[2 * i + 1]);
    }
  }
  Cartesian(const Cartesian&) = delete;
  Cartesian& operator=(const Cartesian&) = delete;
  ~Cartesian() {
    if (comm_ != MPI_COMM_WORLD) MPI_Comm_free(&comm_);
  }

  MPI_Comm comm() const { return comm_; }
  int ndims() const { return static_cast<int>(dims_.size()); }
  const std::vector<int>& dims() const { return dims_; }
  const std::vector<int>& periods() const { return periods_; }
  int position() const { return position_; }
  const std::vector<int>& coords() const { return coords_; }
  /// For dimension i, [2 i] is the lower neighbour and [2 i + 1] the upper one; MPI_PROC_NULL outside the mesh.
  const std::vector<int>& partners() const { return partners_; }

 private:
  // The rank at these coordinates, row by row; MPI_PROC_NULL outside the mesh.
  int rank_of(std::vector<int> coords) const {
    int rank = 0;
    for (std::size_t i = 0; i < dims_.size(); ++i) {
      if (periods_[i] != 0) coords[i] = (coords[i] + dims_[i]) % dims_[i];
      if (coords[i] < 0 || coords[i] >= dims_[i]) return MPI_PROC_NULL;
      rank = rank * dims_[i] + coords[i];
    }
    return rank;
  }

  void number_by_rank() {
    MPI_Comm_rank(comm_, &position_);
    for (int i = ndims() - 1, rest = position_; i >= 0; --i) {
      coords_[i] = rest % dims_[i];
      rest /= dims_[i];
    }
    for (std::size_t side = 0; side < partners_.size(); ++side) {
      std::vector<int> there = coords_;
      there[side / 2] += side % 2 == 0 ? -1 : 1;
      partners_[side] = rank_of(there);
    }
  }

  void create_nodecart(const std::string& method) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (set_cart_method(method) != MPI_SUCCESS)
      refuse("--method: '" + method + "' is no method of MPIX_Comm_set_nodecart (mpix.h), as auto");
    comm_ = MPI_COMM_NULL;
    if (MPIX_Nodecart_create(MPI_COMM_WORLD, ndims(), dims_.data(), periods_.data(), 1, &comm_) != MPI_SUCCESS) {
      comm_ = MPI_COMM_WORLD;
      refuse("--method: " + method + " is not possible for these ranks per node and dimensions; auto always is");
    }
    for (const MPI_Comm comm : {MPI_COMM_WORLD, comm_}) MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
  }

  std::vector<int> dims_, periods_;
  MPI_Comm comm_ = MPI_COMM_WORLD;
  int position_ = 0;
  std::vector<int> coords_, partners_;
};

}  // namespace strata::programs
