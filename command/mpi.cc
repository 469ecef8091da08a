// SPDX-License-Identifier: LGPL-2.1-only
// strata mpi: creates an MPI installation whose programs are simulated.
#include "command/mpi.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>

#include "command/command.h"
#include "platforms/error.h"
#include "toolchain/prefix.h"

namespace strata::command {
namespace {

namespace fs = std::filesystem;

struct MpiOptions {
  MachineOptions machine;
  std::string prefix;
};

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

int make(const MpiOptions& options) {
  const MpiInstallation made = make_mpi(options.machine, options.prefix);
  std::fputs(toolchain::shell_settings(made.prefix).c_str(), stdout);
  std::fprintf(stderr, "strata: MPI for %s is in %s\n", made.machine[1].c_str(), made.prefix.c_str());
  if (::isatty(STDOUT_FILENO))
    std::fprintf(stderr, "strata: to use it in this shell: eval \"$(strata mpi %s %s)\"\n", made.machine[0].c_str(),
                 toolchain::quoted(made.machine[1]).c_str());
  return 0;
}

}  // namespace

MpiInstallation make_mpi(const MachineOptions& options, const std::string& prefix) {
  const auto installation = sim::find_installation();
  options.load(installation);  // checks that the machine is valid
  const NamedMachine machine = named(options);
  const fs::path folder = real(prefix.empty() ? sim::cache_folder() / "mpi" / machine.name : fs::path(prefix));
  std::error_code none;
  toolchain::write_prefix(folder,
                          {.scripts = installation.toolchain,
                           .libraries = installation.toolchain,
                           .supply = installation.supply,
                           .supply_header = installation.supply_header,
                           .strata = fs::read_symlink("/proc/self/exe", none)},
                          machine.words);
  return {.prefix = folder, .machine = machine.words};
}

void add_mpi(cli::App& app, Action& action) {
  auto options = std::make_shared<MpiOptions>();
  cli::App* sub = app.add_subcommand("mpi", "Make an MPI installation that simulates: mpicc, mpifort, mpirun");
  options->machine.add_machine(*sub);
  sub->add_option("--prefix", options->prefix, "its folder (default: one per machine, in the cache folder)");
  sub->footer(
      "It prints what a shell has to evaluate.\n\n"
      "Examples:\n"
      "  strata mpi --machine theta                # what the next line evaluates\n"
      "  eval \"$(strata mpi --machine theta)\"\n"
      "  ./configure && make                       # or cmake: FindMPI finds it\n"
      "  mpirun -np 512 ./app input.dat            # strata exec --machine theta -n 512 -- ./app input.dat\n\n"
      "  eval \"$(strata mpi --xml node.xml --nodes 4 --prefix ~/mpi-on-4-nodes)\"\n"
      "  mpicc -O2 -o app app.c && mpirun -np 8 --machine ntw10e5 ./app");
  sub->callback([options, &action] { action = [options] { return make(*options); }; });
}

}  // namespace strata::command
