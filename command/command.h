// SPDX-License-Identifier: LGPL-2.1-only
// The subcommands of `strata`: each adds itself to the command line and returns the exit code when it is run.
//
// Exit codes: 0 done; 1 a check failed; 2 bad usage or input; 3 a simulation failed. Results go to stdout, the rest to
// stderr.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "platforms/machine.h"
#include "platforms/placement.h"
#include "sim/launcher/installation.h"
#include "third_party/cli/cli.h"

namespace strata::command {

/// The action of the chosen subcommand; set by its callback.
using Action = std::function<int()>;

void add_quickstart(cli::App& app, Action& action);
void add_machines(cli::App& app, Action& action);
void add_topo(cli::App& app, Action& action);
void add_run(cli::App& app, Action& action);
void add_exec(cli::App& app, Action& action);
void add_submit(cli::App& app, Action& action);
void add_status(cli::App& app, Action& action);
void add_replay(cli::App& app, Action& action);
void add_merge(cli::App& app, Action& action);
void add_report(cli::App& app, Action& action);
void add_compare(cli::App& app, Action& action);
void add_timeline(cli::App& app, Action& action);
void add_trace(cli::App& app, Action& action);
void add_hsplit(cli::App& app, Action& action);
void add_nodecart(cli::App& app, Action& action);
void add_map(cli::App& app, Action& action);
void add_matrix(cli::App& app, Action& action);
void add_model(cli::App& app, Action& action);
void add_splittree(cli::App& app, Action& action);
void add_probe(cli::App& app, Action& action);
void add_calibrate(cli::App& app, Action& action);
void add_mpi(cli::App& app, Action& action);
// In strata_check:
void add_check(cli::App& app, Action& action);
void add_merge_checks(cli::App& app, Action& action);

/// Of `strata merge`, which is in both programs: folders of runs in strata, documents of checks in strata_check.
struct MergeOptions {
  std::vector<std::string> what;
  std::string out;
  bool json = false;

  /// The subcommand with these options.
  cli::App* add(cli::App& app);
};

/// What `strata --help` says of check.
inline constexpr const char* kCheckAbout =
    "Check algorithms on all small machines, MPI programs in all orders of messages, scenarios' results";

/// Options that name a machine and where ranks are on it, the same for every command that takes them.
struct MachineOptions {
  std::string machine, xml;
  int nodes = 1;
  int np = 0;
  PlacementOptions placement;
  std::string allocation, bindings;

  /// Adds --machine, --xml and --nodes.
  void add_machine(cli::App& app);
  /// Adds --np, --map-by, --bind-to, --oversubscribe, --allocation and --bindings.
  void add_placement(cli::App& app);

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
