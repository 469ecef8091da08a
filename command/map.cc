// SPDX-License-Identifier: LGPL-2.1-only
// strata map: assigns the application's ranks to processes, from a communication matrix or the trace of a run, and a
// machine. JSON: schemas/map.schema.json.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <numeric>
#include <optional>

#include "analysis/difference_bar.h"
#include "analysis/format.h"
#include "analysis/heat_map.h"
#include "analysis/rank_groups.h"
#include "base/error.h"
#include "command/command.h"
#include "command/error_bar_report.h"
#include "command/map_by_time.h"
#include "command/mapped_ranks.h"
#include "command/matrix_input.h"
#include "command/print.h"
#include "command/trace_input.h"
#include "command/traced.h"
#include "mpi_ext/reorder/mapping.h"
#include "platforms/rankfile.h"
#include "records/study.h"
#include "records/trace/trace_traffic.h"

namespace strata::command {
namespace {

constexpr size_t kMostRanksInText = 64;

// The objectives.
constexpr const char *kHopBytes = "hop-bytes", *kTime = "time";

struct Options {
  MatrixInput input;
  std::string trace;
  MachineOptions machine;
  std::string objective = kHopBytes, algorithm, budget, rankfile, out, svg;
  std::vector<std::string> hosts;
  std::uint64_t seed = 1;
  bool json = false, error_bars = false;
};

struct Problem {
  std::optional<Trace> trace;
  Machine machine;
  std::vector<Binding> ranks;  // by old rank
  Pattern pattern;             // of the application's ranks
  mpix::PlaceTree tree;
  std::shared_ptr<const sim::ScratchFolder> machine_folder;  // TraceInput's
};

struct Answer {
  std::vector<int> new_rank, process_of;  // by old rank; by the application's rank
  double identity_hop_bytes = 0, mapped_hop_bytes = 0;
  double seconds = 0;
  std::optional<TimedMapping> timed;
  std::vector<analysis::DifferenceBar> longer;  // longer_than_found(), if it is asked for
};

bool by_time(const Options& o) { return o.objective == kTime; }
std::string algorithm_of(const Options& o) {
  return by_time(o) ? kTime : o.algorithm.empty() ? "treematch" : o.algorithm;
}
std::string input_name(const Options& o) { return o.trace.empty() ? o.input.name() : o.trace; }

std::vector<int> identity(size_t ranks) {
  std::vector<int> same(ranks);
  std::iota(same.begin(), same.end(), 0);
  return same;
}

Problem traced_problem(const Options& o) {
  auto [trace, machine, folder] = read_any_trace(o.trace, o.machine, sim::find_installation());
  std::vector<Binding> ranks = place_trace(o.machine, o.trace, machine, trace);
  TraceTraffic traffic = traffic_of(trace);
  mpix::PlaceTree tree = place_tree_of(*machine.topology, ranks);
  return {std::move(trace), std::move(machine),
          std::move(ranks), std::move(o.input.messages ? traffic.messages : traffic.bytes),
          std::move(tree),  std::move(folder)};
}

Problem problem_of(const Options& o) {
  if (!o.trace.empty()) return traced_problem(o);
  MachineOptions options = o.machine;
  Machine machine = options.load(sim::find_installation());
  // The number of ranks comes from a bindings file, or else from the matrix.
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
  return {std::nullopt, std::move(machine), std::move(ranks), std::move(pattern), std::move(tree), nullptr};
}

Answer answer_of(const Options& o, const Problem& p) {
  Answer a;
  const auto start = std::chrono::steady_clock::now();
  if (by_time(o)) {
    a.timed = map_by_time(*p.trace, p.machine, p.ranks, p.pattern, o.budget.empty() ? Budget() : parse_budget(o.budget),
                          o.seed);
    a.new_rank = mpix::inverse(a.timed->found.process_of);
  } else {
    a.new_rank = mpix::map_ranks(p.pattern, p.tree, *mpix::map_method(algorithm_of(o)), o.seed);
  }
  a.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  a.process_of = mpix::inverse(a.new_rank);
  if (o.error_bars) a.longer = longer_than_found(*p.trace, p.machine, p.ranks, *a.timed);
  a.identity_hop_bytes = mpix::hop_bytes(p.pattern, p.tree, identity(p.ranks.size()));
  a.mapped_hop_bytes = mpix::hop_bytes(p.pattern, p.tree, a.new_rank);
  return a;
}

Json to_json(const Options& o, const Problem& p, const Answer& a) {
  Json json = {
      {"schema", "strata.map/1"},
      {"algorithm", algorithm_of(o)},
      {"new_rank", a.new_rank},
      {"cost", {{"identity", {{"hop_bytes", a.identity_hop_bytes}}}, {"mapped", {{"hop_bytes", a.mapped_hop_bytes}}}}},
      {"seconds", a.seconds}};
  if (!a.timed) return json;
  const models::TimeSearchResult& found = a.timed->found;
  Json times = Json::object();
  for (size_t i = 0; i < a.timed->starts.size(); ++i) times[a.timed->starts[i].name] = found.start_seconds[i];
  times["mapped"] = found.seconds;
  times["unit"] = "s";
  json["simulated_time"] = std::move(times);
  json["start"] = found.start;
  json["evaluations"] = found.evaluations;
  json["interrupted"] = a.timed->interrupted;
  json["order_may_differ"] = doubtful(*p.trace);
  if (!o.error_bars) return json;
  Json& longer = json["longer_than_mapped"] = nullptr;
  for (size_t i = 0; i < a.longer.size(); ++i) {
    const analysis::DifferenceBar& bar = a.longer[i];
    longer[a.timed->starts[i].name] = {
        {"low", bar.low}, {"high", bar.high}, {"distinguishable", bar.is_distinguishable()}};
  }
  return json;
}

std::string cost_name(const Options& o) { return o.input.messages ? "hop-messages" : "hop-bytes"; }

std::string longer_text(const analysis::DifferenceBar& bar) {
  if (!bar.is_distinguishable()) return "not distinguishable from mapped";
  return analysis::range_text(bar.low, bar.high, "s") + " longer than mapped";
}

std::string times_text(const Options& o, const Problem& p, const Answer& a) {
  std::string text = "simulated time\n";
  const TimedMapping& timed = *a.timed;
  const models::TimeSearchResult& found = timed.found;
  const auto row = [&](const std::string& name, double seconds, const std::string& longer) {
    text += fmt::format("  {:<22}{:>11}{:>9}{}\n", name, analysis::with_unit(seconds, "s", 4),
                        share_text(seconds, found.start_seconds.front()), longer.empty() ? "" : "  " + longer);
  };
  for (size_t i = 0; i < timed.starts.size(); ++i)
    row(timed.starts[i].name, found.start_seconds[i], a.longer.empty() ? "" : longer_text(a.longer[i]));
  row("mapped", found.seconds, "");
  if (o.error_bars && a.longer.empty()) text += "  " + no_error_bar_text(p.machine);
  return text + fmt::format("  {} mappings were replayed{}; the best one comes from {}\n\n", found.evaluations,
                            timed.interrupted ? ", until Ctrl-C" : "", found.start);
}

std::string as_text(const Options& o, const Problem& p, const Answer& a) {
  const int nodes = p.machine.topology->num_nodes();
  std::string text =
      fmt::format("{}: {} ranks on {} ({} node{}), by {} in {}\n\n", input_name(o), p.ranks.size(), p.machine.name,
                  nodes, nodes == 1 ? "" : "s", algorithm_of(o), analysis::with_unit(a.seconds, "s", 2));
  if (a.timed) text += times_text(o, p, a);
  text += fmt::format("{:<24}{:>20}{:>20}\n", o.input.noun() + " between", "as it is", "mapped");
  const auto row = [&](const std::string& name, double before, double after, double whole) {
    const auto amount = [&](double value) {
      return fmt::format("{:>11}{:>9}", analysis::with_unit(value, o.input.unit(), 3), share_text(value, whole));
    };
    text += fmt::format("{:<24}{}{}\n", name, amount(before), amount(after));
  };
  for (const analysis::RankGroups& level : analysis::all_groups(*p.machine.topology, p.ranks)) {
    const analysis::InsideAndAcross before = analysis::inside_and_across(p.pattern, level.group);
    const analysis::InsideAndAcross after =
        analysis::inside_and_across(p.pattern, analysis::by_application(level.group, a.process_of));
    row(fmt::format("{} {}s", level.groups, analysis::level_text(level.level)), before.across, after.across,
        before.inside + before.across);
  }
  row(cost_name(o), a.identity_hop_bytes, a.mapped_hop_bytes, a.identity_hop_bytes);
  if (a.new_rank.size() > kMostRanksInText) {
    return text + "\nnew ranks: --json has them, --rankfile and --out write where to start each\n";
  }
  return text + fmt::format("\nnew rank of process 0, 1, ...: {}\n", fmt::join(a.new_rank, " "));
}

std::string as_svg(const Options& o, const Problem& p, const Answer& a) {
  const std::vector<int> place = analysis::positions_by_place(p.ranks);
  const auto heading = [&](double cost) { return cost_name(o) + " " + analysis::with_unit(cost, o.input.unit(), 4); };
  analysis::HeatMaps maps;
  maps.title = {fmt::format("{}: {} ranks on {}", input_name(o), p.ranks.size(), p.machine.name),
                "processes in the order of their cores"};
  maps.axis = "by place";
  maps.unit = o.input.unit();
  maps.boundaries = analysis::boundaries_of(analysis::all_groups(*p.machine.topology, p.ranks), place);
  maps.panels = {{"identity", {"before: as it is", heading(a.identity_hop_bytes)}, place},
                 {algorithm_of(o),
                  {"after: " + algorithm_of(o), heading(a.mapped_hop_bytes)},
                  analysis::by_application(place, a.process_of)}};
  return analysis::draw_heat_maps(p.pattern, maps);
}

void check(const Options& o) {
  if (o.input.files.empty() == o.trace.empty())
    throw InputError("command line", "neither --matrix nor --trace is given",
                     "give one of them; see strata map --help");
  if (!by_time(o)) {
    const std::string remedy = "leave it out, or add --objective time";
    if (!o.budget.empty()) throw InputError("--budget", "is for --objective time", remedy);
    if (o.error_bars) throw InputError("--error-bars", "is for --objective time", remedy);
    return;
  }
  if (o.trace.empty())
    throw InputError("--objective time", "needs a recorded run", "give --trace FILE, from strata exec --record FILE");
  if (!o.algorithm.empty())
    throw InputError("--algorithm", "is for --objective hop-bytes; by time the search starts from treematch and scotch",
                     "leave it out");
  if (o.input.messages)
    throw InputError("--messages", "is for --objective hop-bytes; by time bytes and messages both count",
                     "leave it out");
}

int map(const Options& o) {
  check(o);
  if (o.json && o.svg == "-") throw InputError("--svg", "stdout is taken by the JSON document", "give --svg a file");
  const Problem p = problem_of(o);
  const Answer a = answer_of(o, p);
  if (a.timed && !o.json) tell_doubts(doubtful(*p.trace));
  const std::vector<Binding> started = analysis::by_application(p.ranks, a.process_of);
  if (!o.rankfile.empty()) write_and_tell(o.rankfile, format_rankfile(*p.machine.topology, started, o.hosts));
  if (!o.out.empty()) write_and_tell(o.out, format_bindings(started));
  if (!o.svg.empty() && o.svg != "-") write_and_tell(o.svg, as_svg(o, p, a));
  if (o.svg == "-") {
    std::fputs(as_svg(o, p, a).c_str(), stdout);
  } else if (o.json) {
    print(to_json(o, p, a));
  } else {
    print(as_text(o, p, a), {{o.input.noun() + " between", console::Style::kHeading}});
  }
  return 0;
}

}  // namespace

void add_map(cli::App& app, Action& action) {
  auto o = std::make_shared<Options>();
  cli::App* sub =
      app.add_subcommand("map", "Place ranks by their communication matrix, so that heavy pairs are close together");
  auto* matrix = sub->add_option(
      "--matrix", o->input.files,
      "file with bytes by sender and receiver: dense text, Matrix Market, or the .prof of a run (one file, or one "
      "per rank)");
  sub->add_option(
         "--trace", o->trace,
         "what strata exec --record has written, in place of a matrix; the machine and the placement are those "
         "of the recording unless others are given")
      ->excludes(matrix);
  o->input.add_choice(*sub);
  o->machine.add_machine(*sub);
  o->machine.add_placement(*sub);
  sub->get_option("--np")->description("how many ranks the matrix must have; a profile may name fewer");
  sub->add_option("--objective", o->objective,
                  "what to make less: hop-bytes (default), or time: the simulated time of the trace, by replaying it "
                  "with one mapping after the other")
      ->check(cli::IsMember({kHopBytes, kTime}));
  sub->add_option(
      "--budget", o->budget,
      "how long to search with --objective time: a number of mappings to replay (default 300, at least 3), or seconds, "
      "for example 90s; the same number gives the same result");
  sub->add_flag("--error-bars", o->error_bars,
                "with --objective time: say whether the times differ by more than the intervals of the machine's "
                "figures, which strata calibrate writes");
  sub->add_option("--algorithm", o->algorithm, mpix::map_method_list() + " (default treematch)")
      ->check([](const std::string& name) {
        return mpix::map_method(name) ? "" : "'" + name + "' is not one of " + mpix::map_method_list();
      });
  sub->add_option("--seed", o->seed, "seed of the algorithm random and of --objective time (default 1)");
  sub->add_flag("--json", o->json, "print one JSON document");
  auto* rankfile = sub->add_option("--rankfile", o->rankfile,
                                   "write the placement into this file, for Open MPI: mpirun --rankfile FILE; from 5.0 "
                                   "on mpirun --map-by rankfile:file=FILE")
                       ->writes(cli::Written::kFile);
  sub->add_option(
         "--hosts", o->hosts,
         "names of the nodes in the rankfile, for example a,b,c (default +n0, +n1, ...: those of the resource manager)")
      ->delimiter(',')
      ->needs(rankfile);
  sub->add_option("--out", o->out, "write the placement as a bindings file, for --bindings of this and other commands")
      ->writes(cli::Written::kFile);
  sub->add_option("--svg", o->svg,
                  "draw the matrix before and after, in the order of the cores, into this file (-: stdout)")
      ->writes(cli::Written::kFile);
  sub->footer(
      "Examples:\n  strata map --matrix cg.mtx --machine ntw10e5\n"
      "  strata map --matrix run.*.prof --xml node.xml --nodes 4 --rankfile run.rankfile\n"
      "  strata map --matrix cg.mtx --machine ntw10e5 --map-by node --algorithm scotch --json\n"
      "  strata map --matrix cg.mtx --machine ntw10e5 --svg cg.svg --out bindings.txt\n"
      "  strata map --objective time --trace app.mpitrace --budget 500 --out bindings.txt\n"
      "  strata map --objective time --trace app.mpitrace --machine my-cluster --error-bars");
  sub->callback([o, &action] { action = [o] { return map(*o); }; });
}

}  // namespace strata::command
