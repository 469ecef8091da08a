// SPDX-License-Identifier: LGPL-2.1-only
// Imports a node in a process of its own. libhwloc crashes on some damaged descriptions (about one mutated XML file in
// 90) and takes unbounded time or memory for others; then the file is bad input, and not the end of this process.
//
// The child sends back the finished tree, so this process never gives the description to libhwloc. It costs a fork,
// some milliseconds: whoever reads a user's file does this once; what reads a copy of a file that passed (ranks, the
// simulator's plugin) imports directly.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "platforms/node_tree.h"

namespace strata {

/// What `import` returns, computed in a child. Throws InputError where `import` does, and where the child crashes, uses
/// too much time or memory; `where` names the description then.
std::shared_ptr<const NodeTree> import_isolated(const std::function<std::shared_ptr<const NodeTree>()>& import,
                                                const std::string& where);

/// The objects of a tree as text, for another process that runs the same program.
std::string encode_node(const NodeTree& tree);
/// The tree again. Throws std::runtime_error where the text is not one of encode_node's.
std::shared_ptr<const NodeTree> decode_node(const std::string& text);

}  // namespace strata
