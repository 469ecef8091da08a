// SPDX-License-Identifier: LGPL-2.1-only
// The inside of one node: what libhwloc knows of it, as an immutable tree with NUMA nodes in their place.
//
// hwloc hangs NUMA nodes beside the tree of CPU objects, as memory children. Communicators need one tree, so a NUMA
// node whose cpuset equals that of the object it is attached to becomes a vertex just below that object and above the
// object's other children (just above where the object is a core: ranks live on cores, and places hold them). Several
// NUMA nodes at one place (DDR and HBM of the same cores) are one vertex: they are one place for a process. NUMA nodes
// without PUs are none; the XML file says which they are, for libhwloc, as it loads it, gives them the cpuset of what
// they hang below. A PU that is its core's only PU counts as the core and has no vertex of its own, nor have caches
// between the two; a PU outside any core acts as a core.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "platforms/cpuset.h"

namespace strata {

enum class ObjectType {
  kNetwork,  // a network level; the root is one. Never inside a node.
  kMachine,
  kPackage,
  kDie,
  kGroup,
  kNumaNode,
  kCache,  // L5 to L1, data or unified
  kCore,
  kPu,
};

/// One object of a node. Objects are in depth-first preorder: a parent comes before its children, children are in
/// hwloc's logical order, and object 0 is the Machine.
struct NodeObject {
  ObjectType type;
  std::string name;   // as hwloc_obj_type_snprintf prints it: "L3", "Package", "Group0", ...
  int parent;         // -1 for the Machine
  int logical_index;  // hwloc's, among the objects of its type; of a NUMA node, the first at this place
  int os_index;       // -1 where the OS gives none
  bool is_core;       // ranks live here: a Core, or a PU outside any core
  Cpuset cpuset;      // OS indexes of the allowed PUs below
  long cache_bytes;   // what a cache holds; 0 of other objects, and where the file does not say
  std::string note;   // for drawings: capacities ("15MB"; "24GB + 4GB" of several NUMA nodes), a CPU's model, or ""
};

/// The objects of a node, immutable. Any number of nodes share one.
class NodeTree {
 public:
  /// Checks the invariants (see check_invariants) and refuses a list that breaks one with std::logic_error.
  explicit NodeTree(std::vector<NodeObject> objects);

  const std::vector<NodeObject>& objects() const { return objects_; }
  const std::vector<int>& children(int object) const { return children_[object]; }
  /// The deepest object whose cpuset includes `set`; -1 where `set` is empty or not on the node. O(depth).
  int covering(const Cpuset& set) const;
  /// The objects that ranks live on, in logical order.
  const std::vector<int>& cores() const { return cores_; }

 private:
  void check_invariants() const;

  std::vector<NodeObject> objects_;
  std::vector<std::vector<int>> children_;
  std::vector<int> cores_;
  std::vector<int> object_of_pu_;  // by OS index: the deepest object that holds the PU, -1 where none does
};

/// Imports hwloc 2 or 3 XML. Throws InputError where the file is missing, malformed, truncated, of hwloc 1, or without
/// PUs. libhwloc may crash on a damaged file: what users give goes through isolated_import.h.
std::shared_ptr<const NodeTree> import_node_xml(const std::string& path);

/// Imports hwloc's synthetic description ("pack:2 numa:2 l3:1 core:6 pu:1"); where the PUs are left out at the end,
/// each last object has one. Throws InputError.
std::shared_ptr<const NodeTree> import_node_synthetic(const std::string& description);

/// Imports a topology that is already loaded with hwloc's default filters; `where` names it in errors.
std::shared_ptr<const NodeTree> import_node(hwloc_topology_t loaded, const std::string& where);

/// Writes hwloc 2 XML for a synthetic description. Throws InputError where the description or the file is bad.
void export_synthetic_as_xml(const std::string& description, const std::string& path);

}  // namespace strata
