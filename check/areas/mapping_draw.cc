// SPDX-License-Identifier: LGPL-2.1-only
// Draws a mapping: the place of each process, its ranks before and with each method, and the bytes between ranks.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "check/areas/mapping_domain.h"
#include "check/areas/small_topology.h"
#include "platforms/draw_svg.h"

namespace strata::check {
namespace {

std::string name_of_vertex(const SmallMachine& machine, int v) {
  switch (letter_of(machine, v)) {
    case 's':
      return v == 0 ? "network" : "switch";
    case 'm':
      return fmt::format("node {}", machine.node[v]);
    case 'o':
      return "group";
    default:
      return "core";
  }
}

// The processes on a vertex, with old and new ranks: "0 -> 2  3 -> 1".
std::string processes_on(const MappingCase& c, int v, const std::vector<int>& new_rank) {
  std::string text;
  for (int r = 0; r < c.ranks(); ++r) {
    if (c.place[r] == v) text += fmt::format("{}{} -> {}", text.empty() ? "" : "  ", r, new_rank[r]);
  }
  return text;
}

std::string tree_text(const MappingCase& c, const std::vector<std::string>& processes) {
  std::string text;
  for (int v = 0; v < c.machine.size(); ++v) {
    text += std::string(2 * c.machine.depth[v], ' ') + name_of_vertex(c.machine, v);
    text += (processes[v].empty() ? "" : "  ") + processes[v] + '\n';
  }
  return text;
}

// Larger matrices are not readable.
constexpr int kMostRows = 24;

std::string matrix_text(const MappingCase& c) {
  if (c.ranks() > kMostRows) return fmt::format("{} entries\n", c.flows.size());
  const std::vector<double> bytes = dense(c.ranks(), c.flows);
  size_t width = 1;
  for (double b : bytes) width = std::max(width, fmt::format("{}", b).size());
  std::string text;
  for (int a = 0; a < c.ranks(); ++a) {
    for (int b = 0; b < c.ranks(); ++b) {
      const double its = bytes[static_cast<size_t>(a) * c.ranks() + b];
      text += fmt::format("{:>{}}", its == 0 ? "." : fmt::format("{}", its), width + (b == 0 ? 2 : 1));
    }
    text += '\n';
  }
  return text;
}

}  // namespace

Drawing draw_mapping(const MappingCase& c) {
  const MappingOutcome o = map_case(c);
  Drawing drawing;
  drawing.text = "bytes from rank (row) to rank (column)\n" + matrix_text(c);
  drawing.text += "the machine; processes by old rank -> the rank that treematch gives them\n";
  std::vector<std::string> processes;
  for (int v = 0; v < c.machine.size(); ++v)
    processes.push_back(processes_on(c, v, o.of(mpix::MapMethod::kTreeMatch).new_rank));
  drawing.text += tree_text(c, processes);
  for (const Mapped& m : o.mapped) {
    drawing.text += fmt::format("{:<10}  {} hop-bytes ", name_of(m.method), m.cost);
    for (int rank : m.new_rank) drawing.text += fmt::format(" {}", rank);
    drawing.text += '\n';
  }
  if (o.least) drawing.text += fmt::format("{:<10}  {} hop-bytes\n", "least", *o.least);
  drawing.svg = draw_svg(small_topology(c.machine, processes).topology);
  return drawing;
}

}  // namespace strata::check
