// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/node_tree.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include "base/error.h"
#include "base/utf8.h"
#include "platforms/hwloc_xml.h"

namespace strata {
namespace {

struct TopologyDeleter {
  void operator()(hwloc_topology_t t) const { hwloc_topology_destroy(t); }
};
using TopologyHandle = std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, TopologyDeleter>;

TopologyHandle new_topology() {
  // Silences hwloc's banner, because we report a broken description ourselves, in one line.
  ::setenv("HWLOC_HIDE_ERRORS", "2", 0);
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) throw std::bad_alloc();
  return TopologyHandle(topology);
}

ObjectType type_of(hwloc_obj_t object) {
  switch (object->type) {
    case HWLOC_OBJ_MACHINE:
      return ObjectType::kMachine;
    case HWLOC_OBJ_PACKAGE:
      return ObjectType::kPackage;
    case HWLOC_OBJ_DIE:
      return ObjectType::kDie;
    case HWLOC_OBJ_NUMANODE:
      return ObjectType::kNumaNode;
    case HWLOC_OBJ_CORE:
      return ObjectType::kCore;
    case HWLOC_OBJ_PU:
      return ObjectType::kPu;
    case HWLOC_OBJ_GROUP:
      return ObjectType::kGroup;
    default:
      return ObjectType::kCache;  // no other normal objects pass the default filters
  }
}

// Largest OS index of a PU. A tree has an array of all indexes up to the largest. Linux supports at most 8,192.
constexpr int kMostPu = 1'000'000;

// Rounded as in lstopo, in the largest unit that leaves at least two digits.
std::string size_note(hwloc_uint64_t bytes) {
  constexpr std::array<const char*, 4> kUnits = {"KB", "MB", "GB", "TB"};
  if (bytes == 0) return "";
  size_t unit = 0;
  while (unit + 1 < kUnits.size() && bytes >= (10ULL << (10 * (unit + 2)))) ++unit;
  return std::to_string(((bytes >> (10 * unit + 9)) + 1) >> 1) + kUnits[unit];
}

std::string note_of(hwloc_obj_t object) {
  if (hwloc_obj_type_is_cache(object->type)) return size_note(object->attr->cache.size);
  if (object->type == HWLOC_OBJ_NUMANODE) return size_note(object->attr->numanode.local_memory);
  if (object->type == HWLOC_OBJ_MACHINE && object->total_memory != 0) return size_note(object->total_memory) + " total";
  if (object->type == HWLOC_OBJ_PACKAGE) {
    const char* model = hwloc_obj_get_info_by_name(object, "CPUModel");
    if (model != nullptr && first_not_utf8(model) == std::string_view::npos) return model;
  }
  return "";
}

NodeObject describe(hwloc_obj_t object, int parent) {
  std::array<char, 64> name{};
  hwloc_obj_type_snprintf(name.data(), name.size(), object, 0);
  return NodeObject{
      .type = type_of(object),
      .name = name.data(),
      .parent = parent,
      .logical_index = static_cast<int>(object->logical_index),
      .os_index = object->os_index == HWLOC_UNKNOWN_INDEX ? -1 : static_cast<int>(object->os_index),
      .is_core = false,
      .cpuset = Cpuset(object->cpuset),
      .cache_bytes = hwloc_obj_type_is_cache(object->type) ? static_cast<long>(object->attr->cache.size) : 0,
      .note = note_of(object)};
}

// Collects the NUMA nodes attached at `object` (also below memory-side caches) that hold exactly its PUs, in hwloc's
// order, except those whose OS index is in `memory_only`.
void collect_numa_at(hwloc_obj_t object, hwloc_const_cpuset_t cpuset, const Cpuset& memory_only,
                     std::vector<hwloc_obj_t>& out) {
  for (hwloc_obj_t m = object->memory_first_child; m != nullptr; m = m->next_sibling) {
    if (m->type == HWLOC_OBJ_NUMANODE && hwloc_bitmap_isequal(m->cpuset, cpuset) &&
        !(m->os_index != HWLOC_UNKNOWN_INDEX && memory_only.contains(static_cast<int>(m->os_index)))) {
      out.push_back(m);
    }
    collect_numa_at(m, cpuset, memory_only, out);
  }
}

// One vertex for all NUMA nodes at one place: with the indexes of the first, and the capacities of all.
NodeObject describe_numa(const std::vector<hwloc_obj_t>& nodes, int parent) {
  NodeObject object = describe(nodes.front(), parent);
  object.note.clear();
  for (hwloc_obj_t n : nodes) {
    const std::string size = note_of(n);
    if (!size.empty()) object.note += (object.note.empty() ? "" : " + ") + size;
  }
  return object;
}

void import_below(hwloc_obj_t object, int parent, bool inside_core, const Cpuset& memory_only,
                  std::vector<NodeObject>& out) {
  const bool is_core = object->type == HWLOC_OBJ_CORE || (object->type == HWLOC_OBJ_PU && !inside_core);
  const auto last = [&] { return static_cast<int>(out.size()) - 1; };
  std::vector<hwloc_obj_t> numa;
  if (!inside_core) collect_numa_at(object, object->cpuset, memory_only, numa);
  if (is_core && !numa.empty()) {
    out.push_back(describe_numa(numa, parent));
    parent = last();
  }
  out.push_back(describe(object, parent));
  out.back().is_core = is_core;
  int here = last();
  if (!is_core && !numa.empty()) {
    out.push_back(describe_numa(numa, here));
    here = last();
  }
  // A core with one PU is a vertex without children, which also represents its PU and the caches in between.
  if (object->type == HWLOC_OBJ_CORE && hwloc_bitmap_weight(object->cpuset) == 1) return;
  for (unsigned i = 0; i < object->arity; ++i) {
    hwloc_obj_t child = object->children[i];
    if (hwloc_bitmap_iszero(child->cpuset)) continue;  // all its PUs are offline or disallowed
    import_below(child, here, inside_core || is_core, memory_only, out);
  }
}

std::shared_ptr<const NodeTree> import_loaded(hwloc_topology_t loaded, const std::string& where,
                                              const Cpuset& memory_only) {
  std::vector<NodeObject> objects;
  hwloc_obj_t root = hwloc_get_root_obj(loaded);
  if (root == nullptr || hwloc_bitmap_iszero(root->cpuset)) {
    throw InputError(where, "the topology has no allowed PU", "describe a node with at least one PU");
  }
  if (hwloc_bitmap_last(root->cpuset) > kMostPu) {
    throw InputError(where, "has a PU with OS index " + std::to_string(hwloc_bitmap_last(root->cpuset)),
                     "number PUs up to " + std::to_string(kMostPu));
  }
  import_below(root, -1, false, memory_only, objects);
  try {
    return std::make_shared<const NodeTree>(std::move(objects));
  } catch (const std::logic_error& e) {  // libhwloc accepts descriptions of impossible machines
    throw InputError(where, std::string("describes no machine: ") + e.what(),
                     "caches and packages hold cores, cores hold PUs");
  }
}

}  // namespace

NodeTree::NodeTree(std::vector<NodeObject> objects) : objects_(std::move(objects)), children_(objects_.size()) {
  for (int i = 0; i < static_cast<int>(objects_.size()); ++i) {
    const int parent = objects_[i].parent;
    if (i > 0 && parent >= 0 && parent < i) children_[parent].push_back(i);
    if (objects_[i].is_core) cores_.push_back(i);
  }
  check_invariants();
  int last_pu = -1;  // after the checks, because a cpuset that they refuse may be infinite
  for (int pu = objects_[0].cpuset.first(); pu >= 0; pu = objects_[0].cpuset.next(pu)) last_pu = pu;
  object_of_pu_.assign(last_pu + 1, -1);
  for (int i = 0; i < static_cast<int>(objects_.size()); ++i) {  // in preorder, the deepest object comes last
    if (!children_[i].empty()) continue;                         // inner objects are found by walking up
    for (int pu = objects_[i].cpuset.first(); pu >= 0; pu = objects_[i].cpuset.next(pu)) object_of_pu_[pu] = i;
  }
}

void NodeTree::check_invariants() const {
  const auto fail = [](int object, const std::string& what) {
    throw std::logic_error("node tree: object " + std::to_string(object) + ": " + what);
  };
  if (objects_.empty()) throw std::logic_error("node tree: it has no objects");
  if (objects_[0].type != ObjectType::kMachine || objects_[0].parent != -1) fail(0, "the root is not a Machine");
  for (int i = 0; i < static_cast<int>(objects_.size()); ++i) {
    const NodeObject& o = objects_[i];
    if (i > 0 && (o.parent < 0 || o.parent >= i)) fail(i, "its parent does not come before it");
    if (i > 0 && (o.type == ObjectType::kMachine || o.type == ObjectType::kNetwork)) fail(i, "it is no part of a node");
    if (o.name.empty()) fail(i, "it has no name");
    if (o.cpuset.empty() || o.cpuset.infinite()) fail(i, "its cpuset is empty or infinite");
    if (i > 0 && !objects_[o.parent].cpuset.includes(o.cpuset)) fail(i, "its cpuset is not in its parent's");
    if (o.type == ObjectType::kPu && o.cpuset.count() != 1) fail(i, "a PU whose cpuset is not one PU");
    if (o.is_core && o.type != ObjectType::kCore && o.type != ObjectType::kPu) fail(i, "a core of another type");
    if (o.type == ObjectType::kCore && !o.is_core) fail(i, "a Core that is no core");
    bool inside_core = false;
    for (int up = o.parent; up >= 0; up = objects_[up].parent) inside_core |= objects_[up].is_core;
    if (o.is_core && inside_core) fail(i, "a core inside a core");
    const bool fits_a_core =
        o.type == ObjectType::kPu || o.type == ObjectType::kCache || o.type == ObjectType::kGroup || o.is_core;
    if (inside_core && !fits_a_core) fail(i, "a " + o.name + " inside a core");
    if (o.type == ObjectType::kPu && !o.is_core && !inside_core) fail(i, "a PU outside any core that is no core");
  }
  for (int i = 0; i < static_cast<int>(objects_.size()); ++i) {  // each object is valid: now check parents and children
    const NodeObject& o = objects_[i];
    Cpuset seen;
    for (int c : children_[i]) {
      if (seen.intersects(objects_[c].cpuset)) fail(i, "its children overlap");
      seen |= objects_[c].cpuset;
    }
    if (children_[i].empty() && !o.is_core && o.type != ObjectType::kPu) fail(i, "a leaf that is neither core nor PU");
    // PUs outside the children would belong to no core: only a core may have PUs without vertices.
    if (!children_[i].empty() && !(seen == o.cpuset)) fail(i, "its children do not make up its cpuset");
  }
  // Preorder: an object's parent is the previous object or one of its ancestors.
  for (int i = 1; i < static_cast<int>(objects_.size()); ++i) {
    int up = i - 1;
    while (up >= 0 && up != objects_[i].parent) up = objects_[up].parent;
    if (up < 0) fail(i, "it is out of depth-first order");
  }
}

int NodeTree::covering(const Cpuset& set) const {
  const int pu = set.first();
  if (pu < 0 || pu >= static_cast<int>(object_of_pu_.size())) return -1;
  int object = object_of_pu_[pu];
  while (object >= 0 && !objects_[object].cpuset.includes(set)) object = objects_[object].parent;
  return object;
}

std::shared_ptr<const NodeTree> import_node(hwloc_topology_t loaded, const std::string& where) {
  return import_loaded(loaded, where, Cpuset());
}

std::shared_ptr<const NodeTree> import_node_xml(const std::string& path) {
  const std::string xml = read_hwloc_xml(path);
  TopologyHandle topology = new_topology();
  // libhwloc expects the buffer's size including the terminating null character.
  if (xml.size() >= std::numeric_limits<int>::max() ||
      hwloc_topology_set_xmlbuffer(topology.get(), xml.c_str(), static_cast<int>(xml.size() + 1)) != 0 ||
      hwloc_topology_load(topology.get()) != 0) {
    throw InputError(path, "libhwloc cannot load it: malformed or truncated XML, or no PU that is allowed",
                     "write it again with `lstopo --of xml`, or look with `hwloc-info -i " + path + "`");
  }
  return import_loaded(topology.get(), path, memory_only_nodes(xml));
}

namespace {

TopologyHandle load_synthetic(const std::string& description) {
  TopologyHandle topology = new_topology();
  bool understood = hwloc_topology_set_synthetic(topology.get(), description.c_str()) == 0;
  if (!understood) {  // hwloc requires PUs at the end: "pack:2 core:4" means one PU per core
    topology = new_topology();
    understood = hwloc_topology_set_synthetic(topology.get(), (description + " pu:1").c_str()) == 0;
  }
  if (!understood || hwloc_topology_load(topology.get()) != 0) {
    throw InputError("synthetic description '" + description + "'", "libhwloc does not understand it",
                     "write for example 'pack:2 numa:2 l3:1 core:6 pu:1'");
  }
  return topology;
}

}  // namespace

std::shared_ptr<const NodeTree> import_node_synthetic(const std::string& description) {
  return import_node(load_synthetic(description).get(), "synthetic description '" + description + "'");
}

void export_synthetic_as_xml(const std::string& description, const std::string& path) {
  TopologyHandle topology = load_synthetic(description);
  if (hwloc_topology_export_xml(topology.get(), path.c_str(), 0) != 0) {
    throw InputError(path, std::string("cannot be written: ") + std::strerror(errno), "check the folder and the disk");
  }
}

}  // namespace strata
