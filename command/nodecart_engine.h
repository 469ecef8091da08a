// SPDX-License-Identifier: LGPL-2.1-only
// Computes the places and partners of the processes of a Cartesian mesh in two ways: with the pure core of the
// mappings, and with MPI code under SMPI that makes the communicators and asks its partners who they are.
#pragma once

#include <string>
#include <vector>

#include "mpi_ext/cart/cart_mapping.h"
#include "mpi_ext/cart/level_groups.h"
#include "mpi_ext/cart/mesh.h"
#include "mpi_ext/cart/partners.h"
#include "platforms/machine.h"
#include "platforms/placement.h"

namespace strata::command {

struct CartProblem {
  mpix::Mesh mesh;
  mpix::Places places;  // of the mesh's processes; one for each of its positions
  mpix::CartMethod method = mpix::CartMethod::kNodecart;
};

/// The partners of all processes, inside and outside their group of a level, in MPI's own order and in the method's.
struct LevelPartners {
  std::string level;
  int groups = 0;
  mpix::Partners cart, mapped;
};

struct CartAnswer {
  mpix::Mapping mapping;
  std::vector<LevelPartners> levels;  // for the levels of the problem's places
};

/// Throws InputError (place `--method`) if the method is not applicable.
CartAnswer cart_by_core(const CartProblem& problem);

/// The same with the program nodecart. `ranks`: their bindings on a machine; the first of them form the mesh. Throws
/// InputError as cart_by_core, SimulationFailed, Interrupted.
CartAnswer cart_by_smpi(const CartProblem& problem, const Machine& machine, const std::vector<Binding>& ranks,
                        double time_limit_s);

/// The maximum number of simulated processes; it takes minutes. More are refused (InputError, place `--engine`),
/// because each process has its own stack, and the kernel limits their number.
inline constexpr int kMostSimulated = 16'384;

/// "4x4".
std::string dims_text(const std::vector<int>& dims);

}  // namespace strata::command
