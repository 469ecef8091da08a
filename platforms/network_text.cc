// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/network_text.h"

#include <fmt/format.h>

#include <vector>

#include "platforms/port_places.h"

namespace strata {

std::string describe(const NetworkPorts& ports) {
  return fmt::format("{} ports a node, at {}, {} {} each", ports.at.size(), fmt::join(ports.at, ", "),
                     ports.bandwidth.value, ports.bandwidth.unit);
}

std::string network_text(const Machine& m) {
  const std::string shape = m.fabric ? m.fabric->describe() : "";
  if (!m.ports) return shape;
  return (shape.empty() ? "" : shape + "; ") + describe(*m.ports);
}

std::map<int, std::string> port_labels(const Machine& machine) {
  if (!machine.ports) return {};
  const PortPlaces places(machine);
  std::map<int, std::vector<int>> at;  // by vertex
  for (int port = 0; port < places.count(); ++port) at[places.vertex(port)].push_back(port % places.per_node());
  const Figure& bandwidth = machine.ports->bandwidth;
  std::map<int, std::string> labels;
  for (const auto& [vertex, ports] : at) {
    const bool one = ports.size() == 1;
    labels[vertex] = fmt::format("{} {}: {} {}{}", one ? "port" : "ports", fmt::join(ports, ", "), bandwidth.value,
                                 bandwidth.unit, one ? "" : " each");
  }
  return labels;
}

}  // namespace strata
