// SPDX-License-Identifier: LGPL-2.1-only
// A machine's fabric.txt: what is read is written unchanged, and every node can reach every other node.
#include "platforms/switch_graph.h"

#include <cstdlib>
#include <vector>

#include "platforms/fabric.h"
#include "platforms/switches.h"
#include "tests/fuzz/fuzz.h"

void strata::fuzz::read_input(const std::string& bytes) {
  const InputFile file(bytes);
  const SwitchGraph graph = read_switch_graph(file.path());
  const InputFile again(format_switch_graph(graph));
  if (format_switch_graph(read_switch_graph(again.path())) != format_switch_graph(graph)) std::abort();
  SwitchesShape shape{SwitchNetwork(graph), {}};
  shape.levels = usual_level_names(shape.network.num_levels());
  if (tree_of(shape).count_nodes() != static_cast<int>(graph.nodes.size())) std::abort();
  const auto fabric = make_switches(shape);
  std::vector<int> links;
  for (int a = 0; a < shape.network.num_leaves(); ++a) {
    const SwitchGraph::Node& node = shape.network.graph().nodes.front();
    fabric->route(a, node.at, node.target, links);
  }
}
