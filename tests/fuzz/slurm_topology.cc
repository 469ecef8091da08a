// SPDX-License-Identifier: LGPL-2.1-only
// Slurm's topology.conf and topology.yaml. Damaged input that is accepted must be a network with a name for each node.
#include "platforms/slurm_topology.h"

#include <cstdlib>

#include "tests/fuzz/fuzz.h"

void strata::fuzz::read_input(const std::string& bytes) {
  const InputFile file(bytes);
  const SlurmTopology topology = read_slurm_topology(file.path());
  if (topology.network.count_nodes() != static_cast<int>(topology.nodes.size())) std::abort();
  if (topology.nodes.empty()) std::abort();
}
