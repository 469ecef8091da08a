// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "analysis/compared.h"
#include "analysis/comparison.h"
#include "analysis/format.h"
#include "analysis/table.h"
#include "base/error.h"

namespace strata::analysis {
namespace {

// Requires that both have the same metric over the same parameters.
void require_comparable(const Table& ours, const Table& base, const Results& base_run, const std::string& our_folder) {
  const Study& theirs = base_run.manifest.study;
  if (base.name != ours.name || base.unit != ours.unit) {
    throw InputError(base_run.folder.string(),
                     fmt::format("measures {} in {}, but {} measures {} in {}", theirs.metric, theirs.unit, our_folder,
                                 ours.name, ours.unit),
                     "compare runs of one metric");
  }
  require_same_axes(ours, base, our_folder, base_run.folder.string());
}

// Our axes, limited to the values that some base also has.
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

// As our plots of the metric, with their x axis and series; if there is none, over the longest axis, with all others as
// series.
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

bool is_in(const std::vector<Axis>& axes, const Json& parameters) {
  return std::all_of(axes.begin(), axes.end(), [&](const Axis& axis) {
    return std::find(axis.values.begin(), axis.values.end(), parameters.at(axis.name)) != axis.values.end();
  });
}

// The combined points of several bases. Throws InputError if two have different values at the same point.
Points joined(const std::vector<Results>& bases, const std::vector<Table>& tables, const std::vector<Axis>& order) {
  Points all;
  std::vector<size_t> of;  // which base each point comes from
  for (size_t i = 0; i < bases.size(); ++i) {
    Points points = points_of(tables[i], order);
    for (const Difference& d : compare_quantities(all.quantities, points.quantities, {.tolerance = 0})) {
      if (!d.now || d.change == Change::kEqual) continue;
      Json& parameters = points.parameters[*d.now];
      if (d.base) {
        throw InputError(bases[i].folder.string(),
                         fmt::format("has the point ({}) that {} has too, with another value",
                                     parameters_text(all.parameters[*d.base]), bases[of[*d.base]].folder.string()),
                         "give only one of the two");
      }
      all.quantities.push_back(std::move(points.quantities[*d.now]));
      all.parameters.push_back(std::move(parameters));
      all.bars.push_back(std::move(points.bars[*d.now]));
      of.push_back(i);
    }
  }
  return all;
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
  }
  const Points base = joined(bases, theirs, mine.axes), now = points_of(mine, mine.axes);

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
    const Manifest& m = bases[i].manifest;
    const char* separator = i == 0 ? "" : ", ";
    s.scenario += separator + described(m);
    s.title += separator + m.study.scenario;
    const std::string another = ", " + m.machine_hash;
    const std::string known = ", " + both.manifest.machine_hash;
    if (known.find(another) == std::string::npos) {
      both.manifest.machine += "; base: " + m.machine;
      both.manifest.machine_hash += another;
    }
    for (const auto& [name, version] : m.versions) {
      std::string& here = both.manifest.versions[name];
      if (here != version) here += (here.empty() ? "- (base " : " (base ") + version + ")";
    }
  }
  both.records.clear();
  bool of_base = false, of_ours = false;
  const auto add_record = [&](const Points& points, size_t i, const char* side, bool& any) {
    Json parameters = points.parameters[i];
    if (!is_in(axes, parameters)) return;
    parameters[kSideAxis] = side;
    both.records.push_back({s.scenario, static_cast<int>(both.records.size()), std::move(parameters), mine.name,
                            std::get<double>(points.quantities[i].value), mine.unit, ours.manifest.seed,
                            points.bars[i]});
    any = true;
  };
  for (const Difference& d : compare_quantities(base.quantities, now.quantities, {})) {
    if (d.base) add_record(base, *d.base, kBaseSide, of_base);
    if (d.now) add_record(now, *d.now, kThisSide, of_ours);
  }
  if (!of_base || !of_ours) {
    throw InputError(bases.front().folder.string(), "has no point in common with " + ours.folder.string(),
                     "compare runs with the same values of their parameters");
  }
  return both;
}

}  // namespace strata::analysis
