// SPDX-License-Identifier: LGPL-2.1-only
// Imports a node in a process of its own. libhwloc crashes on some damaged descriptions (about one in 90 mutated XML
// files) and needs unbounded time or memory for others. Such a file then becomes an input error instead of ending this
// process.
//
// The child sends back the finished tree, so this process never passes the description to libhwloc. This costs a fork,
// some milliseconds. It is done once for a file from a user; copies of a file that has passed (for ranks or the
// simulator's plugin) are imported directly.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "platforms/node_tree.h"

namespace strata {

/// The result of `import`, computed in a child. Throws InputError if `import` does, or if the child crashes or uses too
/// much time or memory; `where` then names the description.
std::shared_ptr<const NodeTree> import_isolated(const std::function<std::shared_ptr<const NodeTree>()>& import,
                                                const std::string& where);

/// The objects of a tree as text, for another process of the same program.
std::string encode_node(const NodeTree& tree);
/// The inverse of encode_node. Throws std::runtime_error if the text does not come from encode_node.
std::shared_ptr<const NodeTree> decode_node(const std::string& text);

}  // namespace strata
