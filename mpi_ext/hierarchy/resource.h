// SPDX-License-Identifier: LGPL-2.1-only
// Hardware resource types by name, and which instance of a type a binding lies within.
//
// Within a node names are hwloc's, read as hwloc reads them ("Package" or "Socket", "L3" or "L3Cache", "NUMANode",
// "Core", "PU", "Machine", "Group0"; "L1" is any L1 but one of instructions, "Group" any Group); above it they are
// those of the network's levels. The case of letters does not matter.
//
// A binding lies within an instance exactly when that is, or is above, the deepest vertex that covers the binding. What
// has no vertex is found where it was put (platforms/node_tree.h): a PU that is its core's only PU is the core; several
// NUMA nodes of the same cores are one place, and one instance. Where instances nest (a Group in a Group) the innermost
// counts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platforms/topology.h"

namespace strata::mpix {

/// The scheme of URIs of the types within a node, and of the network's levels.
inline constexpr const char* kNodeScheme = "hwloc://";
inline constexpr const char* kNetworkScheme = "strata://";

/// Finds instances of one type. Pure; thread-safe.
class ResourceType {
 public:
  /// A type by its name; any name is one, though perhaps of no object.
  static ResourceType named(const std::string& name);
  /// By URI, "hwloc://L3" or "strata://Switch"; nothing for a different scheme.
  static std::optional<ResourceType> at_uri(const std::string& uri);
  /// The node, under any name.
  static ResourceType node();

  /// The vertex that is the instance which vertex `v` lies within; -1 if it lies within none. O(depth).
  int instance(const Topology& topology, int v) const;

 private:
  bool is(const Topology& topology, int v) const;

  std::string name_;
  bool in_node_ = true, in_network_ = true;
};

/// The URIs of all types that the node of vertex `v`, and the network, have; each once, from the network inwards.
/// Levels without a name of their own (the network's root) have none.
std::vector<std::string> resource_uris(const Topology& topology, int v);

}  // namespace strata::mpix
