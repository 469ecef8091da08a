// SPDX-License-Identifier: LGPL-2.1-only
// The scenario files of these tests, and a folder in which one is loaded:
//
//   EXPECT_EQ(error(with("ranks: 12", "ranks: 0")), "a scenario.yaml:8: ranks: '0' is not a whole number ...");
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "scenarios/scenario.h"

namespace strata {

// With every key.
inline constexpr const char* kWhole = R"(# a comment
schema: strata.scenario/1
name: whole
title: All that a scenario may say
machine: ../machines/mine.yaml
program: ./prog.so
arguments: [--root, 0]
ranks: 12
mapping: {map_by: numa, bind_to: l3, oversubscribe: true}
sweep:
  algorithm: [linear, binomial]
  elements: [1, 1e6, 0.5, 007, -3]
  variant: native
metric: {name: time, unit: s}
also: [{name: computing, unit: s}, {name: traffic, unit: B}]
derived:
  - {name: gain, axis: algorithm, over: linear, under: binomial}
  - {name: loss, title: what is lost, axis: algorithm, over: binomial, under: linear, metric: computing}
models: {hockney: 0.02, loggp: 0.5}
plots:
  - {name: p1, title: T, x: elements, y: gain, series: [algorithm], log_x: false, log_y: true}
  - {name: p2, title: U, x: elements, y: time}
  - {name: p3, title: V, x: algorithm, y: time, stack: [computing]}
  - {name: p4, title: W, x: elements, y: algorithm, heat: gain}
claims:
  - {id: c1, paper: P, text: t, quantity: gain, over: max, where: {elements: 1}, value: 21, factor: 1.25, note: n}
  - {id: c2, paper: P, text: t, quantity: time, over: min, value: 0.5, factor: 1, missing: memory}
  - {id: c3, paper: P, text: t, quantity: computing, over: spread, value: 1, relation: at_most}
  - {id: c4, paper: P, text: t, quantity: gain, over: share_gaining, where: {elements: [1, 0.5]}, value: 0.9,
     relation: at_least}
seed: 9007199254740992
time_limit: 30
traces: true
traffic: 10 ms
error_bars: true
source: "from somewhere"
build: make CC=mpicc
folder: my input
)";

// With cases, ranks on an axis, and a reference.
inline constexpr const char* kPlacing = R"(schema: strata.scenario/1
name: placing
title: What places ranks, cases and a reference
machine: mine
program: nbc
mapping: {map_by: spread}
sweep:
  ranks: [2, 62]
  library:
    ours: {steps: auto, progress: numa}
    bound: {progress: bind, steps: 0}
metric: {name: time, unit: s}
reference: {ranks: all, arguments: [--steps, blocking], metric: effort, option: work}
)";

class ScenarioFile : public ::testing::Test {
 protected:
  ScenarioFile() : folder_(std::filesystem::path(std::getenv("TEST_TMPDIR")) / "scenarios") {
    std::filesystem::create_directories(folder_);
    file_ = folder_ / "a scenario.yaml";
  }
  Scenario load(const std::string& text, const std::vector<std::string>& settings = {}) {
    std::ofstream(file_) << text;
    return load_scenario(file_, settings);
  }
  // The error message of loading without the folder; "" if it loads.
  std::string error(const std::string& text, const std::vector<std::string>& settings = {}) {
    try {
      load(text, settings);
      return "";
    } catch (const InputError& e) {
      const std::string message = e.what();
      return message.rfind(folder_.string() + "/", 0) == 0 ? message.substr(folder_.string().size() + 1) : message;
    }
  }
  // kWhole with one piece of text replaced.
  static std::string with(const std::string& old, const std::string& fresh) {
    std::string text = kWhole;
    const size_t at = text.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    return text.replace(at, old.size(), fresh);
  }

  std::filesystem::path folder_, file_;
};

}  // namespace strata
