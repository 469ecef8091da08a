// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/node_source.h"

#include <map>
#include <utility>

#include "platforms/hwloc_xml.h"
#include "platforms/isolated_import.h"

namespace strata {

std::shared_ptr<const NodeTree> import_source(const NodeSource& source, NodeImport how) {
  const auto import = [&source] {
    return source.synthetic.empty() ? import_node_xml(source.xml.string()) : import_node_synthetic(source.synthetic);
  };
  if (how == NodeImport::kDirect) return import();
  const bool xml = source.synthetic.empty();
  return import_isolated(import, xml ? source.xml.string() : "synthetic description '" + source.synthetic + "'");
}

std::vector<std::shared_ptr<const NodeTree>> import_kinds(const std::vector<NodesOfAKind>& kinds, NodeImport how) {
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const NodeTree>> known;
  std::vector<std::shared_ptr<const NodeTree>> nodes;
  for (const NodesOfAKind& kind : kinds) {
    std::shared_ptr<const NodeTree>& tree = known[{kind.source.xml.string(), kind.source.synthetic}];
    if (tree == nullptr) tree = import_source(kind.source, how);
    nodes.insert(nodes.end(), kind.count, tree);
  }
  return nodes;
}

}  // namespace strata
