// Two small machines whose networks are no trees, as their machine.yaml; nodes of four cores. Tests change a part of
// it.
#pragma once

#include <stdexcept>
#include <string>

namespace strata {

/// 24 routers of two nodes, 192 cores. Between nodes a message alone gets 2 GB/s and the injection is 6 GB/s.
inline const std::string kTorusYaml = R"(schema: strata.machine/1
name: small-torus
description: a torus that is open in z
source: "assumed: a test"
node: {synthetic: "[numa] core:4 pu:1"}
network: {torus: {dims: [4, 3, 2], wrap: [true, true, false], nodes_per_router: 2, router: Gemini}}
costs:
  core:
    speed: {value: 2, unit: Gflop/s, source: measured}
    copy_bandwidth: {value: 10, unit: GB/s, source: measured}
  eager_limit: {value: 4, unit: KiB, source: measured}
  torus:
    hop_latency: {value: 100, unit: ns, source: "published: per hop"}
    injection: {value: 6, unit: GB/s, source: "published: the card"}
    links:
      - {value: 4.5, unit: GB/s, source: "published: x"}
      - {value: 3, unit: GB/s, source: "published: y"}
      - {value: 6, unit: GB/s, source: "published: z"}
  levels:
    - level: System - Cluster
      latency: {value: 1.5, unit: us, source: measured}
      overhead: {value: 0.5, unit: us, source: measured}
      bandwidth: {value: 2, unit: GB/s, source: measured}
    - level: Gemini
      latency: {value: 1.4, unit: us, source: measured}
      overhead: {value: 0.5, unit: us, source: measured}
      bandwidth: {value: 2, unit: GB/s, source: measured}
    - level: NUMANode
      latency: {value: 0.7, unit: us, source: measured}
      overhead: {value: 0.3, unit: us, source: measured}
      bandwidth: {value: 5, unit: GB/s, source: measured}
      link_bandwidth: {value: 20, unit: GB/s, source: measured}
)";

/// 12 routers of two nodes, 96 cores; the same figures between nodes.
inline const std::string kDragonflyYaml = R"(schema: strata.machine/1
name: small-dragonfly
description: two groups of two rows of three routers
source: "assumed: a test"
node: {synthetic: "[numa] core:4 pu:1"}
network: {dragonfly: {groups: 2, rows: 2, columns: 3, nodes_per_router: 2, global_links: 2, row: Blade, router: Aries}}
costs:
  core:
    speed: {value: 2, unit: Gflop/s, source: measured}
    copy_bandwidth: {value: 10, unit: GB/s, source: measured}
  eager_limit: {value: 4, unit: KiB, source: measured}
  dragonfly:
    hop_latency: {value: 100, unit: ns, source: "published: per hop"}
    injection: {value: 6, unit: GB/s, source: "published: the card"}
    row: {value: 4.5, unit: GB/s, source: "published: row"}
    column: {value: 9, unit: GB/s, source: "published: column"}
    global: {value: 3, unit: GB/s, source: "published: global"}
  levels:
    - level: System - Cluster
      latency: {value: 1.5, unit: us, source: measured}
      overhead: {value: 0.5, unit: us, source: measured}
      bandwidth: {value: 2, unit: GB/s, source: measured}
    - level: Group
      latency: {value: 1.5, unit: us, source: measured}
      overhead: {value: 0.5, unit: us, source: measured}
      bandwidth: {value: 2, unit: GB/s, source: measured}
    - level: Blade
      latency: {value: 1.5, unit: us, source: measured}
      overhead: {value: 0.5, unit: us, source: measured}
      bandwidth: {value: 2, unit: GB/s, source: measured}
    - level: Aries
      latency: {value: 1.4, unit: us, source: measured}
      overhead: {value: 0.5, unit: us, source: measured}
      bandwidth: {value: 2, unit: GB/s, source: measured}
    - level: NUMANode
      latency: {value: 0.7, unit: us, source: measured}
      overhead: {value: 0.3, unit: us, source: measured}
      bandwidth: {value: 5, unit: GB/s, source: measured}
      link_bandwidth: {value: 20, unit: GB/s, source: measured}
)";

/// `text` with the first `from` in it replaced. Throws where there is none: a test's own fault.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("no '" + from + "' to replace");
  return text.replace(at, from.size(), to);
}

}  // namespace strata
