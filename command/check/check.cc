// SPDX-License-Identifier: LGPL-2.1-only
// strata check: checks the pure cores for all small inputs, MPI programs with all orders of messages, and scenarios
// against models and claims.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <memory>
#include <sstream>

#include "analysis/format.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/output_error.h"
#include "check/areas/areas.h"
#include "check/messages/protocol_exploration.h"
#include "command/check/area_results.h"
#include "command/check/merge_documents.h"
#include "command/check/programs.h"
#include "command/check/protocols.h"
#include "command/check/scenarios.h"
#include "command/check/text.h"
#include "command/command.h"
#include "command/print.h"
#include "command/run_study.h"

namespace strata::command {
namespace {

namespace fs = std::filesystem;
using check::Verdict;
using Areas = std::vector<std::unique_ptr<check::Area>>;

struct Options {
  std::vector<std::string> what;
  bool all = false, no_protocols = false, install = false, list = false, json = false;
  AreaOptions areas;
  std::string svg;
  // For scenarios.
  std::vector<std::string> settings;
  std::string out, expect;
  bool resume = false;
  // For a program.
  std::string program, buffering = "all,none", reduction = "dpor";
  MachineOptions machine;
  double time_limit_s = 600;
  // For a single case.
  std::string replay;
  bool debugger = false, here = false;
};

struct Document {
  std::vector<check::AreaResult> areas;
  std::vector<ProgramResult> programs;
  std::vector<ScenarioResult> scenarios;
};

// Writes the picture of the first counter-example that has one.
void draw_first(const Document& document, const std::string& file) {
  std::vector<const check::CounterExample*> all;
  for (const check::AreaResult& r : document.areas) {
    for (const check::PropertyResult& p : r.properties) {
      if (p.counter_example) all.push_back(&*p.counter_example);
    }
  }
  for (const ProgramResult& r : document.programs) {
    if (r.explored.counter_example) all.push_back(&*r.explored.counter_example);
  }
  for (const check::CounterExample* c : all) {
    if (!c->drawing.svg.empty()) return write_and_tell(file, c->drawing.svg);
  }
  std::fputs("no counter-example has a picture, so none was written\n", stderr);
}

// The overall verdict.
Verdict verdict_on(const Document& document) {
  bool decided = true, covered = document.scenarios.empty();
  for (const check::AreaResult& r : document.areas) {
    if (!r.holds()) return Verdict::kViolated;
    covered = true;
  }
  for (const ProgramResult& r : document.programs) {
    const bool limited = r.explored.verdict == Verdict::kUndecided;
    if (!r.holds() && !limited) return Verdict::kViolated;
    decided = decided && !limited;
    covered = true;
  }
  for (const ScenarioResult& r : document.scenarios) {
    if (!r.holds()) return Verdict::kViolated;
    covered = covered || r.verdict() != Verdict::kNotCovered;
  }
  return !decided ? Verdict::kUndecided : !covered ? Verdict::kNotCovered : Verdict::kHolds;
}

template <class Result>
Json json_list(const std::vector<Result>& results) {
  Json list = Json::array();
  for (const Result& r : results) list.push_back(json_of(r));
  return list;
}

int report(const Document& document, const Options& o) {
  const Verdict verdict = verdict_on(document);
  if (o.json) {
    Json json = {{"schema", kCheckSchema}, {"verdict", name_of(verdict)}};
    if (!o.areas.shard.empty()) json["shard"] = shard_json(read_shard(o.areas.shard));
    json["areas"] = json_list(document.areas);
    json["programs"] = json_list(document.programs);
    json["scenarios"] = json_list(document.scenarios);
    print(json);
  } else {
    if (!document.areas.empty()) print(verdict_of(document.areas), verdict_marks());
    if (!document.programs.empty()) print(verdict_of(document.programs), verdict_marks());
  }
  if (!o.svg.empty()) draw_first(document, o.svg);
  return verdict == Verdict::kViolated ? 1 : verdict == Verdict::kUndecided ? 3 : 0;
}

// Checks a results folder as it is, or runs a scenario first.
ScenarioResult check_scenario(const std::string& name, const Options& o, bool several,
                              const sim::Installation& installation) {
  if (fs::exists(fs::path(name) / "manifest.json")) return check_results(load_results(name));
  const Scenario scenario = load_study(name, o.settings, installation);
  return check_results(run_study(scenario, name, o.settings,
                                 {.out = results_folder(name, o.out, several),
                                  .jobs = o.areas.jobs,
                                  .resume = o.resume,
                                  .quiet = false,
                                  .command_line = {}},
                                 installation));
}

// Sets a buffering in the form of --buffering: all, none, or bytes.
void set_buffering(const std::string& name, check::Exploration& exploration) {
  if (name == "all") {
    exploration.buffering = check::Buffering::kAll;
  } else if (name == "none") {
    exploration.buffering = check::Buffering::kNone;
  } else {
    exploration.buffering = check::Buffering::kSome;
    long bytes = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), bytes);
    if (error != std::errc() || end != name.data() + name.size() || bytes < 0)
      throw InputError("--buffering", "'" + name + "' is not a buffering",
                       "give all, none, or a number of bytes; several with commas");
    exploration.eager_limit_bytes = static_cast<double>(bytes);
  }
}

// The user's program, with a question for each buffering.
std::vector<ProgramQuestion> user_program(const Options& o, const sim::Installation& installation) {
  if (o.machine.np == 0 && o.machine.bindings.empty())
    throw InputError("command line", "--program without --np", "say on how many ranks; 2 to 4 take seconds");
  const auto machine = std::make_shared<const Machine>(
      o.machine.has_machine() ? o.machine.load(installation)
                              : machine_from_tree(fmt::format("node:1 core:{}", std::max(1, o.machine.np))));
  std::string common = "strata check --program " + analysis::shell_text({o.program});
  if (o.machine.np > 0) common += fmt::format(" --np {}", o.machine.np);
  if (!o.machine.machine.empty()) common += " --machine " + analysis::shell_text({o.machine.machine});
  if (!o.machine.xml.empty())
    common += fmt::format(" --xml {} --nodes {}", analysis::shell_text({o.machine.xml}), o.machine.nodes);
  const PlacementOptions usual;
  if (map_by_text(o.machine.placement) != map_by_text(usual))
    common += " --map-by " + analysis::shell_text({map_by_text(o.machine.placement)});
  if (o.machine.placement.bind_to != usual.bind_to)
    common += " --bind-to " + analysis::shell_text({o.machine.placement.bind_to.name()});
  if (o.machine.placement.oversubscribe) common += " --oversubscribe";
  if (!o.machine.bindings.empty()) common += " --bindings " + analysis::shell_text({o.machine.bindings});
  std::vector<ProgramQuestion> questions;
  std::istringstream names(o.buffering);
  for (std::string name; std::getline(names, name, ',');) {
    ProgramQuestion q{.exploration = {}, .command = common + " --buffering " + name, .after = "", .runs_first = true};
    q.exploration.name = fs::path(o.program).stem();
    q.exploration.machine = machine;
    q.exploration.program = fs::path(o.program).is_absolute() || o.program.find('/') != std::string::npos
                                ? o.program
                                : (fs::path(".") / o.program).string();
    q.exploration.arguments = o.what;
    q.exploration.placement.ranks = o.machine.place_on(*machine);
    q.exploration.reduction = o.reduction == "dpor" ? check::Reduction::kDpor : check::Reduction::kNone;
    q.exploration.limits.seconds = o.time_limit_s;
    q.exploration.jobs = o.areas.jobs;
    set_buffering(name, q.exploration);
    if (!o.what.empty()) q.after = " -- " + analysis::shell_text(o.what);
    questions.push_back(std::move(q));
  }
  if (questions.empty()) throw InputError("--buffering", "is empty", "give all, none, or a number of bytes");
  return questions;
}

// Restarts this program in gdb, which stops where the case is replayed. Does not return.
[[noreturn]] void debug_this(const std::vector<std::string>& arguments) {
  const std::string self = fs::read_symlink("/proc/self/exe");
  std::vector<std::string> words = {
      "gdb", "-q",     "-ex", "set breakpoint pending on", "-ex", "break strata::check::replay_here", "-ex",
      "run", "--args", self};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execvp(argv[0], argv.data());
  throw InputError("gdb", "is not installed", "install the Debian package gdb, or replay without --debugger");
}

int replay(const Options& o, const Areas& areas) {
  const check::Key key = check::parse_key(o.replay);
  if (is_protocol(key.subject)) return replay_program(protocol_of(key), o.replay, o.debugger, o.json);
  for (const auto& area : areas) {
    if (area->name() == key.subject && o.debugger) debug_this({"check", "--here", "--replay", o.replay});
    if (area->name() == key.subject) return replay_area(*area, key, o.here, o.json, o.svg);
  }
  throw InputError("--replay " + o.replay, "there is no area '" + key.subject + "'", "`strata check --list` shows all");
}

// Prints a result immediately; with --json, there is one document at the end instead.
void print_now(const std::string& text, const Options& o) {
  if (!o.json) print(text, verdict_marks());
  std::fflush(stdout);
}

// --shard writes documents for merging. Scenarios cannot be sharded here; `strata run` has its own shards.
void require_shardable(const std::vector<std::string>& scenarios, const Options& o) {
  const std::string where = "--shard " + o.areas.shard;
  if (!scenarios.empty()) {
    throw InputError(where, "goes with areas and programs, not with the scenario " + scenarios.front(),
                     "check it alone, without --shard; `strata run` has shards of a scenario");
  }
  if (!o.json) throw InputError(where, "needs --json", "write the document into a file for strata submit merge");
}

void set_shard(std::vector<ProgramQuestion>& questions, const Options& o) {
  if (o.areas.shard.empty()) return;
  const Shard shard = read_shard(o.areas.shard);
  for (ProgramQuestion& q : questions) {
    q.exploration.shard = shard.number;
    q.exploration.shards = shard.of;
  }
}

int check_program(const Options& o, const sim::Installation& installation) {
  std::vector<ProgramQuestion> questions = user_program(o, installation);
  set_shard(questions, o);
  if (!o.replay.empty()) return replay_program(questions.front(), o.replay, o.debugger, o.json);
  Document document;
  document.programs = check_programs(questions, [&](const ProgramResult& r) { print_now(text_of(r), o); });
  return report(document, o);
}

// Loads all scenarios before anything runs, to find errors.
void require_scenarios(const std::vector<std::string>& names, const Options& o, const Areas& areas,
                       const sim::Installation& installation) {
  const std::vector<std::string> catalog = scenario_names(installation.scenarios);
  for (const std::string& name : names) {
    if (fs::exists(fs::path(name) / "manifest.json")) continue;
    if (!fs::exists(name) && std::find(catalog.begin(), catalog.end(), name) == catalog.end()) {
      std::string known;
      std::vector<std::string> all = catalog;
      for (const auto& area : areas) {
        known += area->name() + ", ";
        all.push_back(area->name());
      }
      const std::string meant = did_you_mean(name, all);
      throw InputError("command line",
                       "'" + name + "' is not an area (" + known + "or protocols), a results folder or a scenario",
                       (meant.empty() ? "" : meant + " ") + "`strata check --list` and `strata run --list` show all");
    }
    require_checks(load_study(name, o.settings, installation).study, name);
  }
}

int run(const Options& o) {
  if (o.install)  // ./strata handles it if it is the only option, because it installs packages
    throw InputError("--install-mc", "works only as ./strata check --install-mc, without other options",
                     "run ./strata check --install-mc, or, where Strata is installed, strata check --install-mc");
  const Areas areas = check::all_areas();
  if (o.list) {
    std::fputs((list_of(areas) + list_of_protocols()).c_str(), stdout);
    return 0;
  }
  if (o.all && !o.what.empty())
    throw InputError("command line", "--all and " + o.what.front() + " both say what to check", "give one");
  const sim::Installation installation = sim::find_installation();
  if (!o.areas.shard.empty() && !o.replay.empty())
    throw InputError("--shard", "has no meaning with --replay", "leave it out");
  if (!o.areas.shard.empty()) require_shardable({}, o);
  if (!o.program.empty()) return check_program(o, installation);
  if (!o.replay.empty()) return replay(o, areas);

  std::vector<std::string> what = o.what;  // areas and protocols remove their words; the rest are scenarios
  if (o.all && !o.no_protocols) what.emplace_back(check::kProtocols);
  AreaOptions how = o.areas;
  how.quick = how.quick || (what.empty() && !o.all);
  std::vector<ProgramQuestion> protocols = find_protocols(what, how.quick, how.jobs);
  set_shard(protocols, o);
  if (!protocols.empty()) check::need_model_checker();  // fail before anything runs
  std::vector<AreaQuestion> questions;
  if (o.what.empty() || !what.empty()) questions = find_questions(areas, what);
  if (!o.areas.shard.empty()) require_shardable(what, o);
  require_scenarios(what, o, areas, installation);
  std::unique_ptr<Expected> expected;
  if (!o.expect.empty()) expected = std::make_unique<Expected>(o.expect);

  Document document;
  document.areas =
      check_areas(questions, how, [&](const check::AreaResult& r) { print_now(text_of(r, kReplay) + "\n", o); });
  document.programs = check_programs(protocols, [&](const ProgramResult& r) { print_now(text_of(r), o); });
  for (const std::string& name : what) {
    document.scenarios.push_back(check_scenario(name, o, what.size() > 1, installation));
    if (expected) expected->apply(document.scenarios.back());
    print_now(text_of(document.scenarios.back()), o);
  }
  return report(document, o);
}

// For completion in a shell.
std::vector<std::string> known_names() {
  std::vector<std::string> names = {"protocols"};
  for (const auto& area : check::all_areas()) names.push_back(area->name());
  return names;
}

}  // namespace

void add_check(cli::App& app, Action& action) {
  auto o = std::make_shared<Options>();
  o->areas.jobs = default_jobs();
  cli::App* sub = app.add_subcommand("check", kCheckAbout);
  sub->add_option("WHAT", o->what,
                  "areas (hsplit), properties (hsplit/strict-subset), protocols (protocols, protocols/hierarchy), "
                  "scenarios or results folders; default: all areas with small bounds. With --program, after --: the "
                  "program's arguments")
      ->suggests(known_names());
  sub->add_flag("--all", o->all, "all areas with full bounds, and all protocols");
  sub->add_flag("--no-protocols", o->no_protocols, "with --all: leave out protocols, which need --install-mc");
  o->areas.add(*sub);
  sub->add_flag(
      "--install-mc", o->install,
      "build SimGrid 3.32 with its model checker, which protocols and programs need, into a cache; once, takes "
      "about ten minutes; with SimGrid 4.0 there is nothing to build");
  sub->add_flag("--list", o->list, "list the areas, their bounds, their properties with sources, and the protocols");
  sub->add_flag("--json", o->json, "print one JSON document");
  sub->add_option("--svg", o->svg, "write a picture of the first counter-example into this file")
      ->writes(cli::Written::kFile);
  sub->add_option("--replay", o->replay, "look at one counter-example again, by its key");
  sub->add_flag("--debugger", o->debugger, "with --replay: in gdb");
  sub->add_flag("--here", o->here, "with --replay: in this process, so that you can run it in your own debugger");
  sub->add_option(
      "--program", o->program,
      "an MPI program built with smpicc, to run once with checks of its calls, and in all orders of its messages");
  o->machine.add_machine(*sub);
  o->machine.add_placement(*sub);
  sub->add_option("--buffering", o->buffering,
                  "which sends complete before they are received: all, none, or those of fewer than so many bytes; "
                  "several with commas (default all,none: MPI allows both)")
      ->suggests({"all", "none"});
  sub->add_option("--reduction", o->reduction,
                  "dpor: one of all orders that make no difference (default); none: all orders")
      ->check(cli::IsMember({"dpor", "none"}));
  sub->add_option("--limit", o->time_limit_s, "wall time for one exploration, in s (default 600)")
      ->check(cli::PositiveNumber)
      ->formerly("--time-limit");
  sub->add_option("--set", o->settings, "with scenarios: KEY=VALUE, as for strata run")->allow_extra_args(false);
  sub->add_option("--out", o->out, "with scenarios: the results folder, as for strata run")
      ->writes(cli::Written::kFolder);
  sub->add_flag("--resume", o->resume, "with scenarios: continue an interrupted run");
  sub->add_option("--expect", o->expect,
                  "with scenarios: a document that `strata check SCENARIO --json` printed; verdicts that differ from "
                  "it are violations");
  sub->footer(
      "Exit codes: 0 holds, 1 violated, 2 bad usage or input, 3 the checker failed or came to no verdict.\n"
      "Examples:\n  strata check                              every area, takes seconds\n"
      "  strata check --all                        every area, takes minutes\n"
      "  strata check hsplit nodecart --bound ranks=3\n"
      "  strata check --install-mc                 once, for what follows\n"
      "  strata check protocols\n"
      "  strata check --program ./prog --np 3 --svg steps.svg -- --size 8\n"
      "  strata check rr9077/fig5-bcast-ntw10e5    the simulation against models and claims\n"
      "  strata check --all --no-protocols --shard 3/8 --json > 3.json    on the third of eight machines\n"
      "  strata check my.yaml --json > verdicts.json; strata check my.yaml --expect verdicts.json");
  sub->callback([o, &action] { action = [o] { return run(*o); }; });
}

}  // namespace strata::command
