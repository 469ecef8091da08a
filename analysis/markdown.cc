// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/markdown.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/bars_text.h"
#include "analysis/causes.h"
#include "analysis/check_summary.h"
#include "analysis/format.h"
#include "analysis/layout.h"
#include "analysis/markdown_text.h"

namespace strata::analysis {
namespace {

std::string percent(double ratio) { return fmt::format("{:+.2f} %", ratio * 100); }

std::string shown(const std::optional<double>& value, const std::string& unit) {
  if (!value) return "-";
  return with_unit(*value, unit, unit.empty() ? 3 : 4);
}

std::string shown(const Column& column, size_t row) {
  const std::string text = shown(column.values[row], column.unit);
  const RecordedBar* const bar = column.bars.empty() ? nullptr : column.bars[row];
  return bar == nullptr ? text : fmt::format("{} ({})", text, range_text(bar->low, bar->high, column.unit));
}

void append_run(std::string& out, const Results& results, const Table& metric) {
  const Manifest& m = results.manifest;
  out += fmt::format("# {}\n\n", markdown_text(m.study.title));
  const auto row = [&](const std::string& name, const std::string& value) { out += markdown_row({name, value}); };
  out += markdown_head({"", ""}, "ll");
  row("Scenario", markdown_text(m.study.scenario));
  row("Program", markdown_text(m.study.program));
  row("Machine", fmt::format("{} (hash `{}`)", markdown_text(m.machine), m.machine_hash));
  row("Ranks", m.study.ranks_text());
  if (!m.study.progress.empty()) row("Progress threads", markdown_text(m.study.progress));
  for (const Axis& axis : m.study.sweep) {
    std::vector<std::string> values;
    for (const Json& value : axis.values) values.push_back(value_text(value));
    row(markdown_text(axis.name), markdown_text(fmt::format("{}", fmt::join(values, ", "))));
  }
  row("Points", fmt::format("{} of {}", metric.cells.size() - metric.missing(), metric.cells.size()));
  row("Seed", std::to_string(m.seed));
  std::vector<std::string> versions;
  for (const auto& [name, version] : m.versions) versions.push_back(name + " " + version);
  if (!versions.empty()) row("Versions", markdown_text(fmt::format("{}", fmt::join(versions, ", "))));
  out += "\n" + markdown_code(shell_text(m.command_line)) + "\n";
  if (metric.missing() > 0) {
    out += fmt::format(
        "**The run is not finished: {} of {} points are missing.** They are `-` in the tables and gaps in the "
        "plots; continue with `--resume`.\n\n",
        metric.missing(), metric.cells.size());
  }
  if (results.truncated) out += "The last line of `records.jsonl` was cut off by a kill and is left out.\n\n";
}

void append_tables(std::string& out, const Results& results, const std::vector<Table>& quantities) {
  const Study& study = results.manifest.study;
  out += "## Results\n\n";
  for (const std::string& line : bars_lines(results)) out += markdown_text(line) + "\n\n";
  for (const Derived& d : study.derived) {
    const std::string over = d.over.is_null() ? "" : fmt::format(" at {} = {}", d.axis, value_text(d.over));
    out += markdown_text(fmt::format("{}: {}{} divided by {} at {} = {}.", d.name, study.metric, over, study.metric,
                                     d.axis, value_text(d.under))) +
           "\n\n";
  }
  for (const Layout& layout : layouts(study, quantities)) {
    for (const Block& block : layout.blocks) {
      if (!block.heading.empty()) out += fmt::format("### {}\n\n", markdown_text(block.heading));
      const bool named = !layout.row_heading.empty();
      std::vector<std::string> headings;
      if (named) headings.push_back(layout.row_heading);
      for (const Column& column : block.columns) headings.push_back(column.heading);
      out += markdown_head(headings, std::string(headings.size(), 'r'));
      for (size_t i = 0; i < layout.rows.size(); ++i) {
        std::vector<std::string> cells;
        if (named) cells.push_back(markdown_text(layout.rows[i]));
        for (const Column& column : block.columns) cells.push_back(shown(column, i));
        out += markdown_row(cells);
      }
      out += "\n";
    }
  }
}

void append_plots(std::string& out, const Figures& figures) {
  if (figures.charts.empty() && figures.skipped.empty()) return;
  out += "## Plots\n\n";
  for (const Chart& chart : figures.charts) {
    out += fmt::format("![{}]({}.svg)\n\n", markdown_text(chart.title), chart.name);
  }
  for (const std::string& line : figures.skipped) out += fmt::format("Not drawn: {}.\n\n", markdown_text(line));
}

void append_checks(std::string& out, const Study& study, const std::vector<models::CheckRow>& checks) {
  const std::vector<CheckSummary> summaries = summarize(study, checks);
  if (summaries.empty()) return;
  out +=
      "## Cross-check against models\n\n"
      "The residual is (simulated - predicted) / predicted. Where a model's assumptions do not hold, it is shown and "
      "not "
      "judged.\n\n";
  out += markdown_head({"model", "tolerance", "agree", "outside the model", "disagree", "largest residual that agrees"},
                       "lrrrrr");
  for (const CheckSummary& s : summaries) {
    out += markdown_row({markdown_text(s.model), shortest(s.tolerance * 100) + " %", std::to_string(s.agree),
                         std::to_string(s.outside), std::to_string(s.disagree),
                         s.agree > 0 ? percent(s.largest_agreeing) : "-"});
  }
  out += "\n";
  for (const CheckSummary& s : summaries) {
    if (s.agree + s.outside + s.disagree == 0) continue;
    out += fmt::format("<details><summary>{}: every point</summary>\n\n", markdown_text(s.model));
    out += markdown_head({"parameters", "predicted", "simulated", "residual", "verdict", "reason"}, "lrrrll");
    for (const models::CheckRow& row : checks) {
      if (row.model != s.model) continue;
      out += markdown_row({markdown_text(parameters_text(row.parameters)), with_unit(row.predicted_s, "s", 4),
                           with_unit(row.simulated_s, "s", 4), percent(row.residual), verdict_text(row.verdict),
                           markdown_text(row.reason)});
    }
    out += "\n</details>\n\n";
  }
}

void append_claims(std::string& out, const Study& study, const std::vector<ClaimResult>& claims) {
  if (claims.empty()) return;
  out +=
      "## Claims\n\n"
      "A claim is reproduced where ours is within the stated factor of the paper's value in either direction, or at "
      "least or at most it.\n\n";
  Causes causes;
  causes.add(study.scenario, claims);
  out += causes.markdown();
  out += markdown_head({"paper", "claim", "paper's value", "ours", "ratio", "within", "reproduced?", "cause", "why"},
                       "llrrrrlll");
  for (const ClaimResult& r : claims) {
    out += markdown_row({markdown_text(r.claim.paper), markdown_text(r.claim.text), paper_value_text(r),
                         shown(r.ours, r.unit), r.ratio ? significant(*r.ratio, 3) : "-", relation_text(r.claim),
                         outcome_text(r.outcome), cause_text(r), markdown_text(why_text(r))});
  }
  out += "\n";
}

}  // namespace

std::string report_markdown(const Results& results, const std::vector<Table>& quantities, const Figures& figures,
                            const std::vector<ClaimResult>& claims, const std::vector<models::CheckRow>& checks,
                            const std::vector<PointTimeline>& timelines, const std::vector<PointTraffic>& traffic) {
  const Study& study = results.manifest.study;
  std::string out;
  append_run(out, results, quantities.front());
  append_tables(out, results, quantities);
  append_plots(out, figures);
  out += timelines_markdown(timelines);
  out += traffic_markdown(traffic);
  append_checks(out, study, checks);
  append_claims(out, study, claims);
  while (out.size() > 1 && out[out.size() - 2] == '\n') out.pop_back();  // a single line feed at the end
  return out;
}

}  // namespace strata::analysis
