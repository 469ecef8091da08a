// SPDX-License-Identifier: LGPL-2.1-only
// strata collectives tune: writes a file of rules with which Open MPI chooses the algorithms that are the fastest on a
// machine, by exact replays. JSON: schemas/collectives.tune.schema.json.
//
// Algorithms that consist of other collectives come last: the rules of their parts change their time.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/error.h"
#include "base/whole_file.h"
#include "collectives/rules/mpich_decisions.h"
#include "collectives/rules/mpich_variables.h"
#include "collectives/rules/read_rules.h"
#include "collectives/rules/tuned_file.h"
#include "collectives/tuning/candidates.h"
#include "collectives/tuning/csel_rules.h"
#include "collectives/tuning/decision.h"
#include "collectives/tuning/tuned_rules.h"
#include "command/called_program.h"
#include "command/collectives.h"
#include "command/print.h"
#include "command/timed_cells.h"
#include "console/number.h"
#include "records/shard.h"

namespace strata::command {
namespace {

using namespace collectives;  // NOLINT(google-build-using-namespace): the whole file is about them
using collectives::Choice;    // not that of an option's word

constexpr int kDigits = 4;  // of times
constexpr std::size_t kMostFindings = 20;

struct Options {
  GridOptions grid;
  std::string out, format, shard;
};

Format format_of(const Options& o, const Library& library) {
  const Format usual = library.is_openmpi() ? Format::kTuned : Format::kCsel;
  if (o.format.empty()) return usual;
  const Format format = find_word(kFormats, o.format).value();
  if ((format == Format::kCsel) == library.is_openmpi()) {
    throw InputError("--format", fmt::format("{} does not read {}", title_of(library), o.format),
                     fmt::format("write {}", word_of(kFormats, usual)));
  }
  if (format == Format::kTuned2 && !knows_version_2(library)) {
    throw InputError("--format", fmt::format("{} does not read tuned-2", title_of(library)),
                     "write tuned, or --mpi openmpi-4.1.8 or openmpi-5.0.7, the first releases that read it");
  }
  return format;
}

// Only Open MPI 6.0 reads JSON. Its numbers of these algorithms and its own decisions are those of 5.0.
const Library& reader_of(Format format, const Library& library) {
  return format == Format::kTunedJson ? kOpenMpi60 : library;
}

struct Tuned {
  std::vector<CellTimes> times;
  std::vector<CellChoice> choices;  // by cell
  std::vector<std::optional<double>> without_file_s;
  std::vector<std::optional<double>> rules_s;  // by cell, with the file
  std::set<Operation> reverted;                // MPICH: its choices would have made other calls slower
};

std::vector<CellChoice> choices_of(const Tuned& tuned, double least) {
  std::vector<CellChoice> choices;
  for (std::size_t i = 0; i < tuned.times.size(); ++i) {
    choices.push_back({tuned.times[i].cell, decide(tuned.times[i], tuned.without_file_s[i], least)});
  }
  return choices;
}

std::set<Operation> not_composed_with(const Grid& grid, const std::vector<CellChoice>& choices) {
  std::set<Operation> operations = with_choices(choices);
  operations.insert(grid.not_composed.begin(), grid.not_composed.end());
  return operations;
}

// A choice of MPICH for one call keeps the device from composing all calls of the operation. So those that were
// composed get the algorithm that does the same. If a call becomes slower, the operation has no rules.
void settle_compositions(const Grid& grid, Tuned& tuned, int jobs) {
  while (true) {
    const std::set<Operation> chosen = with_choices(tuned.choices);
    for (std::size_t i = 0; i < tuned.times.size(); ++i) {
      CellChoice& c = tuned.choices[i];
      if (c.choice.algorithm == 0 && chosen.contains(c.cell.operation) && tuned.times[i].own.name.starts_with("MPIDI_"))
        c.choice = without_composition(c.cell.operation, tuned.times[i].own);
    }
    agree_on_sizes(tuned.choices);
    const RuleFile rules = csel_rules_of(tuned.choices, grid.library);
    tuned.rules_s = chosen_times(grid, Chooser(grid.library, &rules, not_composed_with(grid, tuned.choices)),
                                 grid.cells, "with the rules", jobs);
    std::set<Operation> slower;
    for (std::size_t i = 0; i < tuned.times.size(); ++i) {
      const std::optional<double>& own_s = tuned.times[i].own_s;
      if (own_s && tuned.rules_s[i] && *tuned.rules_s[i] > *own_s * (1 + grid.least_gain))
        slower.insert(grid.cells[i].operation);
    }
    if (slower.empty()) return;
    for (CellChoice& c : tuned.choices) {
      if (slower.contains(c.cell.operation)) c.choice = {};
    }
    tuned.reverted.insert(slower.begin(), slower.end());
  }
}

Tuned tune_cells(const Grid& grid, CellsFile& cells, int jobs) {
  Tuned tuned;
  tuned.times = timed_cells(grid, &cells, jobs);
  for (const CellTimes& t : tuned.times) tuned.without_file_s.push_back(t.own_s);
  if (!grid.library.is_openmpi()) {
    tuned.choices = choices_of(tuned, grid.least_gain);
    settle_compositions(grid, tuned, jobs);
    return tuned;
  }
  const RuleFile of_parts = rules_of(choices_of(tuned, grid.least_gain), Format::kTuned);
  add_composed(grid, Chooser(grid.library, &of_parts), tuned.times, jobs);
  tuned.choices = choices_of(tuned, grid.least_gain);
  for (std::size_t i = 0; i < tuned.times.size(); ++i) {
    const CellTimes& t = tuned.times[i];
    tuned.rules_s.push_back(!t.is_timed() ? std::nullopt : tuned.choices[i].choice.algorithm == 0 ? t.own_s : t.best_s);
  }
  return tuned;
}

// The part of a call's time that its rule saves.
double gain(const Tuned& tuned, std::size_t cell) {
  const CellTimes& t = tuned.times[cell];
  return tuned.rules_s[cell] && t.own_s && *t.own_s > 0 ? 1 - *tuned.rules_s[cell] / *t.own_s : 0;
}

// How much a rule saves: of a program's calls, s; of a grid's, the part of the call's time.
double saved(const Grid& grid, const Tuned& tuned, std::size_t cell) {
  const CellTimes& t = tuned.times[cell];
  return grid.program ? static_cast<double>(grid.program->calls[cell]) * (*t.own_s - *tuned.rules_s[cell])
                      : gain(tuned, cell);
}

// The cells that a rule makes faster, those that save most first.
std::vector<std::size_t> findings(const Grid& grid, const Tuned& tuned) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < tuned.times.size(); ++i) {
    const bool has_rule = tuned.choices[i].choice.algorithm != 0 && tuned.times[i].own_s && tuned.rules_s[i];
    // MPICH's rules may say what its device would have done.
    if (has_rule && (grid.library.is_openmpi() || gain(tuned, i) > 0)) found.push_back(i);
  }
  std::stable_sort(found.begin(), found.end(),
                   [&](auto a, auto b) { return saved(grid, tuned, a) > saved(grid, tuned, b); });
  return found;
}

// By cell, how long the calls take with the library's own choices.
std::vector<std::optional<double>> own_seconds(const Tuned& tuned) {
  std::vector<std::optional<double>> seconds;
  for (const CellTimes& t : tuned.times) seconds.push_back(t.is_timed() ? t.own_s : std::nullopt);
  return seconds;
}
std::string certainty_text(const Grid& grid, const Tuned& tuned) {
  const bool has_bars =
      std::any_of(tuned.times.begin(), tuned.times.end(), [](const CellTimes& t) { return t.least_gain.has_value(); });
  if (has_bars) {
    return "A rule is written where the gain is more than its error bar: in 95 % of cases, by the intervals of the "
           "machine's figures.\n";
  }
  return fmt::format(
      "{}'s figures have no intervals, so how sure a gain is, is not known. Gains below {:g} % are left to the library "
      "(--least-gain).\n",
      grid.machine.name, 100 * grid.least_gain);
}

// The variables that MPICH needs besides the file.
std::vector<std::string> variables_of(const Grid& grid, const Tuned& tuned) {
  std::vector<std::string> variables;
  if (grid.library.is_openmpi()) return variables;
  for (const Operation o : with_choices(tuned.choices)) {
    if (is_ever_composed(o)) variables.push_back(device_variable(o) + "=0");
  }
  return variables;
}

// How MPICH uses the file.
std::string variables_text(const Grid& grid, const Tuned& tuned) {
  const std::vector<std::string> variables = variables_of(grid, tuned);
  if (variables.empty()) return "";
  return fmt::format("\nwith the file, the device must not compose the collectives that have rules:\n  {}\n",
                     fmt::join(variables, " "));
}

std::string text_of(const Grid& grid, const Tuned& tuned) {
  const std::vector<std::size_t> found = findings(grid, tuned);
  const auto time = [](double s) { return console::with_unit(s, "s", kDigits); };
  std::size_t timed = 0, replays = 0;
  for (const CellTimes& t : tuned.times) {
    timed += t.is_timed() ? 1 : 0;
    replays += t.timed + t.slower;
  }
  std::string text =
      grid.program ? program_text(grid, {{"library", own_seconds(tuned)}, {"rules", tuned.rules_s}}) + "\n" : "";
  text += fmt::format("{} calls on {}, {}: {} with a faster algorithm than the library's own\n", tuned.times.size(),
                      grid.machine.name, title_of(grid.library), found.size());
  text += fmt::format("{} choices of algorithms and settings; a replay stops when it takes longer than the best\n",
                      replays);
  text += certainty_text(grid, tuned);
  if (!found.empty()) {
    text += fmt::format("\n{:<22}{:>6}{:>10}{}{:>12}{:>12}{:>7}  {}\n", "operation", "ranks", "bytes",
                        calls_column(grid, {}), "library", "rules", "gain", "algorithm");
  }
  for (std::size_t i = 0; i < std::min(kMostFindings, found.size()); ++i) {
    const CellTimes& t = tuned.times[found[i]];
    text += fmt::format("{:<22}{:>6}{:>10}{}{:>12}{:>12}{:>5.0f} %  {}{}\n", name_of(t.cell.operation), t.cell.ranks,
                        t.cell.bytes, calls_column(grid, found[i]), time(*t.own_s), time(*tuned.rules_s[found[i]]),
                        100 * gain(tuned, found[i]),
                        text_of(t.cell.operation, tuned.choices[found[i]].choice, grid.library),
                        t.least_gain ? fmt::format(" (at least {:.0f} %)", 100 * *t.least_gain) : "");
  }
  if (found.size() > kMostFindings) text += fmt::format("and {} more: --json\n", found.size() - kMostFindings);
  if (timed < tuned.times.size()) {
    text += fmt::format("\nleft to the library, because its own algorithm could not be replayed: {} calls\n",
                        tuned.times.size() - timed);
  }
  for (const Operation o : tuned.reverted) {
    text += fmt::format(
        "\n{}: left to the library, because its device does not compose collectives with rules, and "
        "other calls would be slower\n",
        name_of(o));
  }
  return text + left_out_text(grid, tuned.times) + variables_text(grid, tuned);
}

Json json_of(const Choice& choice, Operation operation, const Library& library) {
  return {{"number", choice.algorithm},
          {"algorithm", text_of(operation, {.algorithm = choice.algorithm}, library)},
          {"fanout", choice.faninout},
          {"segment", choice.segment_bytes}};
}

Json json_of(const Grid& grid, const Tuned& tuned, const Options& o, Format format) {
  Json json = {{"schema", "strata.collectives.tune/1"},
               {"library", title_of(grid.library)},
               {"machine", grid.machine.name},
               {"machine_hash", machine_hash(grid.machine)},
               {"file", o.out},
               {"format", word_of(kFormats, format)},
               {"least_gain", grid.least_gain},
               {"variables", variables_of(grid, tuned)},
               {"program", program_json(grid, {{"library", own_seconds(tuned)}, {"rules", tuned.rules_s}})},
               {"cells", Json::array()}};
  const auto seconds = [](const std::optional<double>& s) { return s ? Json(*s) : Json(); };
  for (std::size_t i = 0; i < tuned.times.size(); ++i) {
    const CellTimes& t = tuned.times[i];
    Json cell = {{"op", name_of(t.cell.operation)},
                 {"ranks", t.cell.ranks},
                 {"bytes", t.cell.bytes},
                 {"calls", calls_json(grid, i)},
                 {"own", json_of(t.own, t.cell.operation, grid.library)},
                 {"own_s", seconds(t.own_s)},
                 {"best", json_of(t.best, t.cell.operation, grid.library)},
                 {"best_s", seconds(t.best_s)},
                 {"gain", t.gain()},
                 {"least_gain", seconds(t.least_gain)},
                 {"rule", json_of(tuned.choices[i].choice, t.cell.operation, grid.library)},
                 {"rule_s", seconds(tuned.rules_s[i])},
                 {"left_out", Json::array()}};
    for (const Choice& c : t.too_long) cell["left_out"].push_back(json_of(c, t.cell.operation, grid.library));
    json["cells"].push_back(std::move(cell));
  }
  return json;
}

// Writes the file, reads it back as the library does, and looks up each cell.
void write(const Options& o, const Grid& grid, const Tuned& tuned, Format format) {
  const Library& reader = reader_of(format, grid.library);
  const bool is_csel = format == Format::kCsel;
  const RuleFile rules = is_csel ? csel_rules_of(tuned.choices, grid.library) : rules_of(tuned.choices, format);
  write_and_tell(o.out, write_rules(rules));
  const RuleFile read = read_rules(o.out, reader);
  const std::optional<Cell> cell =
      is_csel ? csel_differs(read, reader, tuned.choices, grid.nodes) : differs(read, reader, tuned.choices);
  if (cell) {
    throw std::logic_error(fmt::format("{}: the rules do not choose what was meant for {}", o.out, text_of(*cell)));
  }
}

// Only keeps the cells of a part of the grid.
int tune_shard(const Options& o, const Grid& grid, const Shard& shard) {
  const std::string file =
      o.grid.cells.empty() ? fmt::format("{}.shard-{}-of-{}.cells.jsonl", o.out, shard.number, shard.of) : o.grid.cells;
  CellsFile cells(file, grid.inputs);
  const std::size_t part = time_shard(grid, cells, shard, o.grid.jobs);
  print(
      fmt::format("shard {}: {} of {} calls are timed, in {}\n"
                  "next, with the files of all {} shards: cat {}.shard-*.cells.jsonl >{}.cells.jsonl, and the same "
                  "command without --shard\n",
                  text_of(shard), part, grid.cells.size(), file, shard.of, o.out, o.out));
  return 0;
}

int tune(const Options& o) {
  const std::optional<Shard> shard = o.shard.empty() ? std::nullopt : std::optional(read_shard(o.shard));
  const Grid grid = grid_of(o.grid);
  if (shard) return tune_shard(o, grid, *shard);
  const Format format = format_of(o, grid.library);
  const std::string file = o.grid.cells.empty() ? o.out + ".cells.jsonl" : o.grid.cells;
  Tuned tuned;
  {
    CellsFile cells(file, grid.inputs);
    tuned = tune_cells(grid, cells, o.grid.jobs);
  }
  write(o, grid, tuned, format);
  if (o.grid.json) {
    print(json_of(grid, tuned, o, format));
  } else {
    print(text_of(grid, tuned));
  }
  return 0;
}

}  // namespace

void add_collectives_tune(cli::App& collectives, Action& action) {
  auto o = std::make_shared<Options>();
  cli::App* sub = collectives.add_subcommand(
      "tune", "Write a file of rules with which Open MPI or MPICH chooses the fastest algorithms on a machine");
  o->grid.add(*sub);
  sub->add_option("--out", o->out,
                  "the file of rules to write, for coll_tuned_dynamic_rules_filename, or MPICH's "
                  "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE; finished cells are kept in FILE.cells.jsonl, from which "
                  "an interrupted run continues")
      ->required()
      ->writes(cli::Written::kFile);
  sub->add_option("--cells", o->grid.cells, "keep finished cells in this file instead");
  sub->add_option(
      "--shard", o->shard,
      "time only the second of four parts of the grid with 2/4, for another computer: the cells are kept in "
      "OUT.shard-2-of-4.cells.jsonl, and no rules are written");
  sub->add_option(
         "--format", o->format,
         "tuned (default for Open MPI): numbers, for all releases; tuned-2: with a header, from 4.1.8 and 5.0.7 on; "
         "tuned-json: for 6.0; csel (default for MPICH): its JSON")
      ->check(cli::IsMember({"tuned", "tuned-2", "tuned-json", "csel"}));
  sub->footer(
      "Examples:\n  strata collectives tune --machine ntw10e5 -n 48,240 --op bcast,allreduce --bytes 8..1M --out "
      "rules.conf\n"
      "  OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_dynamic_rules_filename=$PWD/rules.conf mpirun "
      "app\n"
      "  strata exec --machine ntw10e5 -n 64 --record app.mpitrace -- ./app\n"
      "  strata collectives tune --trace app.mpitrace --out rules.conf\n"
      "  strata collectives tune --machine my-cluster -n 128..4096 --ranks-per-node 32 --jobs 16 --out rules.conf");
  sub->callback([o, &action] { action = [o] { return tune(*o); }; });
}

}  // namespace strata::command
