// SPDX-License-Identifier: LGPL-2.1-only
#include "command/error_bar_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "analysis/bars_text.h"
#include "analysis/blind_errors.h"
#include "analysis/format.h"
#include "command/replay_analysis.h"
#include "replay/engine.h"

namespace strata::command {
namespace {

using replay::ErrorBar;
using replay::FigureError;

constexpr std::size_t kShown = 3;  // figures
constexpr int kDigits = 6;         // of the time, as in the first line of a replay

// How well a machine predicts what was measured (Machine::validation).
struct Predictions {
  std::size_t operations = 0;
  double median = 1, worst = 1;  // of the median errors; of all errors
};

std::optional<Predictions> predictions_of(const Machine& machine) {
  if (machine.validation.empty()) return {};
  Predictions p{.operations = machine.validation.size()};
  std::vector<double> medians;
  for (const Validation& v : machine.validation) {
    medians.push_back(v.median_error);
    p.worst = std::max(p.worst, v.worst_error);
  }
  std::sort(medians.begin(), medians.end());
  p.median = (medians[(medians.size() - 1) / 2] + medians[medians.size() / 2]) / 2;
  return p;
}

std::string change(double value) {
  return value == 0 ? "0 s" : (value > 0 ? "+" : "-") + analysis::with_unit(std::abs(value), "s", 3);
}

std::string figures(std::size_t count) { return fmt::format("{} figure{}", count, count == 1 ? "" : "s"); }

std::string table(const ErrorBar& bar) {
  std::vector<const FigureError*> all;
  for (const FigureError& f : bar.figures) {
    if (f.effect() > 0) all.push_back(&f);
  }
  if (all.empty()) return "  none of them has an effect\n";
  std::stable_sort(all.begin(), all.end(),
                   [](const FigureError* a, const FigureError* b) { return a->effect() > b->effect(); });
  std::string text = fmt::format("{:<42}{:>14}{:>20}{:>12}{:>12}\n", "  the largest parts", "which is", "95 %",
                                 "if larger", "if smaller");
  const std::size_t shown = std::min(kShown, all.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const FigureError& f = *all[i];
    text += fmt::format("  {:<40}{:>14}{:>20}{:>12}{:>12}{}\n", f.figure.name,
                        analysis::shortest(f.figure.figure.value) + " " + f.figure.figure.unit,
                        fmt::format("{:.4g} to {:.4g}", f.low, f.high), change(f.larger), change(f.smaller),
                        f.estimated ? "  estimated" : "");
  }
  if (all.size() > shown) text += fmt::format("  with a smaller part: {}\n", figures(all.size() - shown));
  if (bar.figures.size() > all.size())
    text += fmt::format("  without effect: {}\n", figures(bar.figures.size() - all.size()));
  return text;
}

}  // namespace

ErrorBar error_bar_of(const Trace& trace, const Machine& machine, const std::vector<int>& cores, double simulated_time,
                      int jobs) {
  return replay::error_bar(
      machine, simulated_time, [&](const Machine& m) { return replay::replay(trace, m, cores).simulated_time; }, jobs,
      progress_of("replays with each figure at the ends of its interval"));
}

ErrorBar error_bar_of_run(const Trace& trace, const Machine& machine, double simulated_time, int jobs) {
  const double replayed_s = replay::replay(trace, machine, trace.cores).simulated_time;
  ErrorBar bar = error_bar_of(trace, machine, trace.cores, replayed_s, jobs);
  const double more_s = simulated_time - replayed_s;
  bar.low = std::max(0.0, bar.low + more_s);
  bar.high += more_s;
  return bar;
}

std::string no_error_bar_text(const Machine& machine) { return analysis::no_error_bar_text(machine.name) + "\n"; }

std::string error_bar_text(const ErrorBar& bar, double simulated_time, const Machine& machine) {
  std::string text;
  if (bar.figures.empty()) {
    text = no_error_bar_text(machine);
  } else {
    text = fmt::format(
        "simulated time  {}  (95 %: {}, from the interval{} of {}; {} have none)\n",
        analysis::with_unit(simulated_time, "s", kDigits), analysis::range_text(bar.low, bar.high, "s"),
        bar.figures.size() == 1 ? "" : "s", figures(bar.figures.size()),
        bar.without == 0 ? "no others" : fmt::format("{} other{}", bar.without, bar.without == 1 ? "" : "s"));
    text += table(bar);
  }
  if (const std::optional<Predictions> p = predictions_of(machine)) {
    text += fmt::format(
        "{} operation{} predicted, not fitted: error {} in the median, {} at worst; the 95 % do not cover "
        "what the model leaves out\n",
        p->operations, p->operations == 1 ? "" : "s", analysis::significant(p->median, 3),
        analysis::significant(p->worst, 3));
  }
  return text + analysis::blind_errors_text();
}

Json error_bar_json(const ErrorBar& bar, const Machine& machine) {
  Json all = Json::array();
  for (const FigureError& f : bar.figures) {
    all.push_back({{"figure", f.figure.name},
                   {"value", f.figure.figure.value},
                   {"unit", f.figure.figure.unit},
                   {"plus_minus", f.figure.figure.plus_minus},
                   {"low", f.low},
                   {"high", f.high},
                   {"larger", f.larger},
                   {"smaller", f.smaller},
                   {"estimated", f.estimated}});
  }
  const bool known = !bar.figures.empty();
  Json json = {{"low", known ? Json(bar.low) : Json()},
               {"high", known ? Json(bar.high) : Json()},
               {"figures", std::move(all)},
               {"without_interval", bar.without},
               {"blind_errors", analysis::blind_errors_json()}};
  if (const std::optional<Predictions> p = predictions_of(machine)) {
    json["predictions"] = {{"operations", p->operations}, {"median_error", p->median}, {"worst_error", p->worst}};
  }
  return json;
}

}  // namespace strata::command
