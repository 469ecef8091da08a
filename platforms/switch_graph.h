// SPDX-License-Identifier: LGPL-2.1-only
// The graph of switches, the cables between them, and the nodes on them, as a fabric file lists them:
//
//   strata.fabric/1
//   switch leaf1                     # a name with blanks is quoted: "leaf 1"
//   switch spine1
//   link leaf1 spine1 4xEDR 2        # two cables of a kind; the default is one
//   node node01 leaf1 7              # and its number as a target of routes; default: its position among the nodes
//
// A machine's nodes are numbered in the order of the tree that contains them (switches.h). Switches and nodes keep
// their order in the file as far as that tree allows.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace strata {

struct SwitchGraph {
  struct Link {
    int a, b;    // switches
    int kind;    // an index into kinds
    int cables;  // at least 1
  };
  struct Node {
    std::string name;
    int at;      // its switch
    int target;  // its number for routes (switches.h); unique
  };
  std::vector<std::string> switches;  // names
  std::vector<std::string> kinds;     // of cables, in the order of their names
  std::vector<Link> links;            // each pair of switches and kind once
  std::vector<Node> nodes;
};

/// Throws InputError with file and line: malformed, a duplicate name, an unknown switch, a switch connected with
/// itself, no nodes, or nodes that no cables connect.
SwitchGraph read_switch_graph(const std::filesystem::path& file);

/// The file's text. Names must have neither `"` nor control characters.
std::string format_switch_graph(const SwitchGraph& graph);

}  // namespace strata
