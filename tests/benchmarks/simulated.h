// SPDX-License-Identifier: LGPL-2.1-only
// A program on a simulated machine, run as `strata run` runs it, and measured.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "platforms/machine.h"
#include "tests/benchmarks/child.h"

namespace strata::benchmarks {

/// Runs `program` (a name of the catalog, or a path in the runfiles of tests/benchmarks) on the first `ranks` cores of
/// `machine` through the launcher. `said` is the lines the program reported, as a JSON array. Throws std::runtime_error
/// where the simulation fails. `record`: a file for its trace; empty: none.
Usage run_simulated(const Machine& machine, int ranks, const std::string& program,
                    const std::vector<std::string>& arguments, double time_limit_s,
                    const std::filesystem::path& record = {});

/// tests/benchmarks/NAME among this program's runfiles.
std::string benchmark_program(const std::string& name);

/// ntw10e5 with another number of nodes: 24 cores a node, four of its levels.
Machine ntw10e5_of(int nodes);

/// Nodes of two sockets of eight L3s of eight cores (128 cores a node), default costs.
Machine wide_nodes(int nodes);

/// The same with an L2 for two cores, and the NUMA node a level above the L3s: the nodes of the scenario
/// hierarchy-creation.
Machine wide_nodes_with_l2(int nodes);

/// Nodes of one core under one switch: the machine that a flat XML cluster is.
Machine flat_nodes(int nodes);

/// Writes SimGrid's own flat cluster, of the hosts host0, host1, ..., as XML that both versions of SimGrid read: flop/s
/// of a host, B/s and s of its link. Throws std::runtime_error if the file cannot be written.
void write_flat_cluster(const std::filesystem::path& file, int hosts, double speed, double bandwidth, double latency);

}  // namespace strata::benchmarks
