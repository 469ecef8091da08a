// SPDX-License-Identifier: LGPL-2.1-only
// The inside of one node: libhwloc's objects as an immutable tree that includes NUMA nodes.
//
// hwloc keeps NUMA nodes beside the tree of CPU objects, as memory children. Communicators need one tree, so a NUMA
// node whose cpuset equals that of the object to which it is attached becomes a vertex just below that object and above
// the object's other children (just above it if the object is a core, because ranks run on cores). Several NUMA nodes
// at one place (DDR and HBM of the same cores) become one vertex. NUMA nodes without PUs are left out; they are
// identified in the XML file, because libhwloc gives them the cpuset of their parent when it loads the file. A PU that
// is its core's only PU counts as the core and has no vertex of its own, nor do caches between the two. A PU outside
// any core acts as a core.
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
  int logical_index;  // hwloc's, among the objects of its type; for a NUMA node, the first at this place
  int os_index;       // -1 if the OS gives none
  bool is_core;       // ranks run here: a Core, or a PU outside any core
  Cpuset cpuset;      // OS indexes of the allowed PUs below
  long cache_bytes;   // size of a cache; 0 for other objects, and if the file does not give it
  std::string note;   // for drawings: capacities ("15MB"; "24GB + 4GB" for several NUMA nodes), a CPU's model, or ""
};

/// The objects of a node, immutable. Any number of nodes can share one NodeTree.
class NodeTree {
 public:
  /// Throws std::logic_error if the list violates an invariant (see check_invariants).
  explicit NodeTree(std::vector<NodeObject> objects);

  const std::vector<NodeObject>& objects() const { return objects_; }
  const std::vector<int>& children(int object) const { return children_[object]; }
  /// The deepest object whose cpuset includes `set`; -1 if `set` is empty or not on the node. O(depth).
  int covering(const Cpuset& set) const;
  /// The objects on which ranks run, in logical order.
  const std::vector<int>& cores() const { return cores_; }

 private:
  void check_invariants() const;

  std::vector<NodeObject> objects_;
  std::vector<std::vector<int>> children_;
  std::vector<int> cores_;
  std::vector<int> object_of_pu_;  // by OS index: the deepest object that contains the PU, -1 if none does
};

/// Imports hwloc 2 or 3 XML. Throws InputError if the file is missing, malformed, truncated, from hwloc 1, or without
/// PUs. libhwloc may crash on a damaged file: import users' files through isolated_import.h.
std::shared_ptr<const NodeTree> import_node_xml(const std::string& path);

/// Imports hwloc's synthetic description ("pack:2 numa:2 l3:1 core:6 pu:1"). If it does not end with PUs, each of the
/// last objects has one. Throws InputError.
std::shared_ptr<const NodeTree> import_node_synthetic(const std::string& description);

/// Imports a topology that is already loaded with hwloc's default filters; `where` names it in errors.
std::shared_ptr<const NodeTree> import_node(hwloc_topology_t loaded, const std::string& where);

/// Writes hwloc 2 XML for a synthetic description. Throws InputError if the description is bad or the file cannot be
/// written.
void export_synthetic_as_xml(const std::string& description, const std::string& path);

}  // namespace strata
