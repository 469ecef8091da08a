// SPDX-License-Identifier: LGPL-2.1-only
// A scenario: a program to run, the machine and the placement of ranks, and the evaluation of the measurements. It is a
// YAML file such as catalog/quickstart.yaml; its keys are in scenario_keys.cc and docs/reference/scenario.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "platforms/placement.h"
#include "platforms/what_if.h"
#include "records/study.h"
#include "scenarios/figure_changes.h"

namespace strata {

struct Scenario {
  std::filesystem::path file;
  Study study;                   // ranks 0: one per core, or as the sweep says; its program as named in the file
  std::string program;           // the same; if it is a path, relative to the working directory
  std::string source;            // instructions for getting the program
  std::filesystem::path folder;  // where the program runs; empty: in a separate folder for each point
  std::string machine;           // name or path; empty if `xml` is given
  std::filesystem::path xml;
  int nodes = 1;
  std::vector<WhatIf> what_ifs;                 // changes of its figures
  std::vector<SweptFigure> swept_figures = {};  // changes that vary from point to point
  PlacementOptions mapping;
  std::filesystem::path bindings;                           // replaces `mapping` if not empty
  std::map<std::string, std::filesystem::path> rules = {};  // files of rules, by how they are written
  std::uint64_t seed = 1;
  double time_limit_s = 600;
};

/// Reads a scenario and applies settings of the form `key=value`. A setting is an axis of the sweep
/// (`elements=1,10,100`), a key that `--set` accepts according to docs/reference/scenario.md, what_if.FIGURE
/// (`what_if.eager_limit=8KiB`, `what_if.System - Cluster.latency=0.25x`), or the option of the reference, whose value
/// is then not measured. Paths in the file are relative to it, those in settings to the working directory. Throws
/// InputError with file, line and remedy, or naming the setting.
Scenario load_scenario(const std::filesystem::path& file, const std::vector<std::string>& settings = {});

/// The differences between the scenario's machine and that of a point with these parameters. Throws InputError if a
/// parameter is not a number.
std::vector<WhatIf> what_ifs_at(const Scenario& scenario, const Json& parameters);

/// The scenarios in a catalog folder by name (file name without .yaml; in subfolders folder/name), sorted.
std::vector<std::string> scenario_names(const std::filesystem::path& catalog);

/// `spec`: a name from the catalog, or a path. Throws InputError that lists the catalog.
std::filesystem::path find_scenario(const std::string& spec, const std::filesystem::path& catalog);

}  // namespace strata
