// SPDX-License-Identifier: LGPL-2.1-only
// Fits alpha and beta of every level of a machine to simulated ping-pongs, and measures the overheads of its messages
// and its memory. The result must agree with the machine's description; otherwise the platform plugin does not simulate
// that machine.
#pragma once

#include <vector>

#include "models/fit.h"
#include "platforms/machine.h"
#include "sim/launcher/installation.h"

namespace strata::command {

/// Simulates a ping-pong between two neighbours at each level, with sizes from 0 to 4 MiB and some in each of its
/// segments. Sizes are left out if the memory or a core's copying keeps a message below the level's bandwidth. Throws
/// SimulationFailed, OutputError.
std::vector<models::LevelFit> fit_machine(const Machine& machine, const sim::Installation& installation);

/// Simulates bursts of messages between the same neighbours (scenarios/programs/busy.cc), with the first and the last
/// size of each segment. A row for each segment in which a message keeps a core busy, by the simulation or by the
/// machine's figures. Throws SimulationFailed, OutputError.
std::vector<models::OverheadFit> measure_overheads(const Machine& machine, const sim::Installation& installation);

/// The relative difference above which a fit contradicts the machine's description.
inline constexpr double kFitTolerance = 0.01;

/// The simulated memory bandwidth of a work of the program `memory`, and that of the machine's figures
/// (models/memory_uses.h), in bytes read plus written.
struct MemoryFit {
  std::string work;  // copy, combine, triad
  int cores;
  BytesPerSecond measured, machine;
  double difference;  // (measured - machine) / machine
};

/// Each work on one core and on all cores of the machine's first memory; empty if the machine has no figures of its
/// memory. Throws SimulationFailed, OutputError.
std::vector<MemoryFit> fit_memory(const Machine& machine, const sim::Installation& installation);

/// A table of the fits, and whether all are within the tolerance.
std::string fit_table(const std::vector<models::LevelFit>& fits);
bool fits_agree(const std::vector<models::LevelFit>& fits);
std::string fit_table(const std::vector<models::OverheadFit>& fits);
bool fits_agree(const std::vector<models::OverheadFit>& fits);
std::string fit_table(const std::vector<MemoryFit>& fits);
bool fits_agree(const std::vector<MemoryFit>& fits);

}  // namespace strata::command
