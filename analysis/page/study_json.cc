// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/page/study_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/bars_text.h"
#include "analysis/causes.h"
#include "analysis/check_summary.h"
#include "analysis/claims.h"
#include "analysis/derive.h"
#include "analysis/figures.h"
#include "analysis/format.h"
#include "analysis/layout.h"
#include "analysis/page/chart_json.h"
#include "base/error.h"
#include "records/folder.h"
#include "records/rank_placements.h"

namespace strata::analysis {
namespace {

namespace fs = std::filesystem;

Json number_or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json facts_json(const Results& results, const Table& metric) {
  const Manifest& m = results.manifest;
  Json facts = Json::array();
  const auto fact = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) facts.push_back({{"name", name}, {"value", value}});
  };
  fact("Scenario", m.study.scenario);
  fact("Program", m.study.program);
  fact("Machine", fmt::format("{} (hash {})", m.machine, m.machine_hash));
  fact("Ranks", m.study.ranks_text());
  fact("Progress threads", m.study.progress);
  for (const Axis& axis : m.study.sweep) {
    std::vector<std::string> values;
    for (const Json& value : axis.values) values.push_back(value_text(value));
    fact(axis.name, fmt::format("{}", fmt::join(values, ", ")));
  }
  fact("Points", fmt::format("{} of {}", metric.cells.size() - metric.missing(), metric.cells.size()));
  fact("Seed", std::to_string(m.seed));
  for (const auto& [name, version] : m.versions) fact(name, version);
  return facts;
}

Json notes_json(const Results& results, const Table& metric) {
  Json notes = Json::array();
  if (metric.missing() > 0) {
    notes.push_back(
        fmt::format("The run is not finished: {} of {} points are missing. They are - in the tables and gaps in the "
                    "plots; continue with --resume.",
                    metric.missing(), metric.cells.size()));
  }
  if (results.truncated) notes.push_back("The last line of records.jsonl was cut off by a kill and is left out.");
  return notes;
}

Json explained_json(const Results& results) {
  const Study& study = results.manifest.study;
  Json notes = bars_lines(results);
  for (const Derived& d : study.derived) {
    const std::string over = d.over.is_null() ? "" : fmt::format(" at {} = {}", d.axis, value_text(d.over));
    const std::string& measured = d.metric.empty() ? study.metric : d.metric;
    notes.push_back(fmt::format("{}: {}{} divided by {} at {} = {}.", d.name, measured, over, measured, d.axis,
                                value_text(d.under)));
  }
  return notes;
}

Json tables_json(const Study& study, const std::vector<Table>& quantities) {
  Json tables = Json::array();
  for (const Layout& layout : layouts(study, quantities)) {
    for (const Block& block : layout.blocks) {
      Json columns = Json::array();
      for (const Column& c : block.columns) {
        Json values = Json::array();
        for (const std::optional<double>& v : c.values) values.push_back(number_or_null(v));
        columns.push_back({{"heading", c.heading}, {"unit", c.unit}, {"values", values}});
        if (c.bars.empty()) continue;
        Json& bars = columns.back()["bars"] = Json::array();
        for (const RecordedBar* bar : c.bars) bars.push_back(bar == nullptr ? Json() : Json({bar->low, bar->high}));
      }
      tables.push_back({{"heading", block.heading},
                        {"row_heading", layout.row_heading},
                        {"rows", layout.rows},
                        {"columns", columns}});
    }
  }
  return tables;
}

Json models_json(const Study& study, const std::vector<models::CheckRow>& checks) {
  Json all = Json::array();
  for (const CheckSummary& s : summarize(study, checks)) {
    Json rows = Json::array();
    for (const models::CheckRow& row : checks) {
      if (row.model != s.model) continue;
      rows.push_back({{"parameters", parameters_text(row.parameters)},
                      {"predicted_s", row.predicted_s},
                      {"simulated_s", row.simulated_s},
                      {"residual", row.residual},
                      {"verdict", verdict_text(row.verdict)},
                      {"reason", row.reason}});
    }
    all.push_back({{"model", s.model},
                   {"tolerance", s.tolerance},
                   {"agree", s.agree},
                   {"outside", s.outside},
                   {"disagree", s.disagree},
                   {"largest_agreeing", s.agree > 0 ? Json(s.largest_agreeing) : Json(nullptr)},
                   {"rows", rows}});
  }
  return all;
}

Json claims_json(const std::vector<ClaimResult>& claims) {
  Json all = Json::array();
  for (const ClaimResult& r : claims) {
    all.push_back({{"paper", r.claim.paper},
                   {"claim", r.claim.text},
                   {"value", r.claim.value},
                   {"value_text", paper_value_text(r)},
                   {"unit", r.unit},
                   {"ours", number_or_null(r.ours)},
                   {"ratio", number_or_null(r.ratio)},
                   {"within", relation_text(r.claim)},
                   {"outcome", outcome_text(r.outcome)},
                   {"cause", cause_text(r)},
                   {"why", why_text(r)}});
  }
  return all;
}

Json causes_json(const std::string& scenario, const std::vector<ClaimResult>& claims) {
  Causes causes;
  causes.add(scenario, claims);
  Json all = Json::array();
  for (const Cause& c : causes.counts())
    all.push_back({{"cause", c.name}, {"meaning", c.meaning}, {"claims", c.claims}});
  return all;
}

// All measured values, for comparing runs.
Json values_json(const std::vector<Table>& quantities, const Study& study) {
  Json all = Json::array();
  const std::vector<Metric> metrics = study.metrics();
  for (const Table& q : quantities) {
    if (std::none_of(metrics.begin(), metrics.end(), [&](const Metric& m) { return m.name == q.name; })) continue;
    Json points = Json::array(), values = Json::array();
    for (size_t cell = 0; cell < q.cells.size(); ++cell) {
      points.push_back(parameters_text(q.parameters_of(cell)));
      values.push_back(number_or_null(q.cells[cell]));
    }
    all.push_back({{"metric", q.name}, {"unit", q.unit}, {"points", points}, {"values", values}});
  }
  return all;
}

std::vector<int> cores_of(const Topology& t, const std::vector<Binding>& ranks) {
  std::vector<int> cores;
  cores.reserve(ranks.size());
  for (const Binding& b : ranks) cores.push_back(t.first_core(b.core));
  return cores;
}

// The points whose details to show: those of the requested points with recorded data.
std::vector<int> chosen_points(const Results& results, const std::vector<int>& wanted) {
  const int points = static_cast<int>(results.manifest.study.points().size());
  for (const int point : wanted) {
    if (point < 0 || point >= points) {
      throw InputError("--point", fmt::format("{} has no point {}", results.folder.string(), point),
                       fmt::format("give 0 to {}", points - 1));
    }
  }
  std::vector<int> chosen;
  std::error_code ignored;
  for (int point = 0; point < points; ++point) {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), point) == wanted.end()) continue;
    const bool kept = fs::exists(results.folder / traffic_path(point), ignored) ||
                      fs::exists(results.folder / events_path(point), ignored);
    if (kept || !wanted.empty()) chosen.push_back(point);
  }
  return chosen;
}

}  // namespace

Json study_json(const Results& results, const std::vector<models::CheckRow>& checks, const StudyPage& options) {
  const Study& study = results.manifest.study;
  const std::vector<Table> tables = quantities(results);
  const Figures charts = figures(results, tables, checks);
  const Machine machine = load_machine(results.folder / "machine.yaml");
  const Topology& t = *machine.topology;
  const std::vector<Json> points = study.points();
  const std::vector<int> chosen = chosen_points(results, options.points);

  std::set<int> used;
  std::vector<std::vector<int>> cores(chosen.size());
  for (size_t i = 0; i < chosen.size(); ++i) {
    cores[i] = cores_of(t, read_placement(results, points[chosen[i]], t).ranks);
    used.insert(cores[i].begin(), cores[i].end());
  }
  const ShownMachine shown(machine, {used.begin(), used.end()});

  const std::string again = shell_text(results.manifest.command_line);
  PointRoom room;
  const size_t share = std::max<size_t>(1, chosen.size());
  room.matrix_cells = std::max<size_t>(1000, room.matrix_cells / share);
  room.timeline.bytes = std::max<size_t>(500'000, room.timeline.bytes / share);
  room.timeline.window_bytes = room.timeline.bytes / 3;
  Json details = Json::array(), left_out = Json::array();
  size_t size = 0;
  for (size_t i = 0; i < chosen.size(); ++i) {
    const int point = chosen[i];
    const std::string name = points[point].empty() ? study.title : parameters_text(points[point]);
    if (size > options.room) {
      left_out.push_back({{"name", name}, {"number", point}});
      continue;
    }
    const RankOrder order(cores[i]);
    Json json = point_json(shown, order,
                           {.name = name,
                            .number = point,
                            .traffic = results.folder / traffic_path(point),
                            .events = results.folder / events_path(point),
                            .remedy_traffic = again + " --set traffic=on",
                            .remedy_events = again + " --set traces=true"},
                           room);
    size += json.dump().size();
    details.push_back(std::move(json));
  }
  const std::vector<ClaimResult> claims = judge_claims(results, tables);
  Json chart_list = Json::array();
  for (const Chart& chart : charts.charts) chart_list.push_back(chart_json(chart));
  return {{"kind", "study"},
          {"name", study.scenario},
          {"title", study.title},
          {"folder", results.folder.string()},
          {"facts", facts_json(results, tables.front())},
          {"command", again},
          {"notes", notes_json(results, tables.front())},
          {"explained", explained_json(results)},
          {"failure", nullptr},
          {"simulated_time_s", nullptr},
          {"machine", shown.json()},
          {"tables", tables_json(study, tables)},
          {"values", values_json(tables, study)},
          {"charts", chart_list},
          {"skipped", charts.skipped},
          {"models", models_json(study, checks)},
          {"claims", claims_json(claims)},
          {"causes", causes_json(study.scenario, claims)},
          {"calls", nullptr},
          {"times", nullptr},
          {"levels", Json::array()},
          {"remedy_points", again + " --set traffic=on --set traces=true"},
          {"points", details},
          {"points_left_out", left_out}};
}

}  // namespace strata::analysis
