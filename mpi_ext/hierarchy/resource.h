// SPDX-License-Identifier: LGPL-2.1-only
// Hardware resource types by name, and the instance of a type that contains a binding.
//
// Names within a node are hwloc's and are read as hwloc reads them ("Package" or "Socket", "L3" or "L3Cache",
// "NUMANode", "Core", "PU", "Machine", "Group0"; "L1" is any L1 except an instruction cache, "Group" any Group). Above
// the node, names are those of the network's levels. Case is ignored.
//
// A binding lies within an instance exactly if the instance is the deepest vertex that covers the binding, or is above
// it. Objects without a vertex of their own are found at the vertex that replaces them (platforms/node_tree.h): a PU
// that is its core's only PU is the core; several NUMA nodes with the same cores are one place and one instance. If
// instances nest (a Group in a Group), the innermost counts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platforms/topology.h"

namespace strata::mpix {

/// URI scheme of the types within a node; kNodeScheme is hwloc's, the other one that of network levels.
inline constexpr const char* kNodeScheme = "hwloc://";
inline constexpr const char* kNetworkScheme = "strata://";

/// Finds instances of one type. Pure; thread-safe.
class ResourceType {
 public:
  /// A type by its name. Any name is accepted, even if no object has it.
  static ResourceType named(const std::string& name);
  /// A type by its URI, "hwloc://L3" or "strata://Switch"; empty for a different scheme.
  static std::optional<ResourceType> at_uri(const std::string& uri);
  /// The node, under any of its names.
  static ResourceType node();

  /// The instance (a vertex) that contains vertex `v`; -1 if none does. O(depth).
  int instance(const Topology& topology, int v) const;

 private:
  bool is(const Topology& topology, int v) const;

  std::string name_;
  bool in_node_ = true, in_network_ = true;
};

/// The URIs of all types of the node of vertex `v` and of the network; each once, from the network inwards. Levels
/// without a name of their own (the network's root) are left out.
std::vector<std::string> resource_uris(const Topology& topology, int v);

}  // namespace strata::mpix
