// SPDX-License-Identifier: LGPL-2.1-only
// The grid of calls of `strata collectives tune` and `evaluate`, from options such as
//
//   --op bcast,allreduce -n 16,64,240 --bytes 8,1K..64K       1K..64K: 1K, 2K, 4K, ..., 64K
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/fnv.h"
#include "base/input_file.h"
#include "collectives/chosen/chosen.h"
#include "collectives/rules/mpich_variables.h"
#include "collectives/tuning/called.h"
#include "command/collectives.h"
#include "command/trace_input.h"
#include "command/traced.h"
#include "models/hierarchy.h"
#include "platforms/placement.h"
#include "platforms/uncontended_machine.h"

namespace strata::command {

using namespace collectives;  // NOLINT(google-build-using-namespace): the whole file is about them

namespace {

// Increase it when the schedules or the replay change: then cells files have other times for the same inputs.
constexpr int kTimesVersion = 1;

constexpr int kFewestRanks = 4;  // by default
constexpr std::int64_t kMillion = 1'000'000;

std::vector<std::string> words_of(const std::string& text, const std::string& option) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    if (end == at) throw InputError(option, fmt::format("'{}' has an empty part", text), "write for example 16,64,256");
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

// Of "a,b,c..d" where c..d are c, 2c, 4c, ..., up to d. Ascending, each once.
template <class Read>
std::set<std::int64_t> numbers_of(const std::string& text, const std::string& option, const Read& read) {
  std::set<std::int64_t> numbers;
  for (const std::string& word : words_of(text, option)) {
    const std::size_t dots = word.find("..");
    const std::int64_t first = read(word.substr(0, dots));
    const std::int64_t last = dots == std::string::npos ? first : read(word.substr(dots + 2));
    if (last < first || (dots != std::string::npos && first == 0)) {
      throw InputError(option, fmt::format("'{}' is not a range", word), "write the smaller end first, above 0: 1..8");
    }
    numbers.insert(first);
    for (std::int64_t n = 2 * first; n > 0 && n <= last; n *= 2) numbers.insert(n);
  }
  return numbers;
}

std::int64_t read_ranks(const std::string& text) {
  int ranks = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, ranks);
  if (error != std::errc() || rest != end || ranks < 2) {
    throw InputError("-n", fmt::format("'{}' is not a number of ranks", text),
                     "write numbers from 2 on, for example 16,64,256 or 16..256");
  }
  return ranks;
}

std::vector<Operation> operations_of(const std::string& text) {
  std::vector<Operation> operations;
  for (const std::string& word : words_of(text, "--op")) {
    const std::optional<Operation> operation = find_operation(word);
    if (!operation) {
      throw InputError("--op", fmt::format("there is no operation '{}'", word),
                       fmt::format("choose of {}", fmt::join(operation_names(), ", ")));
    }
    if (std::find(operations.begin(), operations.end(), *operation) == operations.end()) {
      operations.push_back(*operation);
    }
  }
  return operations;
}

// All cores, or --ranks-per-node of each node, in the order of the placement.
std::vector<Binding> limited_to_nodes(const GridOptions& o, const Machine& machine) {
  const std::vector<Binding> all = o.machine.place_on(machine);
  std::map<int, int> taken;
  std::vector<Binding> kept;
  for (const Binding& b : all) {
    if (taken[b.node]++ < o.ranks_per_node) kept.push_back(b);
  }
  return kept;
}

std::vector<Binding> places_of(const GridOptions& o, const Machine& machine, int ranks) {
  if (o.ranks_per_node == 0) {
    MachineOptions placed = o.machine;
    placed.np = ranks;
    return placed.place_on(machine);
  }
  std::vector<Binding> places = limited_to_nodes(o, machine);
  if (static_cast<int>(places.size()) < ranks) {
    throw InputError("-n",
                     fmt::format("{} ranks do not fit: {} nodes with {} ranks each are {}", ranks,
                                 machine.topology->num_nodes(), o.ranks_per_node, places.size()),
                     "choose fewer ranks, or more --ranks-per-node");
  }
  places.erase(places.begin() + ranks, places.end());
  return places;
}

std::set<std::int64_t> ranks_of(const GridOptions& o, const Machine& machine) {
  if (!o.ranks.empty()) return numbers_of(o.ranks, "-n", read_ranks);
  const auto cores = static_cast<std::int64_t>(machine.topology->cores().size());
  std::set<std::int64_t> ranks;
  for (std::int64_t n = kFewestRanks; n <= cores; n *= 4) ranks.insert(n);
  return ranks;
}

std::uint64_t hash_of(const GridOptions& o, const Grid& grid) {
  const PlacementOptions& p = o.machine.placement;
  const std::string bindings = o.machine.bindings.empty() ? "" : read_input(o.machine.bindings, "give a readable file");
  std::string inputs = fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n", kTimesVersion, machine_hash(grid.machine),
                                   title_of(grid.library), map_by_text(p), p.oversubscribe, o.machine.allocation,
                                   o.ranks_per_node, o.most_steps, bindings);
  for (const Operation operation : grid.not_composed) inputs += fmt::format("{}\n", device_variable(operation));
  if (grid.program) {  // its communicators may be anywhere
    for (const auto& [ranks, cores] : grid.cores) inputs += fmt::format("{}: {}\n", ranks, fmt::join(cores, " "));
  }
  return fnv1a(inputs);
}

// Without cells. `recorded`: the library of a recording; may be empty.
Grid empty_grid(const GridOptions& o, Machine machine, const std::string& recorded = "") {
  if (!(o.least_gain >= 0 && o.least_gain < 100)) {
    throw InputError("--least-gain", fmt::format("{} is not a part of the time in percent", o.least_gain),
                     "write a number from 0 to below 100");
  }
  Grid grid = {.files = {},
               .machine = std::move(machine),
               .uncontended = {},
               .library = read_library(!o.mpi.empty()                ? o.mpi
                                       : can_replace_smpis(recorded) ? recorded
                                                                     : kUsualMpi),
               .not_composed = {},
               .cores = {},
               .nodes = {},
               .bridges = {},
               .cells = {},
               .most_steps = static_cast<std::int64_t>(o.most_steps * kMillion),
               .least_gain = o.least_gain / 100,
               .inputs = 0};
  grid.uncontended = uncontended_machine(grid.machine);
  grid.not_composed = not_composed_by(grid.library);
  return grid;
}

void add_places(Grid& grid, const std::vector<Binding>& places) {
  const auto ranks = static_cast<int>(places.size());
  grid.cores[ranks] = core_indexes(*grid.machine.topology, places);
  for (const Binding& b : places) grid.nodes[ranks].push_back(b.node);
  grid.bridges[ranks] = models::topological_hierarchy(*grid.machine.topology, places).bridges;
}

[[noreturn]] void refuse_without_calls(const std::string& file) {
  throw InputError(file, "has no calls of blocking collectives on several ranks",
                   "record the program again (strata exec --record) if a version up to 0.7 recorded it; of other "
                   "formats, only archives of OTF2 have these calls");
}

Grid grid_of_program(const GridOptions& o) {
  TraceInput input = read_any_trace(o.trace, o.machine, sim::find_installation());
  const Called called = called_of(input.trace);
  if (called.cells.empty()) refuse_without_calls(o.trace);
  const std::vector<Binding> places = place_trace(o.machine, o.trace, input.machine, input.trace);
  Grid grid = empty_grid(o, std::move(input.machine), input.trace.library);
  grid.files = std::move(input.machine_folder);
  for (const auto& [ranks, members] : called.members) {
    std::vector<Binding> of_members;
    for (const int rank : members) of_members.push_back(places[rank]);
    add_places(grid, of_members);
  }
  grid.program = {.name = input.trace.program,
                  .ranks = static_cast<int>(places.size()),
                  .calls = {},
                  .others = called.others,
                  .are_merged = called.are_merged};
  for (const CalledCell& c : called.cells) {
    grid.cells.push_back(c.cell);
    grid.program->calls.push_back(c.calls);
  }
  grid.inputs = hash_of(o, grid);
  return grid;
}

}  // namespace

void GridOptions::add(cli::App& app) {
  operations = "allgather,allreduce,alltoall,bcast,gather,reduce,reduce_scatter_block,scatter";
  bytes = "8,64,512,4K,32K,256K,1M";
  machine.add_machine(app);
  auto* const n = app.add_option("-n,--np", ranks,
                                 "numbers of ranks: 16,64,256, or 16..256 for 16, 32, ..., 256 (default: 4, 16, ...)");
  auto* const per_node =
      app.add_option("--ranks-per-node", ranks_per_node, "how many ranks a node has (default: as the placement says)")
          ->check(cli::PositiveNumber);
  machine.add_policy(app);
  auto* const op = app.add_option("--op", operations,
                                  "the operations, separated by commas (default: the eight with regular blocks)");
  auto* const sizes = app.add_option(
      "--bytes", bytes,
      "the sizes: 8,1K..64K for 8, 1K, 2K, ..., 64K; of the buffer of a broadcast, reduction or scan; of one "
      "rank's block of the others (default 8,64,512,4K,32K,256K,1M)");
  app.add_option("--trace", trace,
                 "in place of a grid, the collectives that a program calls: a recording (strata exec --record) or the "
                 "traces.otf2 of an archive of OTF2 (Score-P), with its communicators and, by default, its machine and "
                 "placement")
      ->excludes(n)
      ->excludes(per_node)
      ->excludes(op)
      ->excludes(sizes);
  app.add_option("--mpi", mpi, kMpiHelp);
  app.add_option("--least-gain", least_gain,
                 "a part of the time in percent: smaller differences do not count (default 5; a machine with intervals "
                 "has error bars instead)");
  app.add_option("--steps", most_steps,
                 "leave out algorithms whose ranks take more than this many million steps together (default 4)")
      ->check(cli::PositiveNumber);
  app.add_option("--jobs", jobs, "replays at a time (default: one per processor)")->check(cli::PositiveNumber);
  app.add_flag("--json", json, "print one JSON document");
}

Grid grid_of(const GridOptions& o) {
  if (!o.trace.empty()) return grid_of_program(o);
  const std::vector<Operation> operations = operations_of(o.operations);
  const std::set<std::int64_t> sizes =
      numbers_of(o.bytes, "--bytes", [](const std::string& text) { return read_size(text, "--bytes"); });
  Grid grid = empty_grid(o, o.machine.load(sim::find_installation()));
  const std::set<std::int64_t> ranks = ranks_of(o, grid.machine);
  for (const std::int64_t n : ranks) add_places(grid, places_of(o, grid.machine, static_cast<int>(n)));
  for (const Operation operation : operations) {
    for (const std::int64_t n : ranks) {
      if (operation == Operation::kBarrier) grid.cells.push_back({operation, static_cast<int>(n), 0});
      for (const std::int64_t bytes : sizes) {
        if (operation == Operation::kBarrier) break;
        grid.cells.push_back({operation, static_cast<int>(n), bytes});
        call_of({operation, 2, bytes}, "--bytes");  // refuses sizes that are not whole elements
      }
    }
  }
  grid.inputs = hash_of(o, grid);
  return grid;
}

}  // namespace strata::command
