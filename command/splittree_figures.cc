// SPDX-License-Identifier: LGPL-2.1-only
// strata splittree figures: draws Figures 12 to 16 of IJHPCA'19 from the model, for any number of cores and arity. Each
// figure is an SVG, and a CSV file with its numbers (a line for each number of ranks; missing values are empty).
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <system_error>

#include "analysis/plot.h"
#include "base/output_error.h"
#include "base/whole_file.h"
#include "command/splittree.h"
#include "models/split_tree.h"

namespace strata::command {
namespace {

using analysis::Chart;
using analysis::Marker;
using analysis::Series;

struct Options {
  int cores = 0, arity = 2;
  std::string out;
};

constexpr int kMostSteps = 5;  // more curves would be indistinguishable

// A curve over the number of ranks, from `least`.
template <class Function>
Series curve(const std::string& label, int index, int least, int most, Function f) {
  Series s{.label = label,
           .colour = index % analysis::kPaletteColours,
           .shape = index,
           .line = true,
           .marker = Marker::kNone,
           .points = {}};
  for (int n = least; n <= most; ++n) s.points.push_back({.x = static_cast<double>(n), .y = f(n)});
  return s;
}

Chart chart(const std::string& name, const std::string& title, const std::string& y) {
  return {.name = name,
          .title = title,
          .x = {.label = "ranks", .unit = "", .log = false, .categories = {}, .zero = false},
          .y = {.label = y, .unit = "", .log = true, .categories = {}},
          .series = {},
          .reference = {},
          .stacked = false,
          .cells = {}};
}

std::string on_cores(const Options& o) { return fmt::format("{} cores, {}", o.cores, tree_name(o.arity)); }

Chart messages(const Options& o) {
  Chart c = chart("figure-12-messages", "Figure 12: messages on each level, " + on_cores(o), "messages F(N, i)");
  for (int i = 1; i <= models::height(o.cores, o.arity); ++i) {
    c.series.push_back(curve(fmt::format("level {}", i), i - 1, 1, o.cores, [&](int n) {
      const long f = models::messages_on_level(n, i, o.arity);
      return f == 0 ? std::nullopt : std::optional(static_cast<double>(f));
    }));
  }
  return c;
}

models::SplitTree tree(const Options& o, int ranks, models::Weight weight) {
  return {.cores = o.cores, .ranks = ranks, .arity = o.arity, .weight = weight};
}

struct Kind {
  models::Weight weight;
  const char* collectives;
  const char* unit;
  const char* cost_figure;
  const char* overlap_figure;
};

constexpr Kind kKinds[] = {{models::Weight::kConstant, "broadcast, reduce", "messages", "13", "14"},
                           {models::Weight::kDoubling, "scatter, gather", "blocks", "15", "16"}};

// With fewer ranks than half the cores, computation takes more than twice as long, which is not worth showing.
int least_ranks(const Options& o) { return (o.cores + 1) / 2; }

int most_steps(const Options& o) { return std::min(kMostSteps, models::height(o.cores, o.arity) - 1); }

Chart cost(const Options& o, const Kind& kind) {
  Chart c = chart(fmt::format("figure-{}-cost", kind.cost_figure),
                  fmt::format("Figure {}: communication ({}), {}", kind.cost_figure, kind.collectives, on_cores(o)),
                  fmt::format("time, {}", kind.unit));
  const auto at = [&](int n) { return tree(o, n, kind.weight); };
  c.series.push_back(curve("blocking", 0, least_ranks(o), o.cores, [&](int n) { return blocking_time(at(n)); }));
  c.series.push_back(
      curve("computation C(N)", 1, least_ranks(o), o.cores, [&](int n) { return balanced_computation(at(n)); }));
  for (int s = 0; s <= most_steps(o); ++s) {
    c.series.push_back(curve(fmt::format("split tree, S = {}", s), s + 2, least_ranks(o), o.cores - 1,
                             [&](int n) { return nonblocking_time(at(n), s); }));
  }
  return c;
}

// The points at which the best S changes.
Series switches(const Options& o, models::Weight weight) {
  Series s{.label = "", .colour = -1, .shape = 0, .line = false, .marker = Marker::kFilled, .points = {}};
  std::vector<int> where;
  std::optional<int> before;
  for (int n = least_ranks(o); n < o.cores; ++n) {
    const models::SplitTree t = tree(o, n, weight);
    const int best = best_steps(t, balanced_computation(t));
    if (before && *before != best) {
      s.points.push_back({.x = static_cast<double>(n), .y = overlapped_time(t, best, balanced_computation(t))});
      where.push_back(n);
    }
    before = best;
  }
  s.label = where.empty() ? "the best S is the same everywhere"
                          : fmt::format("the best S changes: {}", fmt::join(where, ", "));
  return s;
}

Chart overlap(const Options& o, const Kind& kind) {
  Chart c = chart(fmt::format("figure-{}-overlap", kind.overlap_figure),
                  fmt::format("Figure {}: computation and communication ({}), {}", kind.overlap_figure,
                              kind.collectives, on_cores(o)),
                  fmt::format("time, {}", kind.unit));
  const auto at = [&](int n) { return tree(o, n, kind.weight); };
  c.series.push_back(curve("one after the other (blocking)", 0, least_ranks(o), o.cores,
                           [&](int n) { return blocking_time(at(n)) + balanced_computation(at(n)); }));
  for (int s = 0; s <= most_steps(o); ++s) {
    c.series.push_back(curve(fmt::format("split tree, S = {}", s), s + 2, least_ranks(o), o.cores - 1,
                             [&](int n) { return overlapped_time(at(n), s, balanced_computation(at(n))); }));
  }
  c.series.push_back(switches(o, kind.weight));
  return c;
}

// Quotes `text` as a CSV field (RFC 4180).
std::string quoted(const std::string& text) {
  std::string field = "\"";
  for (const char c : text) field += c == '"' ? "\"\"" : std::string(1, c);
  return field + "\"";
}

std::string csv(const Chart& chart) {
  std::string text = quoted(chart.x.label);
  std::map<double, std::vector<std::string>> rows;
  for (size_t i = 0; i < chart.series.size(); ++i) {
    text += "," + quoted(chart.series[i].label);
    for (const analysis::ChartPoint& p : chart.series[i].points) {
      std::vector<std::string>& row = rows[p.x];
      row.resize(chart.series.size());
      if (p.y) row[i] = fmt::format("{}", *p.y);
    }
  }
  text += "\n";
  for (const auto& [x, row] : rows) text += fmt::format("{},{}\n", x, fmt::join(row, ","));
  return text;
}

int run(const Options& o) {
  std::vector<Chart> charts = {messages(o)};
  for (const Kind& kind : kKinds) {
    charts.push_back(cost(o, kind));
    charts.push_back(overlap(o, kind));
  }
  std::error_code failed;
  std::filesystem::create_directories(o.out, failed);
  if (failed) throw OutputError(o.out, "cannot be made: " + failed.message(), "choose another --out");
  for (const Chart& c : charts) {
    const std::filesystem::path numbers = std::filesystem::path(o.out) / (c.name + ".csv");
    write_whole(numbers, csv(c));
    fmt::print("{}\n{}\n", draw(c, o.out).string(), numbers.string());
  }
  return 0;
}

}  // namespace

void add_figures(cli::App& splittree, Action& action) {
  auto o = std::make_shared<Options>();
  cli::App* sub = splittree.add_subcommand("figures", "Draw Figures 12 to 16 of IJHPCA'19 from the model");
  constexpr int kFewest = 4, kMost = 65'536;
  sub->add_option("--cores", o->cores, "cores of the node")->required()->check(cli::Range(kFewest, kMost));
  sub->add_option("--arity", o->arity, "m of the m-nomial tree (default 2: binomial)")
      ->check(cli::Range(2, kMostArity));
  sub->add_option("--out", o->out, "folder for the figures")->required()->writes(cli::Written::kFolder);
  sub->footer(
      "Examples:\n  strata splittree figures --cores 64 --out figures\n"
      "  strata splittree figures --cores 256 --arity 4 --out figures-256");
  sub->callback([o, &action] { action = [o] { return run(*o); }; });
}

}  // namespace strata::command
