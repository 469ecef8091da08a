// SPDX-License-Identifier: LGPL-2.1-only
// strata collectives evaluate: how long calls take with files of rules and without, against the fastest algorithm, and
// with Strata's own collectives; and which of the times contradict each other. JSON:
// schemas/collectives.evaluate.schema.json.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "collectives/chosen/chosen.h"
#include "collectives/rules/read_rules.h"
#include "collectives/tuning/candidates.h"
#include "collectives/tuning/guidelines.h"
#include "collectives/tuning/regret_map.h"
#include "command/called_program.h"
#include "command/collectives.h"
#include "command/print.h"
#include "command/timed_cells.h"
#include "console/number.h"

namespace strata::command {
namespace {

using namespace collectives;  // NOLINT(google-build-using-namespace): the whole file is about them

constexpr int kDigits = 4;  // of times
constexpr std::size_t kMostRows = 15;

struct Options {
  GridOptions grid;
  std::vector<std::string> rules;
  std::string svg;
};

// Times with a file of rules, or without one.
struct Evaluated {
  std::string name;
  std::vector<std::optional<double>> seconds;  // by cell
  std::vector<Violation> violations;
};

// Strata's own collectives.
struct Own {
  std::string name;
  std::vector<OwnTime> times;  // by cell
};

struct Evaluation {
  std::vector<CellTimes> times;
  std::vector<std::optional<double>> best_s;  // by cell: of all algorithms, and of all files
  std::vector<Evaluated> all;
  std::vector<Own> own;
};

Evaluated evaluated(const Grid& grid, const std::string& name, const Chooser& chooser, int jobs) {
  Evaluated e = {.name = name, .seconds = chosen_times(grid, chooser, grid.cells, name, jobs), .violations = {}};
  const std::vector<Cell> further = further_cells(grid.cells);
  const std::vector<std::optional<double>> of_further =
      chosen_times(grid, chooser, further, name + ", guidelines", jobs);
  std::map<Cell, std::optional<double>> known;
  for (std::size_t i = 0; i < further.size(); ++i) known[further[i]] = of_further[i];
  for (std::size_t i = 0; i < grid.cells.size(); ++i) known[grid.cells[i]] = e.seconds[i];
  e.violations = violations(
      grid.cells, [&](const Cell& cell) { return known.at(cell); }, grid.least_gain);
  return e;
}

Evaluation evaluation_of(const Grid& grid, const Options& o, const std::vector<RuleFile>& rules) {
  Evaluation e;
  std::optional<CellsFile> cells;
  if (!o.grid.cells.empty()) cells.emplace(o.grid.cells, grid.inputs);
  e.times = timed_cells(grid, cells ? &*cells : nullptr, o.grid.jobs);
  const Chooser own(grid.library, nullptr, grid.not_composed);
  add_composed(grid, own, e.times, o.grid.jobs);
  e.all.push_back(evaluated(grid, "library", own, o.grid.jobs));
  for (const RuleFile& file : rules) {
    e.all.push_back(evaluated(grid, file.file, Chooser(grid.library, &file, grid.not_composed), o.grid.jobs));
  }
  for (const auto& family : kOwnFamilies) {
    e.own.push_back({name_of(family.value), own_times(grid, family.value, o.grid.jobs)});
  }
  for (std::size_t i = 0; i < grid.cells.size(); ++i) {
    std::optional<double> best = e.times[i].best_s;
    for (const Evaluated& by : e.all) {
      if (by.seconds[i]) best = std::min(best.value_or(*by.seconds[i]), *by.seconds[i]);
    }
    e.best_s.push_back(best);
  }
  return e;
}

// The time as a multiple of the best algorithm's.
std::optional<double> ratio(const Evaluation& e, const std::optional<double>& seconds, std::size_t cell) {
  if (!seconds || !e.best_s[cell] || *e.best_s[cell] <= 0) return {};
  return *seconds / *e.best_s[cell];
}
std::optional<double> ratio(const Evaluation& e, const Evaluated& by, std::size_t cell) {
  return ratio(e, by.seconds[cell], cell);
}

// The library, the files and Strata's own families: what the summary and the picture compare.
std::vector<RegretPanel> rows_of(const Evaluation& e) {
  std::vector<RegretPanel> rows;
  for (const Evaluated& by : e.all) {
    rows.push_back({.name = by.name, .ratios = {}});
    for (std::size_t i = 0; i < e.times.size(); ++i) rows.back().ratios.push_back(ratio(e, by, i));
  }
  for (const Own& own : e.own) {
    rows.push_back({.name = own.name, .ratios = {}});
    for (std::size_t i = 0; i < e.times.size(); ++i) rows.back().ratios.push_back(ratio(e, own.times[i].seconds, i));
  }
  return rows;
}

// The part of the time of the library's own choice that `own` saves.
std::optional<double> gain(const Evaluation& e, const Own& own, std::size_t cell) {
  const std::optional<double>& library = e.all.front().seconds[cell];
  if (!own.times[cell].seconds || !library || *library <= 0) return {};
  return 1 - *own.times[cell].seconds / *library;
}

struct Summary {
  double logarithms = 0, worst = 0;
  int cells = 0;
};

std::string summary_text(const Grid& grid, const Evaluation& e) {
  std::string text = fmt::format("{:<22}{:<24}{:>7}{:>12}{:>12}\n", "operation", "chosen by", "calls", "mean", "worst");
  std::map<Operation, std::vector<Summary>> summaries;
  const std::vector<RegretPanel> rows = rows_of(e);
  for (std::size_t i = 0; i < grid.cells.size(); ++i) {
    std::vector<Summary>& of_operation = summaries[grid.cells[i].operation];
    of_operation.resize(rows.size());
    for (std::size_t a = 0; a < rows.size(); ++a) {
      const std::optional<double>& r = rows[a].ratios[i];
      if (!r) continue;
      of_operation[a].logarithms += std::log(*r);
      of_operation[a].worst = std::max(of_operation[a].worst, *r);
      ++of_operation[a].cells;
    }
  }
  for (const auto& [operation, of_operation] : summaries) {
    for (std::size_t a = 0; a < rows.size(); ++a) {
      const Summary& s = of_operation[a];
      if (s.cells == 0) continue;
      text += fmt::format("{:<22}{:<24}{:>7}{:>12.3f}{:>12.3f}\n", name_of(operation), rows[a].name, s.cells,
                          std::exp(s.logarithms / s.cells), s.worst);
    }
  }
  return text;
}

std::string worst_text(const Grid& grid, const Evaluation& e, const Evaluated& by) {
  std::vector<std::size_t> cells;
  for (std::size_t i = 0; i < grid.cells.size(); ++i) {
    if (ratio(e, by, i).value_or(1) > 1 + grid.least_gain) cells.push_back(i);
  }
  if (cells.empty()) {
    return fmt::format("\n{}: within {:g} % of the best algorithm everywhere\n", by.name, 100 * grid.least_gain);
  }
  std::stable_sort(cells.begin(), cells.end(), [&](auto a, auto b) { return *ratio(e, by, a) > *ratio(e, by, b); });
  const auto time = [](double s) { return console::with_unit(s, "s", kDigits); };
  std::string text = fmt::format("\n{}: {} calls take more than {:g} % longer than the best\n", by.name, cells.size(),
                                 100 * grid.least_gain);
  text += fmt::format("{:<22}{:>6}{:>10}{:>12}{:>12}{:>9}  {}\n", "operation", "ranks", "bytes", "time", "best",
                      "times", "best algorithm");
  for (std::size_t k = 0; k < std::min(kMostRows, cells.size()); ++k) {
    const std::size_t i = cells[k];
    const Cell& c = grid.cells[i];
    text += fmt::format("{:<22}{:>6}{:>10}{:>12}{:>12}{:>9.2f}  {}\n", name_of(c.operation), c.ranks, c.bytes,
                        time(*by.seconds[i]), time(*e.best_s[i]), *ratio(e, by, i),
                        text_of(c.operation, e.times[i].best, grid.library));
  }
  if (cells.size() > kMostRows) text += fmt::format("and {} more: --json\n", cells.size() - kMostRows);
  return text;
}

std::string violations_text(const Evaluated& by) {
  if (by.violations.empty()) return fmt::format("\n{}: no performance guideline is violated\n", by.name);
  const auto time = [](double s) { return console::with_unit(s, "s", kDigits); };
  std::string text = fmt::format("\n{}: {} violations of performance guidelines (Traff, Gropp, Thakur 2010)\n", by.name,
                                 by.violations.size());
  std::map<std::string, int> shown;
  for (const Violation& v : by.violations) {
    if (++shown[v.guideline] > 3) continue;
    text += fmt::format("  {:<54}{:>6} ranks{:>9} B{:>12} > {}\n", v.guideline, v.cell.ranks, v.cell.bytes,
                        time(v.left_s), time(v.right_s));
  }
  for (const auto& [guideline, count] : shown) {
    if (count > 3) text += fmt::format("  and {} more of {}\n", count - 3, guideline);
  }
  return text;
}

// By cell, those first where one of Strata's own collectives gains most of the library's choice.
std::string own_text(const Grid& grid, const Evaluation& e) {
  const auto most = [&](std::size_t cell) {
    double most = -1;
    for (const Own& own : e.own) most = std::max(most, gain(e, own, cell).value_or(-1));
    return most;
  };
  std::vector<std::size_t> cells;
  for (std::size_t i = 0; i < grid.cells.size(); ++i) {
    if (most(i) > grid.least_gain) cells.push_back(i);
  }
  std::stable_sort(cells.begin(), cells.end(), [&](auto a, auto b) { return most(a) > most(b); });
  std::string text = "\n";
  for (const Own& own : e.own) {
    int timed = 0, faster = 0, best = 0;
    for (std::size_t i = 0; i < grid.cells.size(); ++i) {
      const std::optional<double> g = gain(e, own, i);
      timed += g ? 1 : 0;
      faster += g.value_or(0) > grid.least_gain ? 1 : 0;
      best += ratio(e, own.times[i].seconds, i).value_or(1) < 1 - grid.least_gain ? 1 : 0;
    }
    text += fmt::format("{}: of {} calls, {} are {:g} % faster than the library's choice, {} than its best algorithm\n",
                        own.name, timed, faster, 100 * grid.least_gain, best);
  }
  if (cells.empty()) return text;
  const auto time = [](double s) { return console::with_unit(s, "s", kDigits); };
  text += fmt::format("{:<22}{:>6}{:>10}{:>12}", "operation", "ranks", "bytes", "library");
  for (const Own& own : e.own) text += fmt::format("  {:>24}{:>8}", own.name, "gain");
  text += "  variants\n";
  for (std::size_t k = 0; k < std::min(kMostRows, cells.size()); ++k) {
    const Cell& c = grid.cells[cells[k]];
    text += fmt::format("{:<22}{:>6}{:>10}{:>12}", name_of(c.operation), c.ranks, c.bytes,
                        time(*e.all.front().seconds[cells[k]]));
    std::string with;
    for (const Own& own : e.own) {
      const std::optional<double> g = gain(e, own, cells[k]);
      text += g ? fmt::format("  {:>24}{:>6.0f} %", time(*own.times[cells[k]].seconds), 100 * *g)
                : fmt::format("  {:>24}{:>8}", "", "");
      if (g) with += (with.empty() ? "  " : "; ") + own.times[cells[k]].algorithm;
    }
    text += with + "\n";
  }
  if (cells.size() > kMostRows) text += fmt::format("and {} more: --json\n", cells.size() - kMostRows);
  return text;
}

// How long a program's calls take.
TimesByName times_by_name(const Evaluation& e) {
  TimesByName times;
  for (const Evaluated& by : e.all) times.emplace_back(by.name, by.seconds);
  times.emplace_back("best algorithms", e.best_s);
  for (const Own& own : e.own) {
    times.emplace_back(own.name, std::vector<std::optional<double>>());
    for (const OwnTime& t : own.times) times.back().second.push_back(t.seconds);
  }
  return times;
}

std::string text_of(const Grid& grid, const Evaluation& e) {
  std::string text = grid.program ? program_text(grid, times_by_name(e)) + "\n" : "";
  text += fmt::format("{} calls on {}, {}: times as multiples of the best algorithm's\n\n", grid.cells.size(),
                      grid.machine.name, title_of(grid.library));
  text += summary_text(grid, e);
  for (const Evaluated& by : e.all) text += worst_text(grid, e, by) + violations_text(by);
  text += own_text(grid, e);
  return text + left_out_text(grid, e.times);
}

Json json_of(const Grid& grid, const Evaluation& e) {
  const auto seconds = [](const std::optional<double>& s) { return s ? Json(*s) : Json(); };
  Json json = {{"schema", "strata.collectives.evaluate/1"},
               {"library", title_of(grid.library)},
               {"machine", grid.machine.name},
               {"machine_hash", machine_hash(grid.machine)},
               {"tolerance", grid.least_gain},
               {"program", program_json(grid, times_by_name(e))},
               {"chosen_by", Json::array()},
               {"cells", Json::array()},
               {"violations", Json::array()}};
  for (const Evaluated& by : e.all) json["chosen_by"].push_back(by.name);
  for (std::size_t i = 0; i < grid.cells.size(); ++i) {
    const Cell& c = grid.cells[i];
    Json cell = {{"op", name_of(c.operation)},
                 {"ranks", c.ranks},
                 {"bytes", c.bytes},
                 {"calls", calls_json(grid, i)},
                 {"best_s", seconds(e.best_s[i])},
                 {"best", text_of(c.operation, e.times[i].best, grid.library)},
                 {"seconds", Json::array()},
                 {"ratios", Json::array()},
                 {"own", Json::array()}};
    for (const Evaluated& by : e.all) {
      cell["seconds"].push_back(seconds(by.seconds[i]));
      cell["ratios"].push_back(seconds(ratio(e, by, i)));
    }
    for (const Own& own : e.own) {
      cell["own"].push_back({{"name", own.name},
                             {"seconds", seconds(own.times[i].seconds)},
                             {"gain", seconds(gain(e, own, i))},
                             {"algorithm", own.times[i].algorithm}});
    }
    json["cells"].push_back(std::move(cell));
  }
  for (const Evaluated& by : e.all) {
    for (const Violation& v : by.violations) {
      json["violations"].push_back({{"chosen_by", by.name},
                                    {"guideline", v.guideline},
                                    {"ranks", v.cell.ranks},
                                    {"bytes", v.cell.bytes},
                                    {"left_s", v.left_s},
                                    {"right_s", v.right_s}});
    }
  }
  return json;
}

int evaluate(const Options& o) {
  const Grid grid = grid_of(o.grid);
  std::vector<RuleFile> rules;
  for (const std::string& file : o.rules) rules.push_back(read_rules(file, grid.library));
  const Evaluation e = evaluation_of(grid, o, rules);
  if (!o.svg.empty()) {
    write_and_tell(o.svg, draw_regret(grid.machine.name + ", " + title_of(grid.library), grid.cells, rows_of(e)));
  }
  if (o.grid.json) {
    print(json_of(grid, e));
  } else {
    print(text_of(grid, e));
  }
  return 0;
}

}  // namespace

void add_collectives_evaluate(cli::App& collectives, Action& action) {
  auto o = std::make_shared<Options>();
  cli::App* sub = collectives.add_subcommand(
      "evaluate", "Compare files of rules, and the library's own choices, with the fastest algorithms on a machine");
  o->grid.add(*sub);
  sub->add_option(
      "--rules", o->rules,
      "files of rules (coll_tuned_dynamic_rules_filename, or MPICH's MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE)");
  sub->add_option("--svg", o->svg, "draw how much slower each call is than with the best algorithm")
      ->writes(cli::Written::kFile);
  sub->add_option("--cells", o->grid.cells, "keep finished cells in this file, as tune does, and continue from it");
  sub->footer(
      "Examples:\n  strata collectives evaluate --machine ntw10e5 -n 48,240 --op bcast,allreduce --bytes 8..1M\n"
      "  strata collectives evaluate --machine ntw10e5 -n 48,240 --rules rules.conf site.conf --svg regret.svg\n"
      "  strata collectives evaluate --trace app.mpitrace --rules rules.conf\n"
      "  strata collectives evaluate --machine ntw10e5 -n 48 --cells rules.conf.cells.jsonl --json");
  sub->callback([o, &action] { action = [o] { return evaluate(*o); }; });
}

}  // namespace strata::command
