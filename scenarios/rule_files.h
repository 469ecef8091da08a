// SPDX-License-Identifier: LGPL-2.1-only
// The files of rules of a scenario, by which an MPI library chooses the algorithms of its collectives. They are read
// once, before the first point:
//
//   const RuleFiles rules = read_rule_files(load_scenario("study.yaml"));
//   rules.at("rules.conf").text
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "records/launch.h"
#include "scenarios/scenario.h"

namespace strata {

/// By name, as written in the scenario.
using RuleFiles = std::map<std::string, GivenRules>;

/// Reads a file for the library `mpi`, such as openmpi-4.1, which `where` names. Throws InputError with file and line,
/// as collectives/rules/read_rules.h.
GivenRules read_given_rules(const std::filesystem::path& file, const std::string& mpi, const std::string& where);

/// Reads those of all points. Throws InputError, also if no point has a library that reads them.
RuleFiles read_rule_files(const Scenario& scenario);

/// Says where the files are that the scenario has named so far, and that are not known yet: in this folder.
void find_rule_files(const std::filesystem::path& folder, Scenario& scenario);

}  // namespace strata
