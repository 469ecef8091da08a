// SPDX-License-Identifier: LGPL-2.1-only
// The plan by which the probe (probe.c) measures a machine, and the script that runs it there.
//
// For example, the plan for a node of two packages with two cores each:
//
//   strata-probe 1
//   level System - Cluster        outermost first
//   level Machine
//   level Package
//   pu 0 0 0 1                    processor 0 is part of core 0, below Machine 0 and Package 1
//   pu 1 1 0 1
//   pu 2 2 0 4
//   pu 3 3 0 4
//   sizes 0 1 2 4
//   samples 10
//   array_bytes 268435456
//   seed 1
//
// Two ranks meet at the innermost level that contains both. The plan lists the levels at which two cores meet, with
// their names from machine.yaml.
#pragma once

#include <string>
#include <vector>

#include "calibration/measured_number.h"
#include "platforms/node_tree.h"

namespace strata::calibration {

struct ProbeSettings {
  int nodes = 2;
  int ranks_per_node = 0;         // 0: one for each core
  int samples = 10;               // per measurement
  long most_bytes = 16L << 20;    // size of the longest ping-pong
  long array_bytes = 256L << 20;  // B for each of the three arrays of copies and triads; 0: do not measure memory
  unsigned long seed = 1;
};

/// The requested number of ranks per node, or one for each core.
int ranks_per_node(const NodeTree& node, const ProbeSettings& settings);

/// 0, 1, 2, 4, ... up to most_bytes; B.
std::vector<long> probe_sizes(long most_bytes);

/// Names of the levels at which two cores of a node meet, outermost first.
std::vector<std::string> levels_of_node(const NodeTree& node);

/// The plan. Throws InputError if there is a single node with fewer than two cores, or more processors or levels than
/// the probe supports.
std::string probe_plan(const NodeTree& node, const ProbeSettings& settings);

/// The source code of probe.c.
const char* probe_program();

/// The places of the ranks in a simulation: one on each core, in order.
std::vector<RankPlace> simulated_places(const NodeTree& node, const ProbeSettings& settings);

/// The same as lines "rank node processor", the probe's third argument. On a real machine, the probe asks the system
/// instead.
std::string probe_places(const NodeTree& node, const ProbeSettings& settings);

/// A script for sbatch that also runs without it. It compiles probe.c with $MPICC (default: mpicc), and runs it with
/// srun or mpirun, one rank per core, writing samples.csv.
std::string job_script(const NodeTree& node, const ProbeSettings& settings);

}  // namespace strata::calibration
