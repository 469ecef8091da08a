// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/hierarchy/resource.h"

#include <hwloc.h>
#include <strings.h>

#include <algorithm>
#include <cstring>

namespace strata::mpix {
namespace {

struct HwlocType {
  hwloc_obj_type_t type;
  hwloc_obj_attr_u attributes;
};

std::optional<HwlocType> hwloc_type(const std::string& name) {
  HwlocType t{};
  if (hwloc_type_sscanf(name.c_str(), &t.type, &t.attributes, sizeof t.attributes) != 0) return std::nullopt;
  return t;
}

// Whether `object`, the type of an object, matches the requested type.
bool matches(const HwlocType& asked, const HwlocType& object) {
  if (asked.type != object.type) return false;
  if (hwloc_obj_type_is_cache(asked.type)) {  // levels differ by type; a request such as "L1" is UNIFIED
    return asked.attributes.cache.type == HWLOC_OBJ_CACHE_UNIFIED ||
           asked.attributes.cache.type == object.attributes.cache.type;
  }
  constexpr auto kAnyDepth = static_cast<unsigned>(-1);
  return asked.type != HWLOC_OBJ_GROUP || asked.attributes.group.depth == kAnyDepth ||
         asked.attributes.group.depth == object.attributes.group.depth;
}

// A core with only one PU.
bool is_single_pu(const Topology& topology, int v) {
  return topology.object(v) != nullptr && topology.object(v)->is_core && topology.object(v)->cpuset.count() == 1;
}

bool begins_with(const std::string& text, const char* prefix) {
  return ::strncasecmp(text.c_str(), prefix, std::strlen(prefix)) == 0;
}

}  // namespace

ResourceType ResourceType::named(const std::string& name) {
  ResourceType t;
  t.name_ = name;
  return t;
}

std::optional<ResourceType> ResourceType::at_uri(const std::string& uri) {
  for (const char* scheme : {kNodeScheme, kNetworkScheme}) {
    if (!begins_with(uri, scheme)) continue;
    ResourceType t = named(uri.substr(std::strlen(scheme)));
    t.in_node_ = scheme == kNodeScheme;
    t.in_network_ = !t.in_node_;
    return t;
  }
  return std::nullopt;
}

ResourceType ResourceType::node() {
  ResourceType t = named("Machine");
  t.in_network_ = false;
  return t;
}

bool ResourceType::is(const Topology& topology, int v) const {
  if (topology.object(v) == nullptr) return in_network_ && ::strcasecmp(name_.c_str(), topology.name(v).c_str()) == 0;
  if (!in_node_) return false;
  const std::optional<HwlocType> asked = hwloc_type(name_), object = hwloc_type(topology.name(v));
  if (!asked || !object) return false;
  return matches(*asked, *object) || (asked->type == HWLOC_OBJ_PU && is_single_pu(topology, v));
}

int ResourceType::instance(const Topology& topology, int v) const {
  while (v >= 0 && !is(topology, v)) v = topology.parent(v);
  return v;
}

std::vector<std::string> resource_uris(const Topology& topology, int v) {
  std::vector<std::string> uris;
  const auto add = [&](const std::string& uri) {
    if (std::find(uris.begin(), uris.end(), uri) == uris.end()) uris.push_back(uri);
  };
  for (int n = 1; n < topology.num_vertices(); ++n) {
    if (topology.object(n) == nullptr) {
      add(kNetworkScheme + topology.name(n));
    } else {
      n = topology.subtree_end(n) - 1;  // skips the inside of nodes; below, only the inside of our own node is added
    }
  }
  const int node = topology.node_vertex(topology.node(v));
  bool single_pus = false;
  for (int n = node; n < topology.subtree_end(node); ++n) {
    add(kNodeScheme + topology.name(n));
    single_pus = single_pus || is_single_pu(topology, n);
  }
  if (single_pus) add(std::string(kNodeScheme) + "PU");
  return uris;
}

}  // namespace strata::mpix
