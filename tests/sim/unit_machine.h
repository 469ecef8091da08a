// SPDX-License-Identifier: LGPL-2.1-only
// A machine on which the times of a program follow by hand, and a fixture that runs programs on it.
//
// Every figure of the machine is 1. A message of m bytes occupies its sender for 1 us (the overhead, which is the whole
// latency) and arrives m + 16 ns later (1 GB/s, an envelope of 16 B) if it does not share links. A core executes a flop
// or copies a byte in 1 ns. Messages of at least 1 KiB wait for their receiver.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/command/strata_process.h"

namespace strata {

inline constexpr double kNs = 1e-9;          // s
inline constexpr double kTolerance = 1e-14;  // s: clocks show a few seconds, which doubles resolve to 1e-15

// Two nodes with two L3 of two cores each.
inline std::string unit_machine() {
  const auto figure = [](const char* name, const char* unit) {
    return std::string(name) + ": {value: 1, unit: " + unit + ", source: measured}";
  };
  std::string text =
      "schema: strata.machine/1\nname: ones\ndescription: eight cores\nsource: none\n"
      "node: {synthetic: \"l3:2 core:2 pu:1\"}\nnetwork: {nodes: 2}\ncosts:\n  core: {" +
      figure("speed", "Gflop/s") + ", " + figure("copy_bandwidth", "GB/s") + "}\n  " + figure("eager_limit", "KiB") +
      "\n  levels:\n";
  for (const char* level : {"System - Cluster", "NUMANode", "L3"}) {  // hwloc adds a NUMA node below the machine
    text += std::string("    - {level: ") + level + ", " + figure("latency", "us") + ", " + figure("overhead", "us") +
            ", " + figure("bandwidth", "GB/s") + ", " + figure("link_bandwidth", "GB/s") + "}\n";
  }
  return text;
}

class UnitMachine : public ::testing::Test {
 protected:
  UnitMachine() { folder_.write("machine.yaml", unit_machine()); }

  // Runs the program over a sweep with two axes. Returns the values of each metric by point, for example "variant 8".
  std::map<std::string, std::map<std::string, double>> run(const std::string& program, int ranks,
                                                           const std::string& sweep, const std::string& also = "") {
    const std::string scenario = folder_.write(
        "scenario.yaml",
        "schema: strata.scenario/1\nname: p\ntitle: a program\nmachine: ./machine.yaml\nprogram: " + program +
            "\nranks: " + std::to_string(ranks) + "\nsweep: {" + sweep + "}\nmetric: {name: time, unit: s}\n" + also);
    const std::string out = folder_.path() / ("out" + std::to_string(runs_++));
    ran_ = run_strata({"run", scenario, "--out", out});
    std::map<std::string, std::map<std::string, double>> values;
    if (ran_.code != 0) return values;
    for (const std::string& line : lines_of(read_text(out + "/records.jsonl"))) {
      if (line.empty()) continue;
      const nlohmann::ordered_json record = nlohmann::ordered_json::parse(line);
      std::string point;
      for (const auto& [name, value] : record["parameters"].items()) {
        point += (point.empty() ? "" : " ") + (value.is_string() ? value.get<std::string>() : value.dump());
      }
      values[record["metric"]][point] = record["value"];
    }
    return values;
  }

  TemporaryFolder folder_;
  Ran ran_;
  int runs_ = 0;
};

}  // namespace strata
