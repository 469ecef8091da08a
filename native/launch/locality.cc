// SPDX-License-Identifier: LGPL-2.1-only
#include "native/launch/locality.h"

#include <array>
#include <optional>
#include <utility>

#include "base/error.h"
#include "platforms/cpuset.h"

namespace strata::native {
namespace {

// Outermost first. Open MPI reads the two letters, and then a list of logical indexes.
constexpr std::array<std::pair<hwloc_obj_type_t, const char*>, 7> kLevels{{
    {HWLOC_OBJ_NUMANODE, "NM"},
    {HWLOC_OBJ_PACKAGE, "SK"},
    {HWLOC_OBJ_L3CACHE, "L3"},
    {HWLOC_OBJ_L2CACHE, "L2"},
    {HWLOC_OBJ_L1CACHE, "L1"},
    {HWLOC_OBJ_CORE, "CR"},
    {HWLOC_OBJ_PU, "HT"},
}};

}  // namespace

NodeTopology::NodeTopology(const std::filesystem::path& xml) : file_(xml) {
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) throw InputError(file_, "libhwloc has no memory");
  topology_.reset(topology);
  if (hwloc_topology_set_xml(topology, xml.c_str()) != 0 || hwloc_topology_load(topology) != 0)
    throw InputError(file_, "libhwloc cannot load it", "write it with lstopo node.xml");
}

std::string NodeTopology::locality(const std::string& cpuset) const {
  if (cpuset.empty()) return "";
  const std::optional<Cpuset> bound = Cpuset::parse(cpuset);
  if (!bound) throw InputError(file_, "'" + cpuset + "' is not a binding", "write OS indexes, for example 0-3,8");
  if (hwloc_bitmap_isincluded(hwloc_topology_get_topology_cpuset(get()), bound->bitmap()) != 0) return "";
  std::string text;
  for (const auto& [type, letters] : kLevels) {
    Cpuset touched;
    for (hwloc_obj_t object = nullptr; (object = hwloc_get_next_obj_by_type(get(), type, object)) != nullptr;) {
      if (hwloc_bitmap_intersects(object->cpuset, bound->bitmap()) != 0)
        touched.add(static_cast<int>(object->logical_index));
    }
    if (!touched.empty()) text += ":" + (letters + touched.list());
  }
  return text.empty() ? "" : "hwloc" + text;
}

}  // namespace strata::native
