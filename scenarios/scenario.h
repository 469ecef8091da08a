// SPDX-License-Identifier: LGPL-2.1-only
// A scenario: what to run on which machine, with which ranks where, and what to make of the measurements. A YAML file,
// such as catalog/quickstart.yaml; its keys are in scenario_keys.cc and docs/reference/scenario.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "platforms/placement.h"
#include "platforms/what_if.h"
#include "records/study.h"
#include "scenarios/figure_changes.h"

namespace strata {

struct Scenario {
  std::filesystem::path file;
  Study study;                   // ranks 0: one for each core, or as the sweep says; its program as the file names it
  std::string program;           // the same, a path relative to the working directory where it is one
  std::string source;            // where to get the program, in words
  std::filesystem::path folder;  // where the program runs; empty: in a folder of each point's own
  std::string machine;           // name or path; empty where `xml` is given
  std::filesystem::path xml;
  int nodes = 1;
  std::vector<WhatIf> what_ifs;                 // changes of its figures
  std::vector<SweptFigure> swept_figures = {};  // changes that differ from point to point
  PlacementOptions mapping;
  std::filesystem::path bindings;  // instead of `mapping` where not empty
  std::uint64_t seed = 1;
  double time_limit_s = 600;
};

/// Reads a scenario and applies settings of the form `key=value`: an axis of the sweep (`elements=1,10,100`), a key
/// that docs/reference/scenario.md says `--set` takes, what_if.FIGURE (`what_if.eager_limit=8KiB`, `what_if.System -
/// Cluster.latency=0.25x`), or the option of the reference, whose value is then not measured. Paths in the file are
/// relative to it, those in settings to the working directory. Throws InputError with file, line and remedy, or naming
/// the setting.
Scenario load_scenario(const std::filesystem::path& file, const std::vector<std::string>& settings = {});

/// How the machine of a point, with these parameters, differs from the scenario's. Throws InputError where a parameter
/// is not a number.
std::vector<WhatIf> what_ifs_at(const Scenario& scenario, const Json& parameters);

/// The scenarios of a catalog folder by name (file name without .yaml; those in subfolders as folder/name), sorted.
std::vector<std::string> scenario_names(const std::filesystem::path& catalog);

/// `spec` is a catalog name or a path. Throws InputError that lists the catalog.
std::filesystem::path find_scenario(const std::string& spec, const std::filesystem::path& catalog);

}  // namespace strata
