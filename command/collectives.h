// SPDX-License-Identifier: LGPL-2.1-only
// The subcommands of `strata collectives`, and the options that several of them have.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "collectives/rules/library.h"
#include "collectives/rules/rule_file.h"
#include "collectives/tuning/cell.h"
#include "command/command.h"

namespace strata::command {

void add_collectives_explain(cli::App& collectives, Action& action);
void add_collectives_tune(cli::App& collectives, Action& action);
void add_collectives_evaluate(cli::App& collectives, Action& action);

/// "8", "16K", "1M": K, M and G are powers of 1,024, as benchmarks of MPI count. Throws InputError.
std::int64_t read_size(const std::string& text, const std::string& option);

/// The library of --mpi. Throws InputError if its algorithms are not known here.
collectives::Library read_library(const std::string& mpi);
/// The operations that the environment keeps MPICH from composing (collectives/rules/mpich_variables.h); none for
/// other libraries. Throws InputError.
std::set<collectives::Operation> not_composed_by(const collectives::Library& library);

/// Of --mpi, in the help.
inline constexpr const char* kMpiHelp =
    "the library: openmpi-4.1 (default; with --trace, that of the recording), openmpi-5.0, mpich-4.0, mpich-4.2, or a "
    "release of them";
/// If neither --mpi nor a recording says another one.
inline constexpr const char* kUsualMpi = "openmpi-4.1";
/// "bcast", "allreduce", ...
std::vector<std::string> operation_names();

/// A grid of calls, and how they are timed: the options of tune and evaluate.
struct GridOptions {
  MachineOptions machine;
  std::string operations, ranks, bytes, trace, mpi, cells;
  int ranks_per_node = 0, jobs = default_jobs();
  double least_gain = 5, most_steps = 4;  // %, millions
  bool json = false;

  void add(cli::App& app);
};

/// The program whose calls the cells of a grid are (--trace).
struct CalledProgram {
  std::string name;
  int ranks = 0;
  std::vector<std::int64_t> calls;             // by cell
  std::map<std::string, std::int64_t> others;  // calls by function, of those to which no file of rules applies
  bool are_merged = false;                     // some sizes are means (collectives/tuning/called.h)
};

struct Grid {
  std::shared_ptr<const void> files;  // to which the machine refers, if a recording carries it
  Machine machine, uncontended;       // platforms/uncontended_machine.h
  collectives::Library library;
  std::set<collectives::Operation> not_composed;         // by MPICH's device, because of environment variables
  std::map<int, std::vector<int>> cores;                 // by number of ranks, then by rank
  std::map<int, std::vector<int>> nodes;                 // the same
  std::map<int, std::vector<std::vector<int>>> bridges;  // by number of ranks, as Collective::bridges
  std::vector<collectives::Cell> cells;                  // in the order of operations, ranks and sizes
  std::int64_t most_steps = 0;
  double least_gain = 0;     // a part of 1
  std::uint64_t inputs = 0;  // a hash of all that determines the times
  std::optional<CalledProgram> program = {};
};

/// Throws InputError, and sim::SimulationFailed if an archive has to be simulated to know its calls.
Grid grid_of(const GridOptions& options);

}  // namespace strata::command
