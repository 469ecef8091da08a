// SPDX-License-Identifier: LGPL-2.1-only
// strata collectives explain: which algorithm an MPI library uses for a collective, why, how long it takes on a
// machine, and whether another would be faster. JSON: schemas/collectives.schema.json.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "collectives/chosen/chosen.h"
#include "collectives/rules/read_rules.h"
#include "collectives/tuning/cell.h"
#include "command/collective_times.h"
#include "command/collectives.h"
#include "command/error_bar_report.h"
#include "command/message_tree.h"
#include "command/print.h"
#include "console/number.h"
#include "platforms/placement.h"
#include "records/trace/recorded_machine.h"
#include "records/trace/trace_file.h"
#include "replay/engine.h"
#include "replay/replay_traffic.h"
#include "sim/launcher/installation.h"

namespace strata::command {
namespace {

using namespace collectives;  // NOLINT(google-build-using-namespace): the whole file is about them

constexpr int kDigits = 4;  // of times

struct Options {
  MachineOptions machine;
  std::string operation, bytes, mpi = "openmpi-4.1", rules, record, svg;
  int root = 0, jobs = default_jobs();
  bool json = false, error_bars = false;
};

// An algorithm on the machine.
struct Timed {
  Chosen chosen;
  double seconds = 0;
};

class Explained {
 public:
  Explained(const Chooser& chooser, const Collective& call, const Machine& machine, const std::vector<Binding>& ranks)
      : chooser_(chooser), call_(call), machine_(machine), cores_(core_indexes(*machine.topology, ranks)) {}

  Trace trace(const Chosen& chosen) const {
    std::optional<Trace> trace = trace_of(chooser_, chosen, call_, kMostSteps);
    if (!trace) {
      throw InputError("-n", fmt::format("the ranks do more than {} million steps", kMostSteps / 1'000'000),
                       "choose fewer ranks, or longer segments");
    }
    trace->machine = machine_.name;
    trace->cores = cores_;
    return *std::move(trace);
  }
  double seconds(const Trace& trace, replay::Traffic* traffic = nullptr) const {
    return replay::replay(trace, machine_, cores_, {.history = nullptr, .traffic = traffic}).simulated_time;
  }
  const std::vector<int>& cores() const { return cores_; }

  // All that the library has and that has a schedule, the fastest first. `known` is one of them, maybe with settings
  // that it would not have without rules.
  std::vector<Timed> alternatives(const Timed& known) const {
    std::vector<Timed> all;
    for (const Chosen& chosen : chooser_.alternatives(call_)) {
      all.push_back({chosen, is_same(chosen, known.chosen) ? known.seconds : seconds(trace(chosen))});
    }
    std::stable_sort(all.begin(), all.end(), [](const Timed& a, const Timed& b) { return a.seconds < b.seconds; });
    return all;
  }

 private:
  static bool is_same(const Chosen& a, const Chosen& b) {
    return a.algorithm == b.algorithm && a.settings.segment_bytes == b.settings.segment_bytes &&
           a.settings.fanout == b.settings.fanout && a.settings.requests == b.settings.requests;
  }

  const Chooser& chooser_;
  const Collective& call_;
  const Machine& machine_;
  std::vector<int> cores_;
};

std::string by_text(const Decision& d) {
  if (d.by == Decision::By::kRule) return fmt::format("{}:{}", d.file, d.line);
  return d.line > 0 ? fmt::format("the library's own decision, because {}:{} leaves it to it", d.file, d.line)
                    : "the library's own decision";
}

std::string settings_text(const Library& library, const Settings& s) {
  if (!library.is_openmpi()) return "";
  std::string text = s.segment_bytes > 0 ? fmt::format(", segments of {} B", s.segment_bytes) : "";
  if (s.fanout > 0) text += fmt::format(", fan-out {}", s.fanout);
  return text;
}

// "6 binomial"; MPICH's algorithms have no numbers.
std::string name_text(const Decision& d) {
  return d.choice.algorithm > 0 ? fmt::format("{} {}", d.choice.algorithm, d.name) : d.name;
}

std::string text_of(const Options& o, const Chooser& chooser, const Library& library, const Machine& machine,
                    const Collective& call, const Timed& chosen, const std::vector<Timed>& all,
                    const std::vector<LevelMessages>& levels, const std::optional<replay::ErrorBar>& bar) {
  const Decision& d = chosen.chosen.decision;
  const auto time = [](double s) { return console::with_unit(s, "s", kDigits); };
  std::string text = fmt::format("{} of {} B, {} ranks of {}, {}\n", o.operation, call.count * call.element_bytes,
                                 call.ranks, machine.name, title_of(library));
  text += fmt::format("  algorithm  {}{}\n", name_text(d), settings_text(library, chosen.chosen.settings));
  text += fmt::format("  chosen by  {}{}\n", by_text(d), d.why.empty() ? "" : ": " + d.why);
  text += fmt::format("  time       {}\n", time(chosen.seconds));
  if (bar) text += "\n" + error_bar_text(*bar, chosen.seconds, machine);
  text += fmt::format("\n{:<28}{:>12}{:>16}\n", "level where ranks meet", "messages", "bytes");
  for (const LevelMessages& l : levels) text += fmt::format("{:<28}{:>12}{:>16}\n", l.level, l.messages, l.bytes);
  std::size_t width = 28;
  for (const Timed& t : all) width = std::max(width, name_text(t.chosen.decision).size() + 1);
  text += fmt::format("\n{:<{}}{:>12}{:>16}\n", "algorithm", width, "time", "of the choice");
  for (const Timed& t : all) {
    const Decision& other = t.chosen.decision;
    const bool same = other.name == d.name;
    text += fmt::format("{:<{}}{:>12}{:>16.3f}{}\n", name_text(other), width, time(t.seconds),
                        t.seconds / chosen.seconds, same ? "  chosen" : "");
  }
  if (!all.empty() && all.front().seconds < chosen.seconds) {
    const Decision& best = all.front().chosen.decision;
    const std::string variables = chooser.variables(call.operation, best);
    text +=
        fmt::format("\n{} would take {:.0f} % of the time. ", best.name, 100 * all.front().seconds / chosen.seconds);
    text += variables.empty() ? "No variable of the library chooses it.\n"
                              : fmt::format("To choose it for all sizes:\n  {}\n", variables);
  }
  return text;
}

Json json_of(const Options& o, const Library& library, const Machine& machine, const Collective& call,
             const Timed& chosen, const std::vector<Timed>& all, const std::vector<LevelMessages>& levels,
             const std::optional<replay::ErrorBar>& bar) {
  const Decision& d = chosen.chosen.decision;
  Json json = {{"schema", "strata.collectives/1"},
               {"mpi", o.mpi},
               {"library", title_of(library)},
               {"machine", machine.name},
               {"machine_hash", machine_hash(machine)},
               {"op", o.operation},
               {"ranks", call.ranks},
               {"root", call.root},
               {"bytes", call.count * call.element_bytes},
               {"number", d.choice.algorithm},
               {"algorithm", d.name},
               {"segment", chosen.chosen.settings.segment_bytes},
               {"fanout", chosen.chosen.settings.fanout},
               {"rule", by_text(d)},
               {"why", d.why}};
  json["time"] = {{"low", bar ? Json(bar->low) : Json()},
                  {"value", chosen.seconds},
                  {"high", bar ? Json(bar->high) : Json()},
                  {"unit", "s"}};
  json["levels"] = Json::array();
  for (const LevelMessages& l : levels) {
    json["levels"].push_back({{"level", l.level}, {"messages", l.messages}, {"bytes", l.bytes}});
  }
  json["algorithms"] = Json::array();
  for (const Timed& t : all) {
    json["algorithms"].push_back({{"number", t.chosen.decision.choice.algorithm},
                                  {"algorithm", t.chosen.decision.name},
                                  {"time", {{"value", t.seconds}, {"unit", "s"}}}});
  }
  return json;
}

void draw_tree(const Options& o, const Library& library, const Machine& machine, const Collective& call,
               const Decision& d, const Trace& trace) {
  const std::optional<std::vector<int>> above = message_tree(trace, call);
  if (!above) {
    throw InputError("--svg", fmt::format("the messages of {} {} make no tree", o.operation, name_text(d)),
                     "--record FILE keeps them, and strata replay FILE --timeline shows them");
  }
  const std::string title =
      fmt::format("{} of {} B, {} ranks of {}, {}: {}", o.operation, call.count * call.element_bytes, call.ranks,
                  machine.name, title_of(library), name_text(d));
  write_and_tell(o.svg, draw_message_tree(title, *above, trace.cores, *machine.topology));
}

int explain(const Options& o) {
  const Library library = read_library(o.mpi);
  const Machine machine = o.machine.load(sim::find_installation());
  const std::vector<Binding> ranks = o.machine.place_on(machine);
  const auto np = static_cast<int>(ranks.size());
  if (np < 2) throw InputError("-n", "a collective of one rank sends nothing", "choose at least 2 ranks");
  if (o.root < 0 || o.root >= np) {
    throw InputError("--root", fmt::format("there is no rank {}", o.root), fmt::format("choose 0 to {}", np - 1));
  }
  const Operation operation = *find_operation(o.operation);
  const std::int64_t bytes = operation == Operation::kBarrier ? 0 : read_size(o.bytes, "--bytes");
  Collective call = call_of({operation, np, bytes}, "--bytes", o.root);
  for (const Binding& b : ranks) call.nodes.push_back(b.node);
  std::optional<RuleFile> rules;
  if (!o.rules.empty()) rules = read_rules(o.rules, library);
  const Chooser chooser(library, rules ? &*rules : nullptr, not_composed_by(library));
  Timed chosen = {chooser.choose(call)};
  const Decision& d = chosen.chosen.decision;
  if (chosen.chosen.algorithm == nullptr) {
    throw InputError("--op " + o.operation,
                     fmt::format("the library chooses {}, which has no schedule here ({})", name_text(d), by_text(d)),
                     "`strata exec` runs it with the library itself");
  }
  const Explained explained(chooser, call, machine, ranks);
  const Trace trace = explained.trace(chosen.chosen);
  replay::Traffic traffic;
  chosen.seconds = explained.seconds(trace, &traffic);
  std::optional<replay::ErrorBar> bar;
  if (o.error_bars) bar = error_bar_of(trace, machine, explained.cores(), chosen.seconds, o.jobs);
  if (!o.record.empty()) write_trace(o.record, trace);
  if (!o.svg.empty()) draw_tree(o, library, machine, call, chosen.chosen.decision, trace);
  const std::vector<Timed> all = explained.alternatives(chosen);
  if (o.json) {
    print(json_of(o, library, machine, call, chosen, all, traffic.levels(), bar));
  } else {
    print(text_of(o, chooser, library, machine, call, chosen, all, traffic.levels(), bar));
  }
  return 0;
}

}  // namespace

void add_collectives_explain(cli::App& collectives, Action& action) {
  auto o = std::make_shared<Options>();
  cli::App* sub =
      collectives.add_subcommand("explain", "Say which algorithm a collective uses, why, and what others would take");
  o->machine.add_machine(*sub);
  o->machine.add_placement(*sub);
  sub->add_option("--op", o->operation, "the collective: bcast, allreduce, ...")
      ->required()
      ->check(cli::IsMember(operation_names()));
  sub->add_option("--bytes", o->bytes,
                  "of the buffer of a broadcast, reduction or scan; of one rank's block of the others; 16K, 1M and 2G "
                  "are powers of 1,024 (default 8)");
  sub->add_option("--mpi", o->mpi,
                  "the library: openmpi-4.1 (default), openmpi-5.0, mpich-4.0, mpich-4.2, or a release of them");
  sub->add_option("--rules", o->rules,
                  "a file of rules that the library gets (coll_tuned_dynamic_rules_filename of Open MPI, "
                  "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE of MPICH)");
  sub->add_option("--root", o->root, "the root's rank (default 0)");
  sub->add_option("--record", o->record, "write the collective as a trace into this file, for strata replay")
      ->writes(cli::Written::kFile);
  sub->add_option("--svg", o->svg,
                  "draw the tree along which the data of a bcast, scatter, reduce or gather flow, over the machine")
      ->writes(cli::Written::kFile);
  sub->add_flag(
      "--error-bars", o->error_bars,
      "say how far the time may be off, by the intervals of the machine's figures that strata calibrate writes");
  sub->add_option("--jobs", o->jobs, "replays at a time, for --error-bars (default: one per processor)")
      ->check(cli::PositiveNumber);
  sub->add_flag("--json", o->json, "print one JSON document");
  sub->footer(
      "Examples:\n  strata collectives explain --machine ntw10e5 -n 64 --op bcast --bytes 1M\n"
      "  strata collectives explain --machine my-cluster -n 512 --op allreduce --bytes 64K --rules rules.conf --json\n"
      "  strata collectives explain --machine ntw10e5 -n 64 --op bcast --bytes 1M --mpi mpich-4.0\n"
      "  strata collectives explain --machine ntw10e5 -n 64 --op reduce --bytes 8 --svg tree.svg");
  o->bytes = "8";
  sub->callback([o, &action] { action = [o] { return explain(*o); }; });
}

}  // namespace strata::command
