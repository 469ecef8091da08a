// SPDX-License-Identifier: LGPL-2.1-only
// strata mpi: creates an MPI installation whose programs are simulated.
#include "command/mpi.h"

#include <unistd.h>

#include <cstdio>
#include <memory>
#include <string>

#include "command/command.h"
#include "toolchain/prefix.h"

namespace strata::command {
namespace {

struct MpiOptions {
  MachineOptions machine;
  std::string prefix;
};

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

void add_mpi(cli::App& app, Action& action) {
  auto options = std::make_shared<MpiOptions>();
  cli::App* sub = app.add_subcommand("mpi", "Make an MPI installation that simulates: mpicc, mpifort, mpirun");
  options->machine.add_machine(*sub);
  sub->add_option("--prefix", options->prefix, "its folder (default: one per machine, in the cache folder)")
      ->writes(cli::Written::kFolder);
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
