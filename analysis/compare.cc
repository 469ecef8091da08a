// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ranges>

#include "analysis/format.h"
#include "analysis/table.h"
#include "platforms/error.h"

namespace strata::analysis {
namespace {

std::string names_of(const std::vector<Axis>& axes) {
  if (axes.empty()) return "none";
  return fmt::format("{}", fmt::join(axes | std::views::transform(&Axis::name), ", "));
}

// The metric of both, over the same parameters.
void require_comparable(const Table& ours, const Table& base, const Results& base_run, const std::string& our_folder) {
  const Study& theirs = base_run.manifest.study;
  if (base.name != ours.name || base.unit != ours.unit) {
    throw InputError(base_run.folder.string(),
                     fmt::format("measures {} in {}, but {} measures {} in {}", theirs.metric, theirs.unit, our_folder,
                                 ours.name, ours.unit),
                     "compare runs of one metric");
  }
  const auto has_all = [](const std::vector<Axis>& a, const std::vector<Axis>& b) {
    return std::all_of(a.begin(), a.end(), [&](const Axis& axis) { return find_axis(b, axis.name) != nullptr; });
  };
  if (!has_all(ours.axes, base.axes) || !has_all(base.axes, ours.axes)) {
    throw InputError(
        base_run.folder.string(),
        fmt::format("has the parameters {}, but {} has {}", names_of(base.axes), our_folder, names_of(ours.axes)),
        "compare runs with the same parameters");
  }
}

// Our axes with only those values that a base has too.
std::vector<Axis> common_axes(const std::vector<Axis>& ours, const std::vector<Table>& bases) {
  std::vector<Axis> common;
  for (const Axis& axis : ours) {
    Axis kept{axis.name, {}};
    for (const Json& value : axis.values) {
      const bool known = std::any_of(bases.begin(), bases.end(), [&](const Table& base) {
        const std::vector<Json>& theirs = find_axis(base.axes, axis.name)->values;
        return std::find(theirs.begin(), theirs.end(), value) != theirs.end();
      });
      if (known) kept.values.push_back(value);
    }
    common.push_back(std::move(kept));
  }
  return common;
}

std::string described(const Manifest& m) {
  return fmt::format("{} on {} with {} ranks ({})", m.study.scenario, m.machine, m.study.ranks_text(),
                     shell_text(m.command_line));
}

// The x axis of our plots of the metric, and a line for each of their series; else the longest axis and all others.
Plot ratio_plot(const Study& study, const std::vector<Axis>& axes) {
  Plot plot;
  plot.name = "against";
  plot.title = study.title + ": " + kBaseOverThis;
  plot.y = kBaseOverThis;
  plot.log_y = false;
  for (const Plot& p : study.plots) {
    if (p.y != study.metric || !p.stack.empty() || !p.rows.empty()) continue;
    plot.x = p.x;
    plot.series = p.series;
    plot.log_x = p.log_x;
    return plot;
  }
  const auto longest = std::max_element(axes.begin(), axes.end(),
                                        [](const Axis& a, const Axis& b) { return a.values.size() < b.values.size(); });
  plot.x = longest->name;
  for (const Axis& axis : axes) {
    if (axis.name != plot.x) plot.series.push_back(axis.name);
  }
  return plot;
}

void add_records(const Table& table, const std::string& side, const Study& study, std::uint64_t seed,
                 std::vector<Record>& records) {
  const std::vector<Axis> own(study.sweep.begin(), study.sweep.end() - 1);
  for (const Json& parameters : combinations(own)) {
    const std::optional<double> value = table.at(parameters);
    if (!value) continue;
    Json all = parameters;
    all[kSideAxis] = side;
    records.push_back({study.scenario, static_cast<int>(records.size()), all, table.name, *value, table.unit, seed});
  }
}

}  // namespace

Results compare(const Results& ours, const std::vector<Results>& bases) {
  const Study& study = ours.manifest.study;
  const Metric metric{study.metric, study.unit};
  const Table mine = measured(ours, metric);
  std::vector<Table> theirs;
  for (const Results& base : bases) {
    const Study& s = base.manifest.study;
    theirs.push_back(measured(base, {s.metric, s.unit}));
    require_comparable(mine, theirs.back(), base, ours.folder.string());
    for (size_t i = 0; i + 1 < theirs.size(); ++i) {
      for (size_t cell = 0; cell < theirs[i].cells.size(); ++cell) {
        const Json at = theirs[i].parameters_of(cell);
        const std::optional<double> a = theirs[i].cells[cell], b = theirs.back().at(at);
        if (!a || !b || *a == *b) continue;
        throw InputError(base.folder.string(),
                         fmt::format("has the point ({}) that {} has too, with another value", parameters_text(at),
                                     bases[i].folder.string()),
                         "give only one of the two");
      }
    }
  }

  Results both = ours;
  Study& s = both.manifest.study;
  const std::vector<Axis> axes = common_axes(mine.axes, theirs);
  s.sweep = axes;
  s.sweep.push_back({kSideAxis, {kBaseSide, kThisSide}});
  s.also.clear();
  s.models.clear();
  s.claims.clear();
  s.derived.push_back(
      {kBaseOverThis, fmt::format("{} of base / {} of this", s.metric, s.metric), kSideAxis, kBaseSide, kThisSide});
  s.plots.clear();
  if (!axes.empty()) s.plots.push_back(ratio_plot(study, axes));
  for (Plot plot : study.plots) {
    if (plot.y == study.metric || !plot.stack.empty() || !plot.rows.empty()) continue;
    plot.series.push_back(kSideAxis);
    s.plots.push_back(std::move(plot));
  }
  s.scenario += "; base: ";
  s.title += ", against ";
  for (size_t i = 0; i < bases.size(); ++i) {
    const Manifest& base = bases[i].manifest;
    const char* separator = i == 0 ? "" : ", ";
    s.scenario += separator + described(base);
    s.title += separator + base.study.scenario;
    const std::string another = ", " + base.machine_hash;
    const std::string known = ", " + both.manifest.machine_hash;
    if (known.find(another) == std::string::npos) {
      both.manifest.machine += "; base: " + base.machine;
      both.manifest.machine_hash += another;
    }
    for (const auto& [name, version] : base.versions) {
      std::string& here = both.manifest.versions[name];
      if (here != version) here += (here.empty() ? "- (base " : " (base ") + version + ")";
    }
  }
  both.records.clear();
  for (const Table& base : theirs) add_records(base, kBaseSide, s, ours.manifest.seed, both.records);
  const size_t of_base = both.records.size();
  add_records(mine, kThisSide, s, ours.manifest.seed, both.records);
  if (of_base == 0 || both.records.size() == of_base) {
    throw InputError(bases.front().folder.string(), "has no point in common with " + ours.folder.string(),
                     "compare runs with the same values of their parameters");
  }
  return both;
}

}  // namespace strata::analysis
