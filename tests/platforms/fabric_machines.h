// SPDX-License-Identifier: LGPL-2.1-only
// The machine.yaml of four small machines whose networks are not trees. Their nodes have four cores. Tests replace
// parts of these texts.
#pragma once

#include <stdexcept>
#include <string>

namespace strata {

/// A network level, at which a message alone gets 2 GB/s.
inline std::string network_level(const std::string& name, const std::string& latency_us) {
  return "    - level: " + name + "\n      latency: {value: " + latency_us + R"(, unit: us, source: measured}
      overhead: {value: 0.5, unit: us, source: measured}
      bandwidth: {value: 2, unit: GB/s, source: measured}
)";
}

/// A machine with nodes of four cores on `network`. `costs`: of the network's links; `levels`: of its levels, see
/// network_level.
inline std::string fabric_yaml(const std::string& type, const std::string& description, const std::string& network,
                               const std::string& costs, const std::string& levels) {
  return "schema: strata.machine/1\nname: small-" + type + "\ndescription: " + description + R"(
source: "assumed: a test"
node: {synthetic: "[numa] core:4 pu:1"}
network: {)" +
         type + ": " + network + R"(}
costs:
  core:
    speed: {value: 2, unit: Gflop/s, source: measured}
    copy_bandwidth: {value: 10, unit: GB/s, source: measured}
  eager_limit: {value: 4, unit: KiB, source: measured}
  )" + type +
         R"(:
    hop_latency: {value: 100, unit: ns, source: "published: per hop"}
    injection: {value: 6, unit: GB/s, source: "published: the card"}
)" + costs +
         "  levels:\n" + levels + R"(    - level: NUMANode
      latency: {value: 0.7, unit: us, source: measured}
      overhead: {value: 0.3, unit: us, source: measured}
      bandwidth: {value: 5, unit: GB/s, source: measured}
      link_bandwidth: {value: 20, unit: GB/s, source: measured}
)";
}

/// 24 routers of two nodes, 192 cores. Between nodes a message alone gets 2 GB/s; the injection is 6 GB/s.
inline const std::string kTorusYaml =
    fabric_yaml("torus", "a torus that is open in z",
                "{dims: [4, 3, 2], wrap: [true, true, false], nodes_per_router: 2, router: Gemini}",
                R"(    links:
      - {value: 4.5, unit: GB/s, source: "published: x"}
      - {value: 3, unit: GB/s, source: "published: y"}
      - {value: 6, unit: GB/s, source: "published: z"}
)",
                network_level("System - Cluster", "1.5") + network_level("Gemini", "1.4"));

/// 12 routers of two nodes, 96 cores; the same figures between nodes.
inline const std::string kDragonflyYaml =
    fabric_yaml("dragonfly", "two groups of two rows of three routers",
                "{groups: 2, rows: 2, columns: 3, nodes_per_router: 2, global_links: 2, row: Blade, router: Aries}",
                R"(    row: {value: 4.5, unit: GB/s, source: "published: row"}
    column: {value: 9, unit: GB/s, source: "published: column"}
    global: {value: 3, unit: GB/s, source: "published: global"}
)",
                network_level("System - Cluster", "1.5") + network_level("Group", "1.5") +
                    network_level("Blade", "1.5") + network_level("Aries", "1.4"));

/// Six leaf switches of two nodes, in two pods with two upper switches each, and four switches at the top; 48 cores;
/// the same figures between nodes.
inline const std::string kFatTreeYaml = fabric_yaml(
    "fat_tree", "two pods of three leaf switches",
    "{down: [2, 3, 2], up: [2, 2], cables: [1, 2], levels: [Switch, Pod]}",
    R"(    links:
      - {value: 4.5, unit: GB/s, source: "published: leaf"}
      - {value: 3, unit: GB/s, source: "published: pod"}
)",
    network_level("System - Cluster", "1.5") + network_level("Pod", "1.5") + network_level("Switch", "1.4"));

/// Leaf switches of three, two and one nodes with two switches above them; 24 cores; the same figures between nodes.
/// The second switch at the top has slower cables, two of them to the first leaf switch.
inline const std::string kSwitchesYaml =
    fabric_yaml("switches", "leaf switches of different sizes", "{file: fabric.txt, levels: [Switch]}",
                R"(    links:
      4xEDR: {value: 4.5, unit: GB/s, source: "published: EDR"}
      4xFDR: {value: 3, unit: GB/s, source: "published: FDR"}
)",
                network_level("System - Cluster", "1.5") + network_level("Switch", "1.4"));

/// Its fabric.txt.
inline const std::string kSwitchesFile = R"(strata.fabric/1
switch leaf1
switch leaf2
switch leaf3
switch top1
switch top2
link leaf1 top1 4xEDR 1
link leaf1 top2 4xFDR 2
link leaf2 top1 4xEDR 1
link leaf2 top2 4xFDR 1
link leaf3 top1 4xEDR 1
link leaf3 top2 4xFDR 1
node n0 leaf1 0
node n1 leaf1 1
node n2 leaf1 2
node n3 leaf2 3
node n4 leaf2 4
node n5 leaf3 5
)";

/// `text` with its first `from` replaced. Throws if there is no `from`, which is an error of the test.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("no '" + from + "' to replace");
  return text.replace(at, from.size(), to);
}

/// The machine with `routing: WORD`.
inline std::string routed(const std::string& machine, const std::string& word) {
  const std::string network = "network: {", shape = ": {";
  const size_t at = machine.find(shape, machine.find(network) + network.size()) + shape.size();
  return machine.substr(0, at) + "routing: " + word + ", " + machine.substr(at);
}

}  // namespace strata
