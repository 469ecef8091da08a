// strata check: the pure cores on all small inputs, the MPI code in all orders of messages, the simulation against the
// models.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "models/check/areas.h"
#include "platforms/error.h"
#include "sim/command/check/areas.h"
#include "sim/command/check/scenarios.h"
#include "sim/command/command.h"
#include "sim/command/study.h"
#include "sim/record/output_error.h"

namespace strata::command {
namespace {

namespace fs = std::filesystem;
using Areas = std::vector<std::unique_ptr<check::Area>>;

constexpr const char* kReplay = "strata check --replay";

struct Options {
  std::vector<std::string> what;
  bool all = false, list = false, json = false;
  AreaOptions areas;
  std::string svg;
  // Of scenarios.
  std::vector<std::string> settings;
  std::string out, expect;
  bool resume = false;
  // Of one case.
  std::string replay;
  bool debugger = false, here = false;
};

struct Document {
  std::vector<check::AreaResult> areas;
  std::vector<ScenarioResult> scenarios;
};

// The first picture of a counter-example.
void draw_first(const Document& document, const std::string& file) {
  for (const check::AreaResult& r : document.areas) {
    for (const check::PropertyResult& p : r.properties) {
      if (!p.counter_example || p.counter_example->drawing.svg.empty()) continue;
      write_and_tell(file, p.counter_example->drawing.svg);
      return;
    }
  }
  std::fputs("no counter-example has a picture, so none was written\n", stderr);
}

int report(const Document& document, const Options& o) {
  bool holds = true;
  Json areas = Json::array(), scenarios = Json::array();
  for (const check::AreaResult& r : document.areas) {
    holds = holds && r.holds();
    areas.push_back(json_of(r));
  }
  for (const ScenarioResult& r : document.scenarios) {
    holds = holds && r.holds();
    scenarios.push_back(json_of(r));
  }
  if (o.json) {
    const Json json = {{"schema", "strata.check/1"},
                       {"verdict", holds ? "holds" : "violated"},
                       {"areas", areas},
                       {"scenarios", scenarios}};
    std::fputs((json.dump() + "\n").c_str(), stdout);
  } else if (!document.areas.empty()) {
    std::fputs(verdict_of(document.areas).c_str(), stdout);
  }
  if (!o.svg.empty()) draw_first(document, o.svg);
  return holds ? 0 : 1;
}

// A results folder is checked as it is; a scenario is run first.
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

int replay(const Options& o, const Areas& areas) {
  const check::Key key = check::parse_key(o.replay);
  for (const auto& area : areas) {
    if (area->name() == key.area) return replay_area(*area, key, o.here, o.json, o.svg);
  }
  throw InputError("--replay " + o.replay, "there is no area '" + key.area + "'", "`strata check --list` shows all");
}

int run(const Options& o) {
  const Areas areas = check::all_areas();
  if (o.list) {
    std::fputs(list_of(areas).c_str(), stdout);
    return 0;
  }
  if (!o.replay.empty()) return replay(o, areas);
  std::vector<std::string> scenarios = o.what;
  Document document;
  std::vector<AreaQuestion> questions = find_questions(areas, scenarios);
  AreaOptions how = o.areas;
  if (o.what.empty() && !o.all) how.quick = true;
  if (o.all && !o.what.empty())
    throw InputError("--all", "says what is checked, as " + o.what.front() + " does", "give one");
  std::unique_ptr<Expected> expected;
  if (!o.expect.empty()) expected = std::make_unique<Expected>(o.expect);
  const sim::Installation installation = sim::find_installation();
  for (const std::string& name : scenarios) {  // all are read before anything runs
    if (!fs::exists(fs::path(name) / "manifest.json")) load_study(name, o.settings, installation);
  }
  document.areas = check_areas(questions, how, [&](const check::AreaResult& r) {
    if (!o.json) std::fputs((text_of(r, kReplay) + "\n").c_str(), stdout);
    std::fflush(stdout);
  });
  for (const std::string& name : scenarios) {
    document.scenarios.push_back(check_scenario(name, o, scenarios.size() > 1, installation));
    if (expected) expected->apply(document.scenarios.back());
    if (!o.json) std::fputs(text_of(document.scenarios.back()).c_str(), stdout);
    std::fflush(stdout);
  }
  return report(document, o);
}

}  // namespace

void add_check(CLI::App& app, Action& action) {
  auto o = std::make_shared<Options>();
  o->areas.jobs = default_jobs();
  CLI::App* sub = app.add_subcommand(
      "check",
      "Check the algorithms on all small machines, their MPI code in all orders of messages, a scenario's results");
  sub->add_option("WHAT", o->what,
                  "areas (hsplit), properties of one (hsplit/strict-subset), scenarios or results folders; none: all "
                  "areas, with small bounds");
  sub->add_flag("--all", o->all, "all areas, with their full bounds");
  o->areas.add(*sub);
  sub->add_flag("--list", o->list, "the areas, their bounds, their properties and the sources of these");
  sub->add_flag("--json", o->json, "one JSON document");
  sub->add_option("--svg", o->svg, "a file for a picture of the first counter-example");
  sub->add_option("--replay", o->replay, "look at one case again: a key, as it was printed");
  sub->add_flag("--here", o->here, "replay in this process, for a debugger that runs it");
  sub->add_option("--set", o->settings, "of scenarios: KEY=VALUE, as for strata run")->allow_extra_args(false);
  sub->add_option("--out", o->out, "of scenarios: the results folder, as for strata run");
  sub->add_flag("--resume", o->resume, "of scenarios: continue a run that was interrupted");
  sub->add_option(
      "--expect", o->expect,
      "of scenarios: a document that `strata check SCENARIO --json` printed; other verdicts are violations");
  sub->footer(
      "Exit codes: 0 holds, 1 violated, 2 bad usage or input, 3 the checker failed.\n"
      "Examples:\n  strata check                              every area, some seconds\n"
      "  strata check --all                        every area, some minutes\n"
      "  strata check hsplit nodecart --bound ranks=3\n"
      "  strata check rr9077/fig5-bcast-ntw10e5    the simulation against models and claims\n"
      "  strata check my.yaml --json > verdicts.json; strata check my.yaml --expect verdicts.json");
  sub->callback([o, &action] { action = [o] { return run(*o); }; });
}

}  // namespace strata::command
