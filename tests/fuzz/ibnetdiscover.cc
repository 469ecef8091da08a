// SPDX-License-Identifier: LGPL-2.1-only
// The output of ibnetdiscover. A fabric read from damaged input must be one that a machine can store.
#include "platforms/ibnetdiscover.h"

#include <cstdlib>

#include "platforms/switches.h"
#include "tests/fuzz/fuzz.h"

void strata::fuzz::read_input(const std::string& bytes) {
  const InputFile file(bytes);
  const DiscoveredFabric fabric = read_ibnetdiscover(file.path(), "");
  if (!infiniband_rate(fabric.injection)) std::abort();
  const InputFile kept(format_switch_graph(fabric.graph));
  SwitchGraph graph;
  try {
    graph = read_switch_graph(kept.path());
  } catch (...) {
    std::abort();
  }
  if (format_switch_graph(graph) != format_switch_graph(fabric.graph)) std::abort();
  const SwitchNetwork network(graph);
  if (network.tree(usual_level_names(network.num_levels())).count_nodes() != static_cast<int>(graph.nodes.size()))
    std::abort();
}
