// SPDX-License-Identifier: LGPL-2.1-only
// The machine as one JSON document: the tree, vertex by vertex, and the costs with their sources.
//
//   {"schema":"strata.topo/1","machine":"ntw10e5","description":...,"source":...,"nodes":10,"cores":240,
//    "tree":{"type":"Network","name":"System - Cluster","logical_index":0,"os_index":null,"cpuset":null,"children":[
//      {"type":"Machine","name":"Machine","node":0,"logical_index":0,"os_index":0,"cpuset":"0-23","note":"128GB total",
//       "children":[...]}, ...]},
//    "costs":{"core":{"speed":F,"copy_bandwidth":F,"combine_bandwidth":F},"eager_limit":F,"copies":F,
//             "levels":[{"level":...,"latency":F,"overhead":F,"bandwidth":F,"link_bandwidth":F}, ...]}}
//
// A machine with figures of its memory has them after the copies: "memory":{"bandwidth":F,"combine_bandwidth":F,
// "cache_bandwidth":F}, "shared_cache_bandwidth":F if it states it, and "cached":"buffers" if it does not go by
// messages.
//
// A network that is not a tree is described before the tree, "network":{"torus":{"dims":[8,8,8],"wrap":[true,...],
// "nodes_per_router":2,"router":...}} or {"dragonfly":{...}} with the keys of fabric_network.h, and "routing" if it is
// not minimal; {"switches":{"switches":5,"cables":7,"levels":["Switch"]}} sums up a fabric's file; its figures come
// before the levels, "torus":{"hop_latency":F,"injection":F,"links":[F,...]} or "dragonfly":{...,"row":F,...} or
// "switches":{...,"links":{"4xEDR":F}}, and the network's levels have the injection as link_bandwidth.
//
// If nodes have several ports, "ports":{"at":["Package 0","Package 1"],"rule":"nearest"} comes before the tree, and
// "ports":{"bandwidth":F} before the levels.
//
// F is {"value":1.62,"unit":"us","source":"published: ...","si":1.62e-06}: `si` in s, B/s, flop/s, B or copies. `type`
// is the kind of object, `name` the name of its level. A network vertex has no OS indexes. `core` is true for objects
// on which ranks run. A node has "host", its name in the cluster, if the machine has names. `note`, if present, is a
// capacity or a model.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string_view>

#include "platforms/machine.h"

namespace strata {

using PutText = std::function<void(std::string_view)>;

/// Writes the document as one line, without a line feed, in pieces: that of 65,536 nodes has hundreds of megabytes.
/// Invalid UTF-8 becomes U+FFFD.
void write_json(const Machine& machine, const PutText& put);

/// The same as a value.
nlohmann::ordered_json draw_json(const Machine& machine);

/// The object `network` above.
nlohmann::ordered_json network_json(const FabricNetwork& fabric);

/// The object F above.
nlohmann::ordered_json figure_json(const Figure& figure);

/// The object `costs` above.
nlohmann::ordered_json costs_json(const Machine& machine);

}  // namespace strata
