// SPDX-License-Identifier: LGPL-2.1-only
#include "scenarios/scenario_keys.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "base/limits.h"
#include "base/words.h"
#include "mpi_ext/cart/cart_mapping.h"
#include "platforms/allocation.h"
#include "platforms/placement.h"
#include "records/placeholders.h"
#include "scenarios/figure_changes.h"
#include "scenarios/quantities.h"
#include "scenarios/sweep.h"

namespace strata {
namespace {

constexpr long kMostSeconds = 10'000'000;
constexpr long kMostNodes = 1'000'000;

const std::string kRanksRemedy = "give a number, or `all` for one rank a core";

// Converts a row for a study into one for a scenario.
KeyOf<Scenario> of_study(KeyOf<Study> row) {
  return {std::move(row.key), [read = std::move(row.read)](const YamlReader& at, Scenario& s) { read(at, s.study); }};
}

// A path is relative to the file that contains it. A text without a slash is a name in a catalog.
std::string name_or_path(const YamlReader& at) {
  const std::string text = at.text();
  return text.find('/') == std::string::npos ? text : (at.folder() / text).string();
}

// --- machine -------------------------------------------------------------------------------------------------------

Keys<Scenario> machine_on_the_spot_keys() {
  return {{{.name = "xml",
            .value = Value::text("path, relative to this file"),
            .meaning = "An hwloc XML file: the inside of every node. Costs are assumed.",
            .missing = "add it"},
           [](const YamlReader& at, Scenario& s) { s.xml = at.folder() / at.text(); }},
          {{.name = "nodes",
            .value = Value::whole(1, kMostNodes),
            .meaning = "How many nodes there are, under one switch.",
            .missing = "add it"},
           [](const YamlReader& at, Scenario& s) { s.nodes = static_cast<int>(at.integer()); }}};
}

void read_machine(const YamlReader& at, Scenario& s) {
  s.xml.clear();
  if (at.is_map()) return read_keys(at, machine_on_the_spot_keys(), s);
  s.machine = name_or_path(at);
}

// --- mapping -------------------------------------------------------------------------------------------------------

Keys<Scenario> mapping_keys() {
  return {{{.name = "map_by",
            .value = Value::word(MapBy::names(), "map_by value"),
            .meaning = "Deal the ranks over the objects of this type in turn, each to the next free core of its "
                       "object. `spread` leaves the free cores evenly spread, `block-cyclic` fills node after node, "
                       "each over its packages in turn, `random` takes any cores of the first nodes (by `seed`).",
            .usual = "core",
            .set = true},
           [](const YamlReader& at, Scenario& s) {
             s.mapping.map_by = MapBy(at.text());
             s.bindings.clear();  // the last setting wins
           }},
          {{.name = "bind_to",
            .value = Value::word(BindTo::names(), "bind_to value"),
            .meaning = "Bind each rank to the object of this type that holds its core; `none`: to its whole node.",
            .usual = "core",
            .set = true},
           [](const YamlReader& at, Scenario& s) {
             s.mapping.bind_to = BindTo(at.text());
             s.bindings.clear();
           }},
          {{.name = "oversubscribe",
            .value = Value::truth(),
            .meaning = "Whether there may be more ranks than cores.",
            .usual = "false",
            .set = true},
           [](const YamlReader& at, Scenario& s) { s.mapping.oversubscribe = at.boolean(); }},
          {{.name = "bindings",
            .value = Value::text("path, relative to this file"),
            .meaning = "Instead of the three keys above: a file with a line `rank node cpuset` for each rank.",
            .example = "bindings: bindings.txt",
            .set = true},
           [](const YamlReader& at, Scenario& s) { s.bindings = at.folder() / at.text(); }},
          {{.name = "progress",
            .value = Value::text("`bind`, `numa`, `odd-even` or a list of PUs"),
            .meaning = "Each rank has a progress thread: on its own core, on a free core of its NUMA node, on the "
                       "node's free cores in turn, or on the cores of these PUs (OS indexes) in turn. A program of "
                       "yours must then keep no mutable globals: ranks and threads share them.",
            .example = "progress: numa",
            .set = true},
           [](const YamlReader& at, Scenario& s) { s.study.progress = at.text(); }}};
}

void read_mapping(const YamlReader& mapping, Scenario& s) {
  for (const char* key : {"map_by", "bind_to", "oversubscribe"}) {
    if (mapping.has(key) && mapping.has("bindings")) mapping.fail("has bindings and a policy", "give one or the other");
  }
  read_keys(mapping, mapping_keys(), s);
}

// --- allocation ----------------------------------------------------------------------------------------------------

Keys<Study> allocation_keys() {
  return {
      {{.name = "shape",
        .value = Value::text("routers along each dimension"),
        .meaning = "A box of routers of a torus, at its origin.",
        .example = "shape: 2x2x8"},
       [](const YamlReader& at, Study& s) { s.allocation = at.text(); }},
      {{.name = "seed",
        .value = Value::whole(0, kMostWhole),
        .meaning = "Instead of `shape`: as many nodes as the ranks need, anywhere on the machine, drawn by this seed.",
        .example = "seed: 7"},
       [](const YamlReader& at, Study& s) { s.allocation = "random:" + at.text(); }}};
}

void read_allocation(const YamlReader& at, Scenario& s) {
  s.study.allocation.clear();
  if (at.is_map()) {
    if (at.has("shape") == at.has("seed")) at.fail("does not have exactly one of shape and seed", "give one");
    read_keys(at, allocation_keys(), s.study);
  } else {
    s.study.allocation = at.text();
  }
  parse_allocation(s.study.allocation, at.where());
  if (s.study.allocation == kFirstNodes) s.study.allocation.clear();
}

// --- reference -----------------------------------------------------------------------------------------------------

Value ranks_value() { return Value::either({Value::word({"all"}), Value::whole(1, kMostRanks)}); }

// Parses a number of ranks; 0 for `all`.
int read_ranks(const YamlReader& at) { return at.text() == "all" ? 0 : static_cast<int>(at.integer()); }

Value arguments_value() {
  Value argument = Value::text("arguments");
  argument.may_be_empty = true;
  return Value::list(argument);
}

std::vector<std::string> read_arguments(const YamlReader& list) {
  std::vector<std::string> arguments;
  for (const YamlReader& a : list.items()) {
    arguments.push_back(a.is_empty() ? "" : a.text());
    try {
      names_in_braces(arguments.back());
    } catch (const std::invalid_argument& e) {
      a.fail("'" + arguments.back() + "' has " + e.what(), "write {NAME} for the value of an axis, {{ for a brace");
    }
  }
  return arguments;
}

Keys<Reference> reference_keys() {
  return {
      {{.name = "ranks",
        .value = ranks_value(),
        .meaning = "How many ranks it has; `all`: one for each core.",
        .example = "ranks: all",
        .missing = kRanksRemedy},
       [](const YamlReader& at, Reference& r) { r.ranks = read_ranks(at); }},
      {{.name = "arguments",
        .value = arguments_value(),
        .meaning = "Of the program, after the scenario's.",
        .example = "arguments: [--steps, blocking]"},
       [](const YamlReader& at, Reference& r) { r.arguments = read_arguments(at); }},
      {{.name = "metric",
        .value = Value::text(),
        .meaning = "Which of the numbers that it prints is taken.",
        .example = "metric: work",
        .missing = "name what the program prints"},
       [](const YamlReader& at, Reference& r) { r.metric = at.text(); }},
      {{.name = "option",
        .value = Value::text("name of an option"),
        .meaning = "Every point is given the number as `--OPTION NUMBER`. `--set OPTION=NUMBER` gives it instead of "
                   "a measurement.",
        .example = "option: work",
        .missing = "name the program's option that gets the value, without --"},
       [](const YamlReader& at, Reference& r) {
         r.option = at.text();
         if (!is_plain(r.option) || r.option.front() == '-')
           at.fail("'" + r.option + "' is not the name of an option", "write its name without --, as `work`");
       }}};
}

void read_reference(const YamlReader& reference, Scenario& s) {
  Reference r;
  read_keys(reference, reference_keys(), r);
  if (parameters_set_by(s.study).count(r.option) != 0)
    reference.at("option").fail("an axis sets '" + r.option + "' too", "keep one");
  s.study.reference = r;
}

// --- the file ------------------------------------------------------------------------------------------------------

Value shim_value() {
  std::vector<std::string> words = {kShimOff, kShimOn};
  for (const mpix::CartMethod method : mpix::cart_methods()) words.emplace_back(mpix::name_of(method));
  Value value = Value::word(std::move(words), "shim value");
  value.or_truth = true;
  return value;
}

Keys<Scenario> head_keys() {
  return {
      {{.name = "schema",
        .value = Value::word({kScenarioSchema}),
        .meaning = "The format of this file.",
        .missing = "begin with it"},
       [](const YamlReader&, Scenario&) {}},
      {{.name = "name",
        .value = Value::text(),
        .meaning = "What results call the scenario.",
        .example = "name: quickstart",
        .missing = "add it"},
       [](const YamlReader& at, Scenario& s) { s.study.scenario = at.text(); }},
      {{.name = "title",
        .value = Value::text(),
        .meaning = "The heading of its report.",
        .example = "title: Broadcast on 240 cores",
        .missing = "add it"},
       [](const YamlReader& at, Scenario& s) { s.study.title = at.text(); }},
      {{.name = "machine",
        .value =
            Value::either({Value::mapping("Machine on the spot", [] { return rows_of(machine_on_the_spot_keys()); }),
                           Value::text("name or path")}),
        .meaning = "A machine of the catalog, or the path of a machine.yaml, relative to this file.",
        .example = "machine: ntw10e5",
        .missing = "name a machine of the catalog, or {xml: FILE, nodes: N}",
        .set = true},
       read_machine},
      {{.name = "what_if",
        .value = Value::list(Value::mapping("What-if", what_if_rows)),
        .meaning = "Figures of the machine that are changed. `--set what_if.FIGURE=8KiB`, or `=0.25x` for a factor, "
                   "changes one more. A number may be the name of an axis in braces: then the machine differs from "
                   "point to point.",
        .example = "what_if: [{figure: System - Cluster.latency, times: 0.25, source: \"assumed: why\"}]",
        .set = true},
       [](const YamlReader& at, Scenario& s) {
         FigureChanges changes = read_what_ifs(at);
         s.what_ifs = std::move(changes.fixed);
         s.swept_figures = std::move(changes.swept);
       }},
      {{.name = "program",
        .value = Value::text("name or path"),
        .meaning = "A program of the catalog (`scenarios/programs/`), or the path, relative to this file, of any MPI "
                   "program built with smpicc.",
        .example = "program: collective",
        .missing = "name a program of the catalog, or the path of one built with smpicc",
        .set = true},
       [](const YamlReader& at, Scenario& s) {
         s.study.program = at.text();
         s.program = name_or_path(at);
       }},
      {{.name = "source",
        .value = Value::text(),
        .meaning = "Where to get the program. A run without the program says it.",
        .example = "source: \"NPB 3.4, https://www.nas.nasa.gov/software/npb.html\""},
       [](const YamlReader& at, Scenario& s) { s.source = at.text(); }},
      {{.name = "build",
        .value = Value::text("command"),
        .meaning =
            "Makes the program: a command that `sh -c` runs in this file's folder before the first point, with the "
            "compilers of `strata mpi` (`mpicc`, `mpicxx`, `mpifort`) first on the PATH. Results "
            "keep what it prints (`output/build.out`, `output/build.err`). With `--resume` it runs only where "
            "the program is missing.",
        .example = "build: make -C ../lulesh CXX=mpicxx"},
       [](const YamlReader& at, Scenario& s) { s.study.build = at.text(); }},
      {{.name = "folder",
        .value = Value::text("path, relative to this file"),
        .meaning =
            "Where the program runs: it finds its input files there, and leaves its output files. Points then run "
            "one at a time, even with `--jobs`. Left out: an empty folder for each point, removed at its end.",
        .example = "folder: input",
        .set = true},
       [](const YamlReader& at, Scenario& s) {
         s.study.folder = at.text();
         s.folder = at.folder() / at.text();
       }},
      {{.name = "arguments",
        .value = arguments_value(),
        .meaning = "Of the program, before those of the sweep. The name of an axis in braces becomes its value, "
                   "which is then not given as `--AXIS VALUE`; `{ranks}` becomes the number of ranks; `{{` a brace.",
        .example = "arguments: [-s, \"{elements}\", -i, 10]"},
       [](const YamlReader& at, Scenario& s) { s.study.arguments = read_arguments(at); }},
      {{.name = "ranks",
        .value = ranks_value(),
        .meaning = "How many ranks there are; `all`: one for each core. Required, unless an axis of the sweep sets it.",
        .example = "ranks: all",
        .set = true},
       [](const YamlReader& at, Scenario& s) { s.study.ranks = read_ranks(at); }},
      {{.name = "mapping",
        .value = Value::mapping("Mapping", [] { return rows_of(mapping_keys()); }),
        .meaning = "Where the ranks run.",
        .example = "mapping: {map_by: numa, bind_to: core}"},
       read_mapping},
      {{.name = "allocation",
        .value = Value::either({Value::mapping("Allocation", [] { return rows_of(allocation_keys()); }),
                                Value::text("`first`, a box of routers as `2x2x8`, or `random:SEED`")}),
        .meaning = "Which nodes of the machine the job has; ranks are dealt over these, in the machine's order, as if "
                   "there were no others. `first`: the machine's first nodes.",
        .example = "allocation: {shape: 2x2x8}",
        .usual = "first",
        .set = true},
       read_allocation},
      {{.name = "shim",
        .value = shim_value(),
        .meaning =
            "Whether the program's `MPI_Cart_create` keeps neighbours on one node (`mpi_ext/preload/shim`), and by "
            "which method.",
        .example = "shim: on",
        .usual = "off",
        .set = true},
       [](const YamlReader& at, Scenario& s) { s.study.shim = read_parameter(at, kShimAxis); }},
      {{.name = "mpi",
        .value = Value::text("`smpi` or a library"),
        .meaning = "The MPI library whose collectives the program gets: its choice of algorithms, and what each rank "
                   "does in them (docs/choosing-collectives.md). `smpi`: those of SMPI.",
        .example = "mpi: openmpi-4.1",
        .usual = kSmpi,
        .set = true},
       [](const YamlReader& at, Scenario& s) {
         const std::string mpi = read_parameter(at, kMpiAxis);
         s.study.mpi = mpi == kSmpi ? "" : mpi;
       }},
      {{.name = "mpi_rules",
        .value = Value::text("path, relative to this file, or `none`"),
        .meaning = "The file of rules by which the library of `mpi` chooses its algorithms, as its users give it "
                   "(docs/choosing-collectives.md). It has no effect if `mpi` is `smpi`.",
        .example = "mpi_rules: rules.conf",
        .usual = kNoRules,
        .set = true},
       [](const YamlReader& at, Scenario& s) {
         const std::string name = read_parameter(at, kMpiRulesAxis);
         s.study.mpi_rules = name == kNoRules ? "" : name;
         if (!s.study.mpi_rules.empty()) s.rules[name] = at.folder() / name;
       }},
      {{.name = "sweep",
        .value = Value::by_name(
            "axis", Value::either({Value::list(Value::scalar("values")), Value::scalar("one value"),
                                   Value::by_name("case", Value::by_name("parameter", Value::scalar("value")))})),
        .meaning =
            "What varies. Every combination of values is a point, the first axis varying slowest; the program is "
            "given each value as `--AXIS VALUE`, except those that `arguments` or `what_if` name, and those of "
            "`ranks`, "
            "`allocation`, `map_by`, `progress`, `shim`, `mpi` and `mpi_rules`, which stand instead of those keys. The "
            "values of an axis may be cases: names of several parameters that go together. `--set AXIS=1,10` gives an "
            "axis other values.",
        .example = "sweep: {algorithm: [linear, binomial], elements: [1, 10], library: {ours: {steps: auto, progress: "
                   "numa}, bound: {steps: 0, progress: bind}}}"},
       [](const YamlReader& at, Scenario& s) { read_sweep(at, s.study); }},
      {{.name = "varies",
        .value = Value::list(Value::text("parameters")),
        .meaning = "Parameters that the program itself varies within a point and prints with what it measures; plots "
                   "may name them.",
        .example = "varies: [size]"},
       [](const YamlReader& at, Scenario& s) {
         for (const YamlReader& name : at.items()) {
           check_parameter_name(name, name.text());
           if (find_axis(s.study, name.text()) != nullptr) name.fail("is already an axis of the sweep", "leave it out");
           s.study.varies.push_back(name.text());
         }
       }},
      {{.name = "reference",
        .value = Value::mapping("Reference", [] { return rows_of(reference_keys()); }),
        .meaning = "A simulation before all others, whose result every point is given. Its progress threads are bound "
                   "to their ranks' cores.",
        .example = "reference: {ranks: all, arguments: [--steps, blocking], metric: work, option: work}"},
       read_reference}};
}

Keys<Scenario> tail_keys() {
  return {
      {{.name = "traces",
        .value = Value::truth(),
        .meaning = "Whether results keep, in `traces/`, what each core was busy with (Paje) and what each rank did "
                   "(events).",
        .usual = "false",
        .set = true},
       [](const YamlReader& at, Scenario& s) { s.study.traces = at.boolean(); }},
      {{.name = "traffic",
        .value = Value::scalar(choice_of({"`off`", "`on`", "`messages`", "a time"})),
        .meaning = "Whether results keep who sent how much to whom, and what each link carried (`traffic/`). A "
                   "time: also what links carried in each such period of simulated time. `messages`: also each "
                   "message.",
        .example = "traffic: 10 ms",
        .usual = "off",
        .set = true},
       [](const YamlReader& at, Scenario& s) {
         s.study.traffic = at.text();
         if (!traffic_of(s.study.traffic)) {
           at.fail("'" + s.study.traffic + "' is not a valid traffic value",
                   fmt::format("give {}, or a period as 10 ms", fmt::join(names_of(kTrafficWords), ", ")));
         }
       }},
      {{.name = "engine",
        .value = Value::word(names_of(kEngineWords), "engine"),
        .meaning = "`simulation` runs the program at each point. `replay` runs it once for each of its inputs, records "
                   "what its ranks do (`recordings/` in the results), and replays that at the points: the metric is "
                   "then `simulated_time`, and nothing else.",

        .usual = "simulation",
        .set = true},
       [](const YamlReader& at, Scenario& s) { s.study.engine = *find_word(kEngineWords, at.text()); }},
      {{.name = "error_bars",
        .value = Value::truth(),
        .meaning = "Whether times and rates get an error bar, from the intervals of the machine's figures. Each point "
                   "then also runs with each of these figures at both ends of its interval.",
        .usual = "false",
        .set = true},
       [](const YamlReader& at, Scenario& s) { s.study.error_bars = at.boolean(); }},
      {{.name = "seed",
        .value = Value::whole(0, kMostWhole),
        .meaning = "Of everything that is random.",
        .usual = "1",
        .set = true},
       [](const YamlReader& at, Scenario& s) { s.seed = static_cast<std::uint64_t>(at.integer()); }},
      {{.name = "time_limit",
        .value = Value::whole(1, kMostSeconds),
        .meaning = "Seconds of wall time for each simulation.",
        .usual = "600",
        .set = true},
       [](const YamlReader& at, Scenario& s) { s.time_limit_s = static_cast<double>(at.integer()); }}};
}

}  // namespace

Keys<Scenario> scenario_keys() {
  Keys<Scenario> keys = head_keys();
  for (KeyOf<Study>& row : quantity_keys()) keys.push_back(of_study(std::move(row)));
  for (KeyOf<Scenario>& row : tail_keys()) keys.push_back(std::move(row));
  return keys;
}

Keys<Scenario> settable_keys() {
  Keys<Scenario> settable;
  for (KeyOf<Scenario>& row : scenario_keys()) {
    if (row.key.name == "mapping") {
      for (KeyOf<Scenario>& inner : mapping_keys()) {
        if (inner.key.set) settable.push_back(std::move(inner));
      }
    }
    if (row.key.set) settable.push_back(std::move(row));
  }
  return settable;
}

}  // namespace strata
