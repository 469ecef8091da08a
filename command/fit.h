// SPDX-License-Identifier: LGPL-2.1-only
// alpha and beta of every level of a machine, measured by simulated ping-pongs and fitted: what comes out must be what
// the machine's description says, or the platform plugin does not simulate that machine.
#pragma once

#include <vector>

#include "models/fit.h"
#include "platforms/machine.h"
#include "sim/launcher/installation.h"

namespace strata::command {

/// A ping-pong between two neighbours at each level, sizes from 0 to 4 MiB and some of each of its segments, as far as
/// neither memory nor a core's copying keeps a message from its level's bandwidth. Throws
/// SimulationFailed, OutputError.
std::vector<models::LevelFit> fit_machine(const Machine& machine, const sim::Installation& installation);

/// The relative difference above which a fit contradicts the machine's description.
inline constexpr double kFitTolerance = 0.01;

/// The rate at which a memory carries a work of the program `memory`, simulated, and as the machine's figures have it
/// (models/memory.h), in bytes read plus written.
struct MemoryFit {
  std::string work;  // copy, combine, triad
  int cores;
  BytesPerSecond measured, machine;
  double difference;  // (measured - machine) / machine
};

/// Each work on one core and on all cores of the machine's first memory; none where it has no figures of it. Throws
/// SimulationFailed, OutputError.
std::vector<MemoryFit> fit_memory(const Machine& machine, const sim::Installation& installation);

/// A table of the fits, and whether all are within the tolerance.
std::string fit_table(const std::vector<models::LevelFit>& fits);
bool fits_agree(const std::vector<models::LevelFit>& fits);
std::string fit_table(const std::vector<MemoryFit>& fits);
bool fits_agree(const std::vector<MemoryFit>& fits);

}  // namespace strata::command
