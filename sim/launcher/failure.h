// SPDX-License-Identifier: LGPL-2.1-only
// Why a run stops: a simulation failed, or a program does not print the expected output.
//
//   "point elements=1000: the program exited with 1 (output: out/output/point-3.err)"
#pragma once

#include <filesystem>
#include <string>

#include "sim/launcher/measurements.h"
#include "sim/launcher/simulation.h"

namespace strata::sim {

struct Failure {
  std::string text;  // empty: no failure
  bool bad_usage = false;

  /// Throws InputError or SimulationFailed if there is a text.
  void raise(const std::string& scenario) const;
};

/// The failure of a simulation. `who`: the name of the point or program; `output`: its output files without ".out" and
/// ".err"; empty: they are not kept.
Failure failure_of(const std::string& who, const Outcome& outcome, const std::filesystem::path& output);
/// The same if a number is missing from its output.
Failure failure_of(const std::string& who, const Measured& measured, const std::filesystem::path& output);

/// Throws SimulationFailed if a program's line is not a measurement.
void require_measurement(const Json& line, const std::string& who);

}  // namespace strata::sim
