// SPDX-License-Identifier: LGPL-2.1-only
// The algorithms of Open MPI's tuned component by their numbers, as coll_tuned_bcast_algorithm and its like take them.
// For example, algorithm 6 of MPI_Bcast is the binomial tree:
//
//   find_open_mpi(Operation::kBcast, 6)->generate(call, settings, rank, steps);
#pragma once

#include <span>

#include "collectives/schedules/collective.h"

namespace strata::collectives {

struct OpenMpiAlgorithm {
  Operation operation;
  int number;
  Generator generate;
  bool only_two_ranks = false;
  bool has_parts = false;  // consists of other collectives, whose algorithms the library chooses (Settings::part)
};

/// Those of Open MPI 4.1 that have a fixed schedule. Source: coll_tuned_*_decision.c, Open MPI 4.1.4.
std::span<const OpenMpiAlgorithm> open_mpi_algorithms();

/// Null: no algorithm has this number, or it has no schedule here.
const OpenMpiAlgorithm* find_open_mpi(Operation operation, int number);

}  // namespace strata::collectives
