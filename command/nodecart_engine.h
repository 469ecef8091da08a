// SPDX-License-Identifier: LGPL-2.1-only
// Where the processes of a Cartesian mesh go and who their partners then are, twice: by the pure core of the mappings,
// and by MPI code under SMPI that makes the communicators and asks its partners who they are.
#pragma once

#include <string>
#include <vector>

#include "mpi_ext/cart/mapping.h"
#include "mpi_ext/cart/mesh.h"
#include "mpi_ext/cart/partners.h"
#include "mpi_ext/cart/places.h"
#include "platforms/machine.h"
#include "platforms/placement.h"

namespace strata::command {

struct CartProblem {
  mpix::Mesh mesh;
  mpix::Places places;  // of the mesh's processes: as many as it has positions
  mpix::CartMethod method = mpix::CartMethod::kNodecart;
};

/// The partners of all processes by whether they are in the same group of a level, in MPI's own order and in the
/// method's.
struct LevelPartners {
  std::string level;
  int groups = 0;
  mpix::Partners cart, mapped;
};

struct CartAnswer {
  mpix::Mapping mapping;
  std::vector<LevelPartners> levels;  // those of the problem's places
};

/// Throws InputError (place `--method`) where the method is not possible.
CartAnswer cart_by_core(const CartProblem& problem);

/// The same by the program nodecart, with `ranks` on a machine, the first of them those of the mesh. Throws InputError
/// as cart_by_core, SimulationFailed, Interrupted.
CartAnswer cart_by_smpi(const CartProblem& problem, const Machine& machine, const std::vector<Binding>& ranks,
                        double time_limit_s);

/// A number of processes that a simulation takes in minutes; more are refused (InputError, place `--engine`), as each
/// has a stack of its own and the kernel limits their number.
inline constexpr int kMostSimulated = 16'384;

/// "4x4".
std::string dims_text(const std::vector<int>& dims);

}  // namespace strata::command
