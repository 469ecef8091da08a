// SPDX-License-Identifier: LGPL-2.1-only
// strata splittree tune: finds the best number of ranks, and of tree levels on application cores, according to the
// model. The inputs are the amount of computation beside the collective, the rest of the application, and how both
// scale (IJHPCA'19, Section 6.2; the paper leaves N open). JSON: schemas/splittree.tune.schema.json.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <memory>
#include <set>

#include "base/error.h"
#include "command/print.h"
#include "command/splittree.h"
#include "models/scalability.h"
#include "models/split_tree_machine.h"
#include "records/study.h"

namespace strata::command {
namespace {

struct Options {
  int cores = 0, ranks = 0, least_ranks = 0, arity = 2, nodes = 1;
  std::string machine, collective = "ireduce", scalability = "linear";
  double bytes = 2'000'000;  // Section 7: 2 MB
  double network = 0;        // messages; 0: not given
  double computation = -1;   // in the printed unit; less than 0: the blocking collective's time
  double rest = 0;           // in the printed unit
  bool json = false;
};

// The problem to tune, with all times in messages.
struct Problem {
  models::SplitTree tree;  // ranks = cores
  double message = 1;      // in the printed unit
  std::string unit;
  models::Computation computation, rest;
  double all_computation = 0;  // on all cores
  int least = 1, most = 1;     // ranks
};

struct Row {
  int ranks = 0, steps = 0;
  double time = 0, blocking = 0;
};

struct Step {
  int steps = 0;
  double nonblocking = 0, time = 0;
};

struct Switch {
  int ranks, from, to;
};

struct Tuned {
  Problem problem;
  std::vector<Row> rows;  // by ranks; times in the printed unit
  Row best, best_blocking;
  std::vector<Switch> switches;
  std::vector<Step> steps;  // for the best number of ranks
};

models::SplitTree tree_of(const Options& o, const models::TreeCollective& collective, Problem& problem) {
  if (!o.machine.empty()) {
    const Machine machine = find_machine(o.machine, sim::find_installation().machines);
    problem.message = message_unit(machine, collective, Bytes(o.bytes)).value;
    problem.unit = "s";
    return full_tree(machine, collective, Bytes(o.bytes), o.arity, o.nodes);
  }
  if (o.cores == 0) throw InputError("command line", "no cores are given", "give --cores P or --machine M");
  const bool doubling = collective.weight == models::Weight::kDoubling;
  if (o.nodes > 1 && doubling)
    throw InputError("--nodes", o.collective + " has no tree over several nodes", "give 1 node");
  if (o.nodes > 1 && o.network == 0) {
    throw InputError("--nodes", "the cost of an inter-node message is not given", "give --network");
  }
  problem.unit = doubling ? "block" : "message";
  return {.cores = o.cores,
          .ranks = o.cores,
          .arity = o.arity,
          .weight = collective.weight,
          .direction = collective.direction,
          .nodes = o.nodes,
          .network = o.network};
}

// Sets the range of numbers of ranks to try.
void set_ranks(const Options& o, const models::Scalability& scalability, Problem& problem) {
  const int cores = problem.tree.cores, nodes = problem.tree.nodes;
  if (static_cast<long>(cores) * nodes > kMostModelledCores) {
    throw InputError("--nodes", fmt::format("{} nodes of {} cores are too many", nodes, cores),
                     fmt::format("give at most {} cores in all", kMostModelledCores));
  }
  const auto refuse = [&](const std::string& option, int value) {
    throw InputError(option, fmt::format("{} ranks on {} cores", value, cores), fmt::format("give 1 to {}", cores));
  };
  if (o.ranks > cores) refuse("-n", o.ranks);
  if (o.least_ranks > cores) refuse("--least-ranks", o.least_ranks);
  const int known = (scalability.least_cores + nodes - 1) / nodes;
  if (cores * nodes > scalability.most_cores || known > cores) {
    throw InputError(o.scalability,
                     fmt::format("has times for {} to {} cores", scalability.least_cores, scalability.most_cores),
                     fmt::format("add a time for {} cores", cores * nodes));
  }
  for (const int wanted : {o.ranks, o.least_ranks}) {
    if (wanted != 0 && wanted < known) {
      throw InputError(o.scalability, fmt::format("has times for {} cores and more", scalability.least_cores),
                       fmt::format("add a time for {} cores", wanted * nodes));
    }
  }
  problem.least = o.ranks != 0 ? o.ranks : std::max(o.least_ranks, known);
  problem.most = o.ranks != 0 ? o.ranks : cores;
}

Problem problem_of(const Options& o) {
  Problem problem;
  const models::TreeCollective& collective = *models::find_tree_collective(o.collective);
  problem.tree = tree_of(o, collective, problem);
  const models::Scalability scalability = models::read_scalability(o.scalability);
  set_ranks(o, scalability, problem);
  problem.all_computation = o.computation < 0 ? blocking_time(problem.tree) : o.computation / problem.message;
  const int cores = problem.tree.cores, nodes = problem.tree.nodes;
  const auto scaled = [=](double on_all) -> models::Computation {
    return [=](int ranks) { return on_all * scalability.time(ranks * nodes) / scalability.time(cores * nodes); };
  };
  problem.computation = scaled(problem.all_computation);
  problem.rest = scaled(o.rest / problem.message);
  return problem;
}

template <class Less>
const Row& least_of(const std::vector<Row>& rows, Less less) {
  return *std::min_element(rows.rbegin(), rows.rend(), less);  // of equal times, the one with most ranks
}

Tuned tune(const Options& o) {
  Tuned tuned{.problem = problem_of(o), .rows = {}, .best = {}, .best_blocking = {}, .switches = {}, .steps = {}};
  const Problem& p = tuned.problem;
  for (const models::Choice& c : choices(p.tree, p.computation, p.rest, p.least)) {
    if (c.ranks > p.most) break;
    models::SplitTree t = p.tree;
    t.ranks = c.ranks;
    const double blocking = p.computation(t.ranks) + blocking_time(t) + p.rest(t.ranks);
    tuned.rows.push_back(
        {.ranks = c.ranks, .steps = c.steps, .time = c.time * p.message, .blocking = blocking * p.message});
  }
  tuned.best = least_of(tuned.rows, [](const Row& a, const Row& b) { return a.time < b.time; });
  tuned.best_blocking = least_of(tuned.rows, [](const Row& a, const Row& b) { return a.blocking < b.blocking; });
  for (size_t i = 1; i < tuned.rows.size() && tuned.rows[i].ranks < p.tree.cores; ++i) {
    const int from = tuned.rows[i - 1].steps, to = tuned.rows[i].steps;
    if (from != to) tuned.switches.push_back({.ranks = tuned.rows[i].ranks, .from = from, .to = to});
  }
  models::SplitTree t = p.tree;
  t.ranks = tuned.best.ranks;
  const int levels = t.ranks == t.cores ? 0 : static_cast<int>(level_times(t).size());
  for (int s = 0; s <= levels; ++s) {
    const double time = overlapped_time(t, s, p.computation(t.ranks)) + p.rest(t.ranks);
    tuned.steps.push_back({.steps = s, .nonblocking = nonblocking_time(t, s) * p.message, .time = time * p.message});
  }
  return tuned;
}

Json to_json(const Options& o, const Tuned& tuned) {
  const Problem& p = tuned.problem;
  Json document = {{"schema", "strata.splittree.tune/1"},
                   {"cores", p.tree.cores},
                   {"nodes", p.tree.nodes},
                   {"collective", o.collective},
                   {"arity", o.arity},
                   {"unit", p.unit},
                   {"message_s", p.unit == "s" ? Json(p.message) : Json()},
                   {"network", p.tree.nodes > 1 ? Json(p.tree.network) : Json()},
                   {"computation", p.all_computation * p.message},
                   {"rest", o.rest},
                   {"scalability", o.scalability},
                   {"best", {{"ranks", tuned.best.ranks}, {"steps", tuned.best.steps}, {"time", tuned.best.time}}},
                   {"blocking", {{"ranks", tuned.best_blocking.ranks}, {"time", tuned.best_blocking.blocking}}},
                   {"switches", Json::array()},
                   {"table", Json::array()},
                   {"steps", Json::array()}};
  for (const Switch& s : tuned.switches) {
    document["switches"].push_back({{"ranks", s.ranks}, {"from", s.from}, {"to", s.to}});
  }
  for (const Row& r : tuned.rows) {
    document["table"].push_back({{"ranks", r.ranks}, {"steps", r.steps}, {"time", r.time}, {"blocking", r.blocking}});
  }
  for (const Step& s : tuned.steps) {
    document["steps"].push_back({{"steps", s.steps}, {"nonblocking", s.nonblocking}, {"time", s.time}});
  }
  return document;
}

// The rows around the best one and on both sides of each switch, and the last one.
std::set<size_t> rows_to_show(const Tuned& tuned) {
  constexpr size_t kAround = 3;
  const int first = tuned.rows.front().ranks;
  const auto best = static_cast<size_t>(tuned.best.ranks - first);
  std::set<size_t> shown = {tuned.rows.size() - 1};
  for (size_t i = best - std::min(best, kAround); i <= best + kAround && i < tuned.rows.size(); ++i) shown.insert(i);
  for (const Switch& s : tuned.switches)
    shown.insert({static_cast<size_t>(s.ranks - first) - 1, static_cast<size_t>(s.ranks - first)});
  return shown;
}

void print_text(const Options& o, const Tuned& tuned) {
  const Problem& p = tuned.problem;
  const std::string nodes = p.tree.nodes > 1 ? fmt::format(" of each of {} nodes", p.tree.nodes) : "";
  fmt::print("{}, {}, {} cores{}", o.collective, tree_name(o.arity), p.tree.cores, nodes);
  if (p.unit == "s") {
    fmt::print(" on {}; times in s, a message takes {:.6g}", o.machine, p.message);
  } else {
    fmt::print("; times in {}s", p.unit);
  }
  fmt::print("\ncomputation {:.6g} on all cores, rest {:.6g}, scalability {}\n\n", p.all_computation * p.message,
             o.rest, o.scalability);
  fmt::print("{}: {} ranks, S = {}, {:.6g}\n", o.ranks == 0 ? "best" : "best steps", tuned.best.ranks, tuned.best.steps,
             tuned.best.time);
  fmt::print("blocking at best: {} ranks, {:.6g}, {:.3g} times as long\n", tuned.best_blocking.ranks,
             tuned.best_blocking.blocking, tuned.best_blocking.blocking / tuned.best.time);
  for (const Switch& s : tuned.switches) fmt::print("from {} ranks on: S = {} instead of {}\n", s.ranks, s.to, s.from);
  const auto heading = [](const std::string& text) { fmt::print("\n{}\n", styled(console::Style::kHeading, text)); };
  heading(fmt::format("{:>8}{:>12}{:>7}{:>14}{:>14}", "ranks", "free cores", "steps", "time", "blocking"));
  size_t next = 0;
  for (const size_t i : rows_to_show(tuned)) {
    const Row& r = tuned.rows[i];
    if (i != next) fmt::print("{:>8}\n", "...");
    fmt::print("{:>8}{:>12}{:>7}{:>14.6g}{:>14.6g}{}\n", r.ranks, p.tree.cores - r.ranks, r.steps, r.time, r.blocking,
               r.ranks == tuned.best.ranks ? "  best" : "");
    next = i + 1;
  }
  heading(fmt::format("{:>8}{:>14}{:>14}  on {} ranks", "steps", "nonblocking", "time", tuned.best.ranks));
  for (const Step& s : tuned.steps) fmt::print("{:>8}{:>14.6g}{:>14.6g}\n", s.steps, s.nonblocking, s.time);
}

int run(const Options& o) {
  const Tuned tuned = tune(o);
  if (o.json) {
    print(to_json(o, tuned));
  } else {
    print_text(o, tuned);
  }
  return 0;
}

// cli::Range would accept "nan".
cli::Validator number_from(double least) {
  static constexpr double kMost = 1e15;  // units, seconds or bytes: larger than any sensible value
  const auto fault = [least](const std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool sound = error == std::errc() && end == text.data() + text.size() && value >= least && value <= kMost;
    return sound ? "" : fmt::format("'{}' is not a number from {} to {}", text, least, kMost);
  };
  return cli::Validator(fault, "NUMBER");
}

}  // namespace

void add_tune(cli::App& splittree, Action& action) {
  auto o = std::make_shared<Options>();
  cli::App* sub =
      splittree.add_subcommand("tune", "Find the best number of communication cores and of steps by the model");
  auto* cores = sub->add_option("--cores", o->cores, "use an ideal node with this many cores; times are in messages");
  cores->check(cli::Range(1, kMostModelledCores));
  auto* machine =
      sub->add_option("--machine", o->machine, "a machine of the catalog or a machine.yaml; times are in seconds");
  machine->excludes(cores);
  sub->add_option("--nodes", o->nodes, "number of such nodes, with a tree of leaders above them (default 1)")
      ->check(cli::Range(1, kMostModelledCores));
  sub->add_option("--network", o->network, "with --cores: the cost of an inter-node message, in intra-node messages")
      ->check(number_from(1e-9))
      ->excludes(machine);
  sub->add_option("--bytes", o->bytes, "with --machine: size of the buffer, or of a rank's block (default 2000000)")
      ->check(number_from(1))
      ->needs(machine);
  sub->add_option("-n,--np", o->ranks, "only find the best steps for this number of ranks")
      ->check(cli::Range(1, kMostModelledCores))
      ->formerly("--ranks");
  sub->add_option("--least-ranks", o->least_ranks, "do not try fewer ranks than this")
      ->check(cli::Range(1, kMostModelledCores));
  sub->add_option("--collective", o->collective, "ireduce (default), ibcast, iallreduce, igather, iscatter")
      ->check(cli::IsMember(tree_collectives()));
  sub->add_option("--arity", o->arity, "m of the m-nomial tree (default 2: binomial)")
      ->check(cli::Range(2, kMostArity));
  sub->add_option("--computation", o->computation,
                  "computation per core that overlaps the collective, if all cores compute (default: the blocking time "
                  "on all cores)")
      ->check(number_from(0));
  sub->add_option("--rest", o->rest, "computation per core that overlaps nothing, if all cores compute (default 0)")
      ->check(number_from(0));
  sub->add_option("--scalability", o->scalability,
                  "how both computations scale: linear (default), amdahl:F with a serial part F, or a file with lines "
                  "`cores time`");
  sub->add_flag("--json", o->json, "print one JSON document");
  sub->footer(
      "Examples:\n  strata splittree tune --cores 64\n"
      "  strata splittree tune --cores 64 -n 62\n"
      "  strata splittree tune --cores 64 --collective igather --computation 100 --rest 500 --scalability "
      "amdahl:0.001\n"
      "  strata splittree tune --machine smp20e7 --bytes 2000000 --json\n"
      "  strata splittree tune --cores 64 --nodes 16 --network 3");
  sub->callback([o, &action] { action = [o] { return run(*o); }; });
}

}  // namespace strata::command
