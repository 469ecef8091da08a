// SPDX-License-Identifier: LGPL-2.1-only
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "command/command.h"
#include "command/mpi.h"
#include "toolchain/prefix.h"

namespace strata::command {

namespace fs = std::filesystem;

namespace {

fs::path real(const std::string& file) { return fs::weakly_canonical(fs::absolute(file)); }

// The arguments that select the machine in strata exec, from any folder, and the name of its default prefix.
struct NamedMachine {
  std::vector<std::string> words;
  std::string name;
};

NamedMachine named(const MachineOptions& options) {
  // Files with the same name in different folders are different machines.
  const auto name = [](const fs::path& file, const std::string& rest) {
    return file.stem().string() + "-" + std::to_string(std::hash<std::string>{}(file.string() + rest) % 1000000);
  };
  if (!options.xml.empty()) {
    const std::string nodes = std::to_string(options.nodes), file = real(options.xml);
    return {{"--xml", file, "--nodes", nodes}, name(file, nodes)};
  }
  // The same distinction between names and paths as in find_machine (platforms/machine.h).
  if (options.machine.find('/') == std::string::npos && !options.machine.ends_with(".yaml"))
    return {{"--machine", options.machine}, options.machine};
  const std::string file = real(options.machine);
  return {{"--machine", file}, name(file, "")};
}

}  // namespace

MpiInstallation make_mpi(const MachineOptions& options, const std::string& prefix) {
  const auto installation = sim::find_installation();
  options.load(installation);  // checks that the machine is valid
  const NamedMachine machine = named(options);
  const fs::path folder = real(prefix.empty() ? sim::cache_folder() / "mpi" / machine.name : fs::path(prefix));
  toolchain::write_prefix(folder,
                          {.scripts = installation.toolchain,
                           .libraries = installation.toolchain,
                           .supply = installation.supply,
                           .strata = sim::find_strata()},
                          machine.words);
  return {.prefix = folder, .machine = machine.words};
}

}  // namespace strata::command
