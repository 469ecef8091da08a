// SPDX-License-Identifier: LGPL-2.1-only
#include "tests/benchmarks/simulated.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "platforms/node_tree.h"
#include "platforms/placement.h"
#include "sim/launcher/installation.h"
#include "sim/launcher/simulation.h"

namespace strata::benchmarks {

std::string benchmark_program(const std::string& name) {
  return (sim::find_installation().plugin.parent_path().parent_path().parent_path() / "tests/benchmarks" / name)
      .string();
}

Usage run_simulated(const Machine& machine, int ranks, const std::string& program,
                    const std::vector<std::string>& arguments, double time_limit_s,
                    const std::filesystem::path& record) {
  const sim::ScratchFolder scratch;
  sim::Stage stage = sim::prepare_stage(machine, {place(*machine.topology, ranks)}, scratch.path(),
                                        sim::find_installation(), program, time_limit_s);
  stage.catalog_program = true;  // the benchmarks' programs have no mutable globals either
  return run_in_child([&] {
    Json lines = Json::array();
    sim::run_simulations({stage}, {{.arguments = arguments, .output = scratch.path() / "output", .record = record}}, 1,
                         [&](size_t, const sim::Outcome& outcome) {
                           if (!outcome.failure.empty()) throw std::runtime_error(outcome.failure);
                           for (const Json& line : outcome.lines) lines.push_back(line);
                           return true;
                         });
    return lines.dump();
  });
}

Machine ntw10e5_of(int nodes) {
  Machine machine = find_machine("ntw10e5", sim::find_installation().machines);
  machine.network.nodes = nodes;
  machine.topology = flat_cluster(import_node_xml(machine.node.xml.string()), nodes);
  return machine;
}

Machine wide_nodes(int nodes) {
  return machine_from_tree("node:" + std::to_string(nodes) + " pack:2 [numa] l3:8 core:8 pu:1");
}

Machine wide_nodes_with_l2(int nodes) {
  return machine_from_tree("node:" + std::to_string(nodes) + " pack:2 [numa] l3:8 l2:4 core:2 pu:1");
}

Machine flat_nodes(int nodes) { return machine_from_tree("node:" + std::to_string(nodes) + " core:1 pu:1"); }

void write_flat_cluster(const std::filesystem::path& file, int hosts, double speed, double bandwidth, double latency) {
  std::ofstream out(file);
  out << fmt::format(
      "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\"><cluster id=\"flat\" prefix=\"host\" suffix=\"\" radical=\"0-{}\" "
      "speed=\"{:.0f}f\" bw=\"{:.0f}Bps\" lat=\"{:.3g}s\"/></platform>\n",
      hosts - 1, speed, bandwidth, latency);
  if (!out.flush()) throw std::runtime_error(file.string() + " cannot be written");
}

}  // namespace strata::benchmarks
