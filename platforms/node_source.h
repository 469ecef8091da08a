// SPDX-License-Identifier: LGPL-2.1-only
// Where the insides of a machine's nodes come from, and their import.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "platforms/node_tree.h"

namespace strata {

/// The source of the inside of the nodes: exactly one is set.
struct NodeSource {
  std::filesystem::path xml;
  std::string synthetic;
};

/// Successive nodes with the same inside.
struct NodesOfAKind {
  NodeSource source;
  int count;
  std::string names;  // a list as hostlist.h reads it; may be empty
};

/// How a machine's node is imported (isolated_import.h).
enum class NodeImport {
  kIsolated,  // in a child: libhwloc may crash on a user's file
  kDirect,    // in this process: a file that has been imported before
};

/// Throws InputError.
std::shared_ptr<const NodeTree> import_source(const NodeSource& source, NodeImport how);

/// The inside of each node. Nodes with the same source share it.
std::vector<std::shared_ptr<const NodeTree>> import_kinds(const std::vector<NodesOfAKind>& kinds, NodeImport how);

}  // namespace strata
