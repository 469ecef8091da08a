// SPDX-License-Identifier: LGPL-2.1-only
// The subcommands of `strata`. Each adds itself to the command line; its action returns the exit code.
//
// Exit codes: 0 done; 1 a check failed; 2 bad usage or input; 3 a simulation failed. Results go to stdout, everything
// else to stderr.
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
void add_collectives(cli::App& app, Action& action);
void add_hsplit(cli::App& app, Action& action);
void add_nodecart(cli::App& app, Action& action);
void add_map(cli::App& app, Action& action);
void add_matrix(cli::App& app, Action& action);
void add_model(cli::App& app, Action& action);
void add_splittree(cli::App& app, Action& action);
void add_probe(cli::App& app, Action& action);
void add_calibrate(cli::App& app, Action& action);
void add_mpi(cli::App& app, Action& action);
// Only in strata_check:
void add_check(cli::App& app, Action& action);
void add_merge_checks(cli::App& app, Action& action);

/// Options of `strata submit merge`, which both programs have: for folders of runs in strata, for documents of checks
/// in strata_check.
struct MergeOptions {
  std::vector<std::string> what;
  std::string out;
  bool json = false;

  /// Adds the subcommand with these options. `written`: what --out is.
  cli::App* add(cli::App& app, cli::Written written);
};

/// The description of check in `strata --help`.
inline constexpr const char* kCheckAbout =
    "Check algorithms on all small machines, MPI programs in all orders of messages, scenarios' results";

/// Options for a machine and the placement of ranks on it, the same in all commands.
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
  /// The same without --np.
  void add_policy(cli::App& app);

  /// Whether a machine was given, and whether any placement was given.
  bool has_machine() const { return !machine.empty() || !xml.empty(); }
  bool has_placement() const;
  /// Throws InputError, also if there is neither a machine nor XML.
  Machine load(const sim::Installation& installation) const;
  /// The bindings of the ranks: --np of them, or as many as a bindings file has, or one per core.
  std::vector<Binding> place_on(const Machine& machine) const;
};

/// Writes a file completely or not at all, and names it on stderr. Throws OutputError.
void write_and_tell(const std::string& file, const std::string& text);

/// The default number of simulations at a time: one per processor.
int default_jobs();

}  // namespace strata::command
