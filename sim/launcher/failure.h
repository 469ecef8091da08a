// SPDX-License-Identifier: LGPL-2.1-only
// Why a run stops: a simulation that failed, or a program that does not print what it should.
//
//   "point elements=1000: the program exited with 1 (output: out/output/point-3.err)"
#pragma once

#include <filesystem>
#include <string>

#include "sim/launcher/measurements.h"
#include "sim/launcher/simulation.h"

namespace strata::sim {

struct Failure {
  std::string text;  // empty: none did
  bool bad_usage = false;

  /// Throws InputError or SimulationFailed, if there is a text.
  void raise(const std::string& scenario) const;
};

/// A simulation's. `who`: the point or program that it names; `output`: its output files without ".out" and ".err".
Failure failure_of(const std::string& who, const Outcome& outcome, const std::filesystem::path& output);
/// The same where its output lacks a number.
Failure failure_of(const std::string& who, const Measured& measured, const std::filesystem::path& output);

/// Throws SimulationFailed if a program's line is not a measurement.
void require_measurement(const Json& line, const std::string& who);

}  // namespace strata::sim
