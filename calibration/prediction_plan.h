// SPDX-License-Identifier: LGPL-2.1-only
// Which simulations predict held-out operations (held_out.h). Each runs the program `repeated` for some sizes of one
// operation; together they send at most a given number of messages. For example, an all-to-all exchange on 48 ranks may
// be simulated with 3 of its 20 sizes:
//
//   repeated --operation alltoall --bytes 1,1024,1048576 --repetitions 1 --warm-up 1
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "calibration/held_out.h"

namespace strata::calibration {

/// A simulation.
struct SimulationPart {
  std::size_t of = 0;                  // index of the operation
  std::vector<std::size_t> sizes;      // indexes of its sizes
  std::vector<std::string> arguments;  // of `repeated`, which prints a time for each of these sizes, in their order
};

/// The simulations, by operation. If all sizes of an operation would take too many messages, fewer are simulated,
/// evenly spread, and `notes` says so. Operations with few messages leave the rest of their share to the others.
std::vector<SimulationPart> plan_of(const std::vector<HeldOut>& all, double most_messages,
                                    std::vector<std::string>& notes);

/// Adds the times that a simulation has printed, in s; after a failure, there may be fewer than sizes.
void add_times(const std::vector<double>& times, const SimulationPart& part, Predicted& into);

}  // namespace strata::calibration
