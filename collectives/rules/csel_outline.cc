// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/rules/csel_outline.h"

#include <sstream>

namespace strata::collectives {
namespace {

// "collective=reduce_scatter", perhaps with a word after it, becomes "Reduce_scatter".
std::string collective_of(const std::string& key) {
  std::string name = key.substr(key.find('=') + 1);
  name = name.substr(0, name.find(' '));
  name[0] = static_cast<char>(name[0] - 'a' + 'A');
  return name;
}

}  // namespace

std::vector<CselNode> read_outline(const std::string& text, const LeafKey& leaf_key) {
  std::vector<CselNode> tree;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.empty()) continue;
    const std::size_t indent = line.find_first_not_of(' ');
    std::vector<CselNode>* level = &tree;
    for (std::size_t depth = 0; depth < indent / 2; ++depth) level = &level->back().children;
    const std::string key = line.substr(indent);
    level->push_back({key.starts_with("= ") ? leaf_key(collective_of(tree.back().key), key.substr(2)) : key});
  }
  return tree;
}

}  // namespace strata::collectives
