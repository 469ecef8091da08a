// SPDX-License-Identifier: LGPL-2.1-only
// strata map: which process takes over which of the application's ranks, by a communication matrix and a machine.
// JSON: schemas/map.schema.json.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <numeric>

#include "analysis/format.h"
#include "command/command.h"
#include "command/heat_map.h"
#include "command/matrix_input.h"
#include "command/rank_groups.h"
#include "command/rankfile.h"
#include "mpi_ext/reorder/mapping.h"
#include "platforms/error.h"
#include "records/study.h"

namespace strata::command {
namespace {

constexpr size_t kMostRanksInText = 64;

struct Options {
  MatrixInput input;
  MachineOptions machine;
  std::string algorithm = "treematch", rankfile, out, svg;
  std::vector<std::string> hosts;
  std::uint64_t seed = 1;
  bool json = false;
};

struct Problem {
  Machine machine;
  std::vector<Binding> ranks;  // by old rank
  Pattern pattern;             // of the application's ranks
  mpix::PlaceTree tree;
};

struct Answer {
  std::vector<int> new_rank, process_of;  // by old rank; by the application's rank
  double identity_hop_bytes = 0, mapped_hop_bytes = 0;
  double seconds = 0;
};

std::vector<int> identity(size_t ranks) {
  std::vector<int> same(ranks);
  std::iota(same.begin(), same.end(), 0);
  return same;
}

Problem problem_of(const Options& o) {
  MachineOptions options = o.machine;
  Machine machine = options.load(sim::find_installation());
  // A bindings file says how many ranks there are; else the matrix does.
  std::vector<Binding> ranks;
  if (!options.bindings.empty()) ranks = options.place_on(machine);
  const MatrixFile file = o.input.read(ranks.empty() ? options.np : static_cast<int>(ranks.size()));
  Pattern pattern = o.input.counted(file);
  const size_t cores = machine.topology->cores().size();
  if (ranks.empty() && !options.placement.oversubscribe && static_cast<size_t>(pattern.order()) > cores) {
    throw InputError(o.input.name(),
                     fmt::format("the matrix has {} ranks, but the machine has {} cores", pattern.order(), cores),
                     "give a larger machine (--nodes), or add --oversubscribe");
  }
  options.np = pattern.order();
  if (ranks.empty()) ranks = options.place_on(machine);
  mpix::PlaceTree tree = place_tree_of(*machine.topology, ranks);
  return {std::move(machine), std::move(ranks), std::move(pattern), std::move(tree)};
}

Answer answer_of(const Options& o, const Problem& p) {
  Answer a;
  const mpix::MapMethod method = *mpix::map_method(o.algorithm);
  const auto start = std::chrono::steady_clock::now();
  a.new_rank = mpix::map_ranks(p.pattern, p.tree, method, o.seed);
  a.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  a.process_of = mpix::inverse(a.new_rank);
  a.identity_hop_bytes = mpix::hop_bytes(p.pattern, p.tree, identity(p.ranks.size()));
  a.mapped_hop_bytes = mpix::hop_bytes(p.pattern, p.tree, a.new_rank);
  return a;
}

Json to_json(const Options& o, const Answer& a) {
  return {
      {"schema", "strata.map/1"},
      {"algorithm", o.algorithm},
      {"new_rank", a.new_rank},
      {"cost", {{"identity", {{"hop_bytes", a.identity_hop_bytes}}}, {"mapped", {{"hop_bytes", a.mapped_hop_bytes}}}}},
      {"seconds", a.seconds}};
}

std::string cost_name(const Options& o) { return o.input.messages ? "hop-messages" : "hop-bytes"; }

std::string as_text(const Options& o, const Problem& p, const Answer& a) {
  const int nodes = p.machine.topology->num_nodes();
  std::string text =
      fmt::format("{}: {} ranks on {} ({} node{}), by {} in {}\n\n", o.input.name(), p.ranks.size(), p.machine.name,
                  nodes, nodes == 1 ? "" : "s", o.algorithm, analysis::with_unit(a.seconds, "s", 2));
  text += fmt::format("{:<24}{:>20}{:>20}\n", o.input.noun() + " between", "as it is", "mapped");
  const auto row = [&](const std::string& name, double before, double after, double whole) {
    const auto amount = [&](double value) {
      return fmt::format("{:>11}{:>9}", analysis::with_unit(value, o.input.unit(), 3), share_text(value, whole));
    };
    text += fmt::format("{:<24}{}{}\n", name, amount(before), amount(after));
  };
  for (const RankGroups& level : all_groups(*p.machine.topology, p.ranks)) {
    const InsideAndAcross before = inside_and_across(p.pattern, level.group);
    const InsideAndAcross after = inside_and_across(p.pattern, by_application(level.group, a.process_of));
    row(fmt::format("{} {}s", level.groups, level_text(level.level)), before.across, after.across,
        before.inside + before.across);
  }
  row(cost_name(o), a.identity_hop_bytes, a.mapped_hop_bytes, a.identity_hop_bytes);
  if (a.new_rank.size() > kMostRanksInText) {
    return text + "\nnew ranks: --json has them, --rankfile and --out write where to start each\n";
  }
  return text + fmt::format("\nnew rank of process 0, 1, ...: {}\n", fmt::join(a.new_rank, " "));
}

std::string as_svg(const Options& o, const Problem& p, const Answer& a) {
  const std::vector<int> place = positions_by_place(p.ranks);
  const auto heading = [&](double cost) { return cost_name(o) + " " + analysis::with_unit(cost, o.input.unit(), 4); };
  HeatMaps maps;
  maps.title = {fmt::format("{}: {} ranks on {}", o.input.name(), p.ranks.size(), p.machine.name),
                "processes in the order of their cores"};
  maps.axis = "by place";
  maps.unit = o.input.unit();
  maps.boundaries = boundaries_of(all_groups(*p.machine.topology, p.ranks), place);
  maps.panels = {
      {"identity", {"before: as it is", heading(a.identity_hop_bytes)}, place},
      {o.algorithm, {"after: " + o.algorithm, heading(a.mapped_hop_bytes)}, by_application(place, a.process_of)}};
  return draw_heat_maps(p.pattern, maps);
}

int map(const Options& o) {
  if (o.json && o.svg == "-") throw InputError("--svg", "stdout is taken by the JSON document", "give --svg a file");
  const Problem p = problem_of(o);
  const Answer a = answer_of(o, p);
  const std::vector<Binding> started = by_application(p.ranks, a.process_of);
  if (!o.rankfile.empty()) write_and_tell(o.rankfile, format_rankfile(*p.machine.topology, started, o.hosts));
  if (!o.out.empty()) write_and_tell(o.out, format_bindings(started));
  if (!o.svg.empty() && o.svg != "-") write_and_tell(o.svg, as_svg(o, p, a));
  if (o.svg == "-") {
    std::fputs(as_svg(o, p, a).c_str(), stdout);
  } else {
    std::fputs((o.json ? to_json(o, a).dump() + "\n" : as_text(o, p, a)).c_str(), stdout);
  }
  return 0;
}

}  // namespace

void add_map(cli::App& app, Action& action) {
  auto o = std::make_shared<Options>();
  cli::App* sub =
      app.add_subcommand("map", "Place ranks by their communication matrix, so that heavy pairs are close together");
  sub->add_option(
         "--matrix", o->input.files,
         "file with bytes by sender and receiver: dense text, Matrix Market, or the .prof of a run (one file, or one "
         "per rank)")
      ->required();
  o->input.add_choice(*sub);
  o->machine.add_machine(*sub);
  o->machine.add_placement(*sub);
  sub->get_option("--np")->description("how many ranks the matrix must have; a profile may name fewer");
  sub->add_option("--algorithm", o->algorithm, mpix::map_method_list() + " (default treematch)")
      ->check([](const std::string& name) {
        return mpix::map_method(name) ? "" : "'" + name + "' is not one of " + mpix::map_method_list();
      });
  sub->add_option("--seed", o->seed, "seed of the algorithm random (default 1)");
  sub->add_flag("--json", o->json, "print one JSON document");
  auto* rankfile = sub->add_option("--rankfile", o->rankfile,
                                   "write the placement into this file, for Open MPI: mpirun --rankfile FILE; from 5.0 "
                                   "on mpirun --map-by rankfile:file=FILE");
  sub->add_option(
         "--hosts", o->hosts,
         "names of the nodes in the rankfile, for example a,b,c (default +n0, +n1, ...: those of the resource manager)")
      ->delimiter(',')
      ->needs(rankfile);
  sub->add_option("--out", o->out, "write the placement as a bindings file, for --bindings of this and other commands");
  sub->add_option("--svg", o->svg,
                  "draw the matrix before and after, in the order of the cores, into this file (-: stdout)");
  sub->footer(
      "Examples:\n  strata map --matrix cg.mtx --machine ntw10e5\n"
      "  strata map --matrix run.*.prof --xml node.xml --nodes 4 --rankfile run.rankfile\n"
      "  strata map --matrix cg.mtx --machine ntw10e5 --map-by node --algorithm scotch --json\n"
      "  strata map --matrix cg.mtx --machine ntw10e5 --svg cg.svg --out bindings.txt");
  sub->callback([o, &action] { action = [o] { return map(*o); }; });
}

}  // namespace strata::command
