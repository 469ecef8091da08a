// SPDX-License-Identifier: LGPL-2.1-only
#include "models/split_tree_machine.h"

#include <string>

#include "base/error.h"
#include "models/message_cost.h"
#include "platforms/payload.h"

namespace strata::models {
namespace {

Seconds combine_time(const Machine& machine, const TreeCollective& collective, Bytes bytes) {
  return collective.combines ? bytes / BytesPerSecond(machine.combine_bandwidth().si) : Seconds(0);
}

}  // namespace

const TreeCollective* find_tree_collective(std::string_view name) {
  for (const TreeCollective& c : kTreeCollectives) {
    if (c.name == name) return &c;
  }
  return nullptr;
}

Seconds message_unit(const Machine& machine, const TreeCollective& collective, Bytes bytes) {
  return bytes / BytesPerSecond(machine.copy_bandwidth.si) + combine_time(machine, collective, bytes);
}

SplitTree full_tree(const Machine& machine, const TreeCollective& collective, Bytes bytes, int arity, int nodes,
                    const std::string& option) {
  const Topology& topology = *machine.topology;
  if (nodes < 1 || nodes > topology.num_nodes()) {
    throw InputError(option, std::to_string(nodes) + " nodes", "give 1 to " + std::to_string(topology.num_nodes()));
  }
  if (nodes > 1 && collective.weight == Weight::kDoubling) {
    throw InputError(option, std::string(collective.name) + " has no tree over several nodes", "give 1 node");
  }
  const auto cores_of = [&](int node) { return topology.num_cores(topology.node_vertex(node)); };
  const Seconds unit = message_unit(machine, collective, bytes);
  SplitTree t{.cores = cores_of(0),
              .ranks = cores_of(0),
              .arity = arity,
              .weight = collective.weight,
              .direction = collective.direction};
  if (t.direction == Direction::kThereAndBack) t.combine = combine_time(machine, collective, bytes) / unit;
  for (int node = 1; node < nodes; ++node) {
    if (cores_of(node) != t.cores) {
      throw InputError(option, "node " + std::to_string(node) + " differs from node 0", "give equal nodes");
    }
  }
  if (nodes == 1) return t;
  t.nodes = nodes;
  const auto first_core = [&](int node) { return topology.cores()[topology.first_core(topology.node_vertex(node))]; };
  const MessageCost cost = MessageCosts(machine).between(first_core(0), first_core(nodes - 1), bytes.value);
  const Seconds wire =
      Seconds(cost.latency_s) + (bytes + Bytes(kEnvelopeBytes)) / BytesPerSecond(cost.bandwidth_bytes_per_s);
  t.network = (wire + combine_time(machine, collective, bytes)) / unit;
  return t;
}

}  // namespace strata::models
