// SPDX-License-Identifier: LGPL-2.1-only
#include "base/key_reference.h"
#include "platforms/machine_keys.h"

namespace strata {

std::string machine_reference() {
  return R"(# Machine files

<!-- Generated from the tables in platforms/; do not edit. `tools/regenerate-docs --reference` makes it again. -->

A `machine.yaml` says what a machine is: the inside of its nodes, the network, and what computing and communicating cost.
Every figure has a unit and a source. `schemas/machine.schema.json` is the same as a JSON Schema, for editors and
validators.

```yaml
schema: strata.machine/1
name: two-nodes
description: two nodes of one NUMA node with two cores each, under one switch
source: "assumed: an example"
node: {synthetic: "pack:1 core:2"}
network: {nodes: 2}
costs:
  core:
    speed: {value: 2.5, unit: Gflop/s, source: "published: the processor's data sheet"}
    copy_bandwidth: {value: 10, unit: GB/s, source: measured}
  eager_limit: {value: 4, unit: KiB, source: "published: the MPI's manual"}
  levels:
    - level: System - Cluster
      latency: {value: 1.5, unit: us, source: measured}
      overhead: {value: 0.5, unit: us, source: measured}
      bandwidth: {value: 11, unit: GB/s, source: measured}
      link_bandwidth: {value: 100, unit: Gb/s, source: "published: the network's data sheet"}
    - level: NUMANode
      latency: {value: 0.5, unit: us, source: measured}
      overhead: {value: 0.25, unit: us, source: measured}
      bandwidth: {value: 8, unit: GB/s, source: measured}
      link_bandwidth: {value: 60, unit: GB/s, source: measured}
```

The cost of a message is that of the level at which the paths of its two cores meet. On a torus, a dragonfly, a
fat tree or a network of switches a message between two nodes goes up the tree to its node, over the node's link into its router, along
the fabric's links, and down again. The level's latency is that of no link between routers; each adds its `hop_latency`.

## File

)" + reference_of(machine_keys(), false);
}

std::string machine_schema() {
  return schema_of(
      "A machine of Strata (strata.machine/1)",
      "A machine: its node, its network and what messages cost. docs/reference/machine.md has the same for people.",
      machine_keys(), {"node", "nodes"});
}

}  // namespace strata
