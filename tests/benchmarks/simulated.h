// SPDX-License-Identifier: LGPL-2.1-only
// Runs a program on a simulated machine as `strata run` does, and measures it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "platforms/machine.h"
#include "tests/benchmarks/measured_child.h"

namespace strata::benchmarks {

/// Runs `program` (a name of the catalog, or a path in the runfiles of tests/benchmarks) on the first `ranks` cores of
/// `machine` through the launcher. `said` contains the program's reported lines as a JSON array. `record`: a file for
/// its trace; empty: none. Throws std::runtime_error if the simulation fails.
Usage run_simulated(const Machine& machine, int ranks, const std::string& program,
                    const std::vector<std::string>& arguments, double time_limit_s,
                    const std::filesystem::path& record = {});

/// The path of tests/benchmarks/NAME in this program's runfiles.
std::string benchmark_program(const std::string& name);

/// ntw10e5 with another number of nodes: 24 cores per node, four levels.
Machine ntw10e5_of(int nodes);

/// Nodes with two sockets of eight L3s of eight cores (128 cores per node), default costs.
Machine wide_nodes(int nodes);

/// The same with an L2 for every two cores, and the NUMA node one level above the L3s: the nodes of the scenario
/// hierarchy-creation.
Machine wide_nodes_with_l2(int nodes);

/// Nodes of one core under one switch: equivalent to a flat XML cluster.
Machine flat_nodes(int nodes);

/// Writes SimGrid's flat cluster with hosts host0, host1, ... as XML that both versions of SimGrid can read. `speed`: a
/// host's flop/s; `bandwidth`, `latency`: B/s and s of its link. Throws std::runtime_error if the file cannot be
/// written.
void write_flat_cluster(const std::filesystem::path& file, int hosts, double speed, double bandwidth, double latency);

}  // namespace strata::benchmarks
