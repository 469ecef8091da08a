// SPDX-License-Identifier: LGPL-2.1-only
#include "command/run_study.h"

#include "command/command.h"
#include "command/mpi.h"
#include "models/crosscheck.h"

namespace strata::command {

namespace fs = std::filesystem;

namespace {

// The folder with the compilers of strata mpi for the scenario's machine, if the scenario builds its program.
fs::path compilers_for(const Scenario& scenario) {
  if (scenario.study.build.empty()) return {};
  MachineOptions machine;
  machine.machine = scenario.machine;
  machine.xml = scenario.xml;
  machine.nodes = scenario.nodes;
  return make_mpi(machine).prefix / "bin";
}

}  // namespace

Scenario load_study(const std::string& name, const std::vector<std::string>& settings,
                    const sim::Installation& installation) {
  Scenario scenario = load_scenario(find_scenario(name, installation.scenarios), settings);
  models::require_known_models(scenario.study, scenario.file.string());  // fail before anything runs
  return scenario;
}

fs::path results_folder(const std::string& name, const std::string& out, bool several) {
  const fs::path stem = fs::path(name).stem();
  if (out.empty()) return "strata-out" / stem;
  return several ? fs::path(out) / stem : fs::path(out);
}

Results run_study(const Scenario& scenario, const std::string& name, const std::vector<std::string>& settings,
                  sim::RunOptions options, const sim::Installation& installation) {
  options.command_line = {"strata", "run", name};
  for (const std::string& setting : settings) {
    options.command_line.push_back("--set");
    options.command_line.push_back(setting);
  }
  options.compilers = compilers_for(scenario);
  return sim::run_scenario(scenario, sim::machine_of(scenario, installation), installation, options);
}

}  // namespace strata::command
