// SPDX-License-Identifier: LGPL-2.1-only
// strata splittree: runs the split-tree algorithm (IJHPCA'19, Section 6) on some ranks of one node, compares the model
// with the simulated MPI code, and explains their differences. JSON: schemas/splittree.schema.json.
#include "command/splittree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <set>

#include "analysis/gantt.h"
#include "base/error.h"
#include "command/print.h"
#include "command/splittree_run.h"
#include "models/split_tree_prediction.h"
#include "platforms/ideal_machine.h"
#include "platforms/progress_placement.h"
#include "records/study.h"
#include "sim/launcher/simulation.h"

namespace strata::command {
namespace {

constexpr double kMostBytes = 1e8;  // each rank's buffers are real memory
constexpr double kSame = 1e-9;      // relative: rounding of a clock at about 1e4 s (mpi_ext/adapter/measure.h)

struct Options {
  MachineOptions machine;
  int cores = 0, ranks = 0, steps = -1, arity = 2;
  std::string collective = "ireduce", placement = "numa", trace, gantt;
  double bytes = 0;  // 0: not given
  double time_limit_s = 600;
  bool json = false;
};

// The requested problem with its machine.
struct Problem {
  std::string collective;  // as in nbc
  Machine machine;
  RankPlacement placement;
  int cores = 0, communication_cores = 0, ranks = 0, steps = 0, height = 0;
  std::string unit = "s";
  double unit_s = 1;  // the unit of printed times
  std::optional<models::TreeCollective> model;
  models::SplitTree tree;  // of the ranks and the cores that communicate for them
  double message_s = 1;    // the unit of the model; 1 on the idealised machine
  double computation = 0;  // of each rank, in messages
};

struct Difference {
  std::optional<double> overlapped;  // relative; none if the model has 0
  std::string why;
  double placed = 0;
  std::vector<models::LevelLoad> levels;
};

struct Answer {
  std::optional<NbcTimes> model;
  NbcTimes simulated;
  std::optional<int> best;
  std::optional<Difference> difference;
};

bool all_cores_compute(const Problem& p) { return p.ranks == p.cores; }

Machine machine_of(const Options& o) {
  if (o.cores == 0) {
    if (o.machine.machine.empty() && o.machine.xml.empty()) {
      throw InputError("command line", "no machine is given", "give --cores C, --machine M or --xml FILE");
    }
    Machine machine = o.machine.load(sim::find_installation());
    const int nodes = machine.topology->num_nodes();
    if (nodes > 1) {
      throw InputError("--machine", fmt::format("{} has {} nodes", machine.name, nodes),
                       "give a machine with one node; for more nodes write a scenario with the program nbc");
    }
    return machine;
  }
  return ideal_machine(o.cores, Bytes(o.bytes));
}

// The number of cores with threads but no rank.
int count_communication_cores(const RankPlacement& placement) {
  std::set<int> cores;
  for (const Binding& b : placement.progress) cores.insert(b.core);
  for (const Binding& b : placement.ranks) cores.erase(b.core);
  return static_cast<int>(cores.size());
}

void place_all(const Options& o, Problem& p) {
  const Topology& t = *p.machine.topology;
  p.cores = static_cast<int>(t.cores().size());
  p.ranks = o.ranks;
  if (o.ranks < 1 || o.ranks > p.cores) {
    throw InputError("-n", fmt::format("{} ranks on {} cores", o.ranks, p.cores), fmt::format("give 1 to {}", p.cores));
  }
  p.placement.ranks = place(t, o.ranks, {.map_by = "spread"});
  p.placement.progress = place_progress(t, p.placement.ranks, o.placement, "--placement");
  p.communication_cores = count_communication_cores(p.placement);
}

void set_model(const Options& o, Problem& p) {
  if (const models::TreeCollective* c = models::find_tree_collective(p.collective)) {
    p.model = *c;
    if (o.cores == 0) p.message_s = message_unit(p.machine, *c, Bytes(o.bytes)).value;
    p.height = models::height(p.ranks, o.arity);
    p.tree = full_tree(p.machine, *c, Bytes(o.bytes), o.arity, 1);
    p.computation = blocking_time(p.tree) * p.cores / p.ranks;
    p.tree.ranks = p.ranks;
    p.tree.cores = p.ranks + p.communication_cores;
  }
  if (o.cores != 0) p.unit = p.model && p.model->weight == models::Weight::kDoubling ? "block" : "message";
  if (o.steps > p.height) {
    throw InputError("--steps",
                     fmt::format("{} steps of {}", o.steps,
                                 p.model ? fmt::format("a tree of {} levels", p.height)
                                         : "an " + p.collective + ", which has no levels"),
                     p.height == 0 ? "give 0" : fmt::format("give 0 to {}", p.height));
  }
  p.steps = std::max(o.steps, 0);
  if (o.steps < 0 && p.model && !all_cores_compute(p)) p.steps = best_steps(p.tree, p.computation);
}

// On the idealised machine, a copy of the buffer takes 1 unit for any size, and a small one is simulated faster.
constexpr double kIdealBytes = 4'000;
constexpr double kUsualBytes = 2'000'000;  // IJHPCA'19, Section 7: 2 MB

Problem problem_of(const Options& o) {
  Problem p;
  p.collective = o.collective.front() == 'i' ? o.collective : "i" + o.collective;
  if (p.collective != "ibarrier" && std::fmod(o.bytes, 4) != 0) {
    throw InputError("--bytes", fmt::format("{} B", o.bytes), "give a multiple of 4, the size of an element");
  }
  p.machine = machine_of(o);
  place_all(o, p);
  set_model(o, p);
  return p;
}

NbcTimes scaled(const NbcTimes& t, double factor) {
  return {.blocking = t.blocking * factor,
          .nonblocking = t.nonblocking * factor,
          .overlapped = t.overlapped * factor,
          .computation = t.computation * factor};
}

// In messages. With a rank on every core, no work can be handed over, so nonblocking is blocking (Section 7).
NbcTimes model_times(const Problem& p) {
  const double blocking = blocking_time(p.tree);
  if (all_cores_compute(p)) return {blocking, blocking, p.computation + blocking, p.computation};
  return {.blocking = blocking,
          .nonblocking = nonblocking_time(p.tree, p.steps),
          .overlapped = overlapped_time(p.tree, p.steps, p.computation),
          .computation = p.computation};
}

NbcTimes simulate(const Options& o, const Problem& p) {
  const sim::ScratchFolder scratch;
  NbcRun run{.collective = {"--collective", p.collective, "--arity", std::to_string(o.arity)},
             .steps = all_cores_compute(p) ? "blocking" : std::to_string(p.steps),
             .trace = o.trace,
             .time_limit_s = o.time_limit_s};
  if (p.collective != "ibarrier") {
    run.collective.insert(run.collective.end(), {"--bytes", fmt::format("{:.0f}", o.bytes)});
  }
  if (!o.gantt.empty() && o.trace.empty()) run.trace = scratch.path() / "trace.paje";
  const NbcTimes times = simulate_nbc(p.machine, p.placement, run, sim::find_installation());
  if (!o.gantt.empty()) {
    analysis::draw_gantt(
        run.trace, o.gantt, "time",
        fmt::format("{}, {} ranks on {} ({}), {} steps", p.collective, p.ranks, p.machine.name, o.placement, p.steps));
  }
  return times;
}

std::vector<int> cores_of(const std::vector<Binding>& bindings) {
  std::vector<int> cores;
  for (const Binding& b : bindings) cores.push_back(b.core);
  return cores;
}

bool same(double a, double b) { return std::abs(a - b) <= kSame * std::max(std::abs(a), std::abs(b)); }

bool same(const NbcTimes& a, const NbcTimes& b) {
  return same(a.blocking, b.blocking) && same(a.nonblocking, b.nonblocking) && same(a.overlapped, b.overlapped) &&
         same(a.computation, b.computation);
}

// Explains a difference that does not show in the overlapped time, because computation hides it.
std::string hidden(const Problem& p, const Difference& d) {
  if (p.ranks == 1) return "one rank: no message, but a copy of its own data, which the model does not count";
  if (p.model->weight == models::Weight::kDoubling) {
    return "blocks: Eq. 8 counts a whole last subtree and no copy of a rank's own block; the computation hides it";
  }
  if (models::most_uneven(d.levels) != nullptr) return "imbalance, on the levels below; the computation hides it";
  return "costs that the model neglects; the computation hides them";
}

// Explains how the simulation differs from the model, and why.
Difference explain(const Options& o, const Problem& p, const NbcTimes& model, const NbcTimes& simulated) {
  const models::PlacedTree placed{.tree = p.tree,
                                  .root = 0,
                                  .core_of_rank = cores_of(p.placement.ranks),
                                  .core_of_thread = cores_of(p.placement.progress)};
  const models::NbcPoint point{.collective = *p.model,
                               .bytes = Bytes(o.bytes),
                               .steps = p.steps,
                               .blocking = all_cores_compute(p),
                               .arity = o.arity,
                               .computation = Seconds(p.computation * p.message_s)};
  const models::Prediction prediction =
      predict_split_tree(p.machine, p.placement.ranks, p.placement.progress, point, kSame);
  Difference d{.overlapped = {}, .why = prediction.outside, .placed = model.overlapped, .levels = {}};
  if (model.overlapped > 0) d.overlapped = simulated.overlapped / model.overlapped - 1;
  if (!all_cores_compute(p)) {
    const double computation = simulated.computation * p.unit_s / p.message_s;  // in messages
    d.placed = placed_time(placed, p.steps, computation) * p.message_s / p.unit_s;
    if (p.communication_cores > 0) d.levels = folded(p.tree, p.steps, 0, placed.core_of_thread).communication;
  }
  if (d.why.empty()) d.why = hidden(p, d);
  return d;
}

Answer answer(const Options& o, const Problem& p) {
  Answer a{.model = {}, .simulated = scaled(simulate(o, p), 1 / p.unit_s), .best = {}, .difference = {}};
  if (!p.model) return a;
  a.model = scaled(model_times(p), p.message_s / p.unit_s);
  a.best = all_cores_compute(p) ? 0 : best_steps(p.tree, p.computation);
  if (!same(*a.model, a.simulated)) a.difference = explain(o, p, *a.model, a.simulated);
  return a;
}

Json to_json(const NbcTimes& t) {
  return {{"blocking", t.blocking},
          {"nonblocking", t.nonblocking},
          {"overlapped", t.overlapped},
          {"computation", t.computation}};
}

Json to_json(const Difference& d) {
  Json levels = Json::array();
  for (const models::LevelLoad& l : d.levels) {
    levels.push_back(
        {{"level", l.level}, {"messages", l.messages}, {"load", l.load}, {"even_load", l.even_load}, {"own", l.own}});
  }
  return {{"overlapped", d.overlapped ? Json(*d.overlapped) : Json()},
          {"why", d.why},
          {"placed", d.placed},
          {"levels", levels}};
}

Json to_json(const Options& o, const Problem& p, const Answer& a) {
  return {{"schema", "strata.splittree/1"},
          {"cores", p.cores},
          {"ranks", p.ranks},
          {"steps", p.steps},
          {"collective", p.collective},
          {"placement", o.placement},
          {"unit", p.unit},
          {"model", a.model ? to_json(*a.model) : Json()},
          {"simulated", to_json(a.simulated)},
          {"best", a.best ? Json({{"steps", *a.best}}) : Json()},
          {"difference", a.difference ? to_json(*a.difference) : Json()}};
}

std::string as_text(const Options& o, const Problem& p, const Answer& a) {
  const bool seconds = p.unit == "s";
  std::string text = fmt::format("{} on {}: {} ranks on {} cores, {} for communication ({})\n", p.collective,
                                 p.machine.name, p.ranks, p.cores, p.communication_cores, o.placement);
  if (all_cores_compute(p)) {
    text += "a rank on every core: nonblocking is blocking\n";
  } else if (p.model) {
    text += fmt::format("{}, S = {} of {} levels on application cores; best by the model: {}\n", tree_name(o.arity),
                        p.steps, p.height, *a.best);
  }
  text += fmt::format("\n{:<14}{:>14}{:>14}{:>12}\n", "in " + (seconds ? std::string("us") : p.unit + "s"), "model",
                      "simulated", "difference");
  const auto row = [&](const char* name, double NbcTimes::*time) {
    const double factor = seconds ? 1e6 : 1;
    const double simulated = a.simulated.*time;
    std::string model = "-", difference;
    if (a.model) {
      const double modelled = (*a.model).*time;
      model = fmt::format("{:.6g}", modelled * factor);
      if (!same(modelled, simulated) && modelled > 0) {
        difference = fmt::format("{:+.3g} %", (simulated / modelled - 1) * 100);
      }
    }
    text += fmt::format("{:<14}{:>14}{:>14.6g}", name, model, simulated * factor);
    text += (difference.empty() ? "" : fmt::format("{:>12}", difference)) + "\n";
  };
  row("blocking", &NbcTimes::blocking);
  row("nonblocking", &NbcTimes::nonblocking);
  row("computation", &NbcTimes::computation);
  row("overlapped", &NbcTimes::overlapped);
  if (!a.difference) return text;
  text += fmt::format("\nWhy they differ: {}\n", a.difference->why);
  for (const models::LevelLoad& l : a.difference->levels) {
    if (l.load == l.even_load) continue;
    text += fmt::format("  level {}: {} messages, busiest core {:g}, even share {:g}{}\n", l.level, l.messages, l.load,
                        l.even_load, l.own > 0 ? fmt::format(", own blocks {:g}", l.own) : "");
  }
  return text;
}

int splittree(const Options& o) {
  const Problem p = problem_of(o);
  const Answer a = answer(o, p);
  if (o.json) {
    print(to_json(o, p, a));
  } else {
    print(as_text(o, p, a), {{"in", console::Style::kHeading}});
  }
  return 0;
}

// The names of collectives with and without the prefix i.
std::vector<std::string> collective_names() {
  std::vector<std::string> names = tree_collectives();
  names.insert(names.end(), {"iscan", "ibarrier"});
  const size_t with_i = names.size();
  for (size_t i = 0; i < with_i; ++i) names.push_back(names[i].substr(1));
  return names;
}

}  // namespace

std::vector<std::string> tree_collectives() {
  std::vector<std::string> names;
  for (const models::TreeCollective& c : models::kTreeCollectives) names.emplace_back(c.name);
  return names;
}

std::string tree_name(int arity) {
  return (arity == 2 ? "bi" : std::to_string(arity) + "-") + std::string("nomial tree");
}

void add_splittree(cli::App& app, Action& action) {
  auto o = std::make_shared<Options>();
  cli::App* sub = app.add_subcommand(
      "splittree", "Simulate a nonblocking collective on progress threads (split tree) and compare it with the model");
  auto* cores = sub->add_option("--cores", o->cores,
                                "use an ideal node with this many cores, where a copy of the buffer takes time 1 and "
                                "nothing else takes time")
                    ->check(cli::Range(1, kMaxIdealCores));
  sub->add_option("--machine", o->machine.machine, "a machine of the catalog, or the path of a machine.yaml")
      ->excludes(cores);
  sub->add_option("--xml", o->machine.xml, "an hwloc XML file of a node; costs are assumed")
      ->excludes(cores)
      ->excludes("--machine");
  sub->add_option("-n,--np", o->ranks, "ranks of the application (N); the other cores are free for communication")
      ->formerly("--ranks");
  sub->add_option("--steps", o->steps,
                  "levels of the tree that application cores handle (S; default: the best by the model)")
      ->check(cli::NonNegativeNumber);
  sub->add_option("--collective", o->collective, "ireduce (default), ibcast, iallreduce, igather, iscatter, iscan, ...")
      ->check(cli::IsMember(collective_names()));
  sub->add_option("--placement", o->placement,
                  "where progress threads run: numa (default), bind, odd-even, or a list of PUs such as 31,63")
      ->suggests({"numa", "bind", "odd-even"});
  sub->add_option("--bytes", o->bytes, "size of the buffer; for igather and iscatter, of a rank's block (default 2e6)")
      ->check(cli::Range(4.0, kMostBytes));
  sub->add_option("--arity", o->arity, "m of the m-nomial tree (default 2: binomial)")
      ->check(cli::Range(2, kMostArity));
  sub->add_option("--timeline", o->trace, "write what each core did into this file, as a Paje trace")
      ->writes(cli::Written::kFile)
      ->formerly("--trace");
  sub->add_option("--svg", o->gantt, "draw what each core did into this SVG file")
      ->writes(cli::Written::kFile)
      ->formerly("--gantt");
  sub->add_option("--limit", o->time_limit_s,
                  "stop each of the two simulations after this many seconds of wall time (default 600)")
      ->check(cli::PositiveNumber)
      ->formerly("--time-limit");
  sub->add_flag("--json", o->json, "print one JSON document");
  sub->require_subcommand(0, 1);
  add_tune(*sub, action);
  add_figures(*sub, action);
  sub->footer(
      "Examples:\n  strata splittree --cores 64 -n 62 --steps 3 --json\n"
      "  strata splittree --machine knl-7210 -n 62 --collective iscan --placement odd-even --svg iscan.svg\n"
      "  strata splittree tune --cores 64\n"
      "  strata splittree figures --cores 64 --out figures");
  sub->callback([o, sub, &action] {
    if (!sub->get_subcommands().empty()) return;
    if (o->bytes == 0) o->bytes = o->cores != 0 ? kIdealBytes : kUsualBytes;
    action = [o] { return splittree(*o); };
  });
}

}  // namespace strata::command
