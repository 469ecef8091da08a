// The subcommands of `strata`: each adds itself to the command line and returns the exit code when it is run.
//
// Exit codes: 0 done; 1 a check failed; 2 bad usage or input; 3 a simulation failed. Results go to stdout, the rest to
// stderr.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "platforms/machine.h"
#include "platforms/placement.h"
#include "sim/launcher/installation.h"

namespace strata::command {

/// The action of the chosen subcommand; set by its callback.
using Action = std::function<int()>;

void add_quickstart(CLI::App& app, Action& action);
void add_machines(CLI::App& app, Action& action);
void add_topo(CLI::App& app, Action& action);
void add_run(CLI::App& app, Action& action);
void add_report(CLI::App& app, Action& action);
void add_hsplit(CLI::App& app, Action& action);
void add_nodecart(CLI::App& app, Action& action);
void add_map(CLI::App& app, Action& action);
void add_matrix(CLI::App& app, Action& action);
void add_model(CLI::App& app, Action& action);
void add_splittree(CLI::App& app, Action& action);
void add_check(CLI::App& app, Action& action);

/// Options that name a machine and where ranks are on it, the same for every command that takes them.
struct MachineOptions {
  std::string machine, xml;
  int nodes = 1;
  int np = 0;
  PlacementOptions placement;
  std::string bindings;

  /// Adds --machine, --xml and --nodes.
  void add_machine(CLI::App& app);
  /// Adds --np, --map-by, --bind-to, --oversubscribe and --bindings.
  void add_placement(CLI::App& app);

  /// Whether there is a machine, and whether anything says where on it the ranks are.
  bool has_machine() const { return !machine.empty() || !xml.empty(); }
  bool has_placement() const;
  /// Throws InputError. Without machine and XML too.
  Machine load(const sim::Installation& installation) const;
  /// Ranks: --np of them, as many as a bindings file has, or one a core.
  std::vector<Binding> place_on(const Machine& machine) const;
};

/// Writes a file whole or not at all, and says so on stderr. Throws OutputError.
void write_and_tell(const std::string& file, const std::string& text);

/// Default number of simulations at a time: one per processor.
int default_jobs();

}  // namespace strata::command
