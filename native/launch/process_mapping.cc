// SPDX-License-Identifier: LGPL-2.1-only
#include "native/launch/process_mapping.h"

#include <algorithm>
#include <cstddef>

namespace strata::native {
namespace {

// The shortest period of the nodes; the last repetition may be incomplete.
std::size_t period_of(const std::vector<int>& nodes) {
  // Knuth, Morris and Pratt: border[i] is the longest proper prefix of the first i nodes that also ends them.
  std::vector<std::size_t> border(nodes.size() + 1);
  for (std::size_t i = 1, length = 0; i < nodes.size(); ++i) {
    while (length > 0 && nodes[i] != nodes[length]) length = border[length];
    if (nodes[i] == nodes[length]) ++length;
    border[i + 1] = length;
  }
  return nodes.size() - border[nodes.size()];
}

struct Block {
  int first_node, nodes, ranks;
};

}  // namespace

std::string process_mapping(const std::vector<int>& nodes) {
  std::vector<Block> blocks;
  const std::size_t period = period_of(nodes);
  for (std::size_t begin = 0, end = 0; begin < period; begin = end) {
    while (end < period && nodes[end] == nodes[begin]) ++end;
    const int ranks = static_cast<int>(end - begin);
    if (!blocks.empty() && blocks.back().ranks == ranks &&
        blocks.back().first_node + blocks.back().nodes == nodes[begin]) {
      ++blocks.back().nodes;
    } else {
      blocks.push_back({nodes[begin], 1, ranks});
    }
  }
  std::string text = "(vector";
  for (const Block& block : blocks) {
    text += ",(" + std::to_string(block.first_node) + "," + std::to_string(block.nodes) + "," +
            std::to_string(block.ranks) + ")";
  }
  return text + ")";
}

}  // namespace strata::native
