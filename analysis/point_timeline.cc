// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/point_timeline.h"

#include <fmt/format.h>

#include "analysis/format.h"
#include "analysis/gantt.h"
#include "analysis/markdown_text.h"
#include "records/folder.h"

namespace strata::analysis {
namespace {

std::string percent(double share) { return fmt::format("{:.1f} %", share * 100); }

std::string title_of(const Study& study, const Json& parameters) {
  return parameters.empty() ? study.title : fmt::format("{}: {}", study.title, parameters_text(parameters));
}

}  // namespace

std::vector<PointTimeline> draw_timelines(const Results& results, const std::filesystem::path& into) {
  const Study& study = results.manifest.study;
  const std::vector<Json> points = study.points();
  std::vector<PointTimeline> drawn;
  for (size_t i = 0; i < points.size(); ++i) {
    const std::string trace = trace_path(static_cast<int>(i));
    std::error_code ignored;
    if (!std::filesystem::exists(results.folder / trace, ignored)) continue;
    const Timeline timeline = read_paje(results.folder / trace);
    const Timeline::Phase phase = find_phase(timeline, study.metric);
    PointTimeline point;
    point.title = title_of(study, points[i]);
    point.trace = trace;
    point.phase = phase;
    point.states = timeline.core_states;
    if (phase.from >= phase.to) {
      point.not_drawn = "nothing is recorded of what this program does";
    } else if (timeline.cores.size() > kMostGanttCores) {
      point.not_drawn = fmt::format("{} cores are more than the {} that a chart has room for", timeline.cores.size(),
                                    kMostGanttCores);
    } else {
      point.picture = fmt::format("gantt-{}.svg", i);
      draw_gantt(timeline, into / point.picture,
                 {point.title, phase.from, phase.to, find_zoom(timeline, phase.from, phase.to)});
    }
    if (phase.from < phase.to) point.summary = summarize(timeline, phase.from, phase.to);
    drawn.push_back(std::move(point));
  }
  return drawn;
}

std::string timelines_markdown(const std::vector<PointTimeline>& timelines) {
  if (timelines.empty()) return "";
  std::string out =
      "## Timelines\n\n"
      "What each core does. ViTE and pj_dump open the traces too. Communication overlaps where the rank that it is for "
      "computes on another core meanwhile; on its own core the one takes the other's time.\n\n";
  for (const PointTimeline& t : timelines) {
    out += fmt::format("### {}\n\n", markdown_text(t.title));
    out += t.picture.empty() ? fmt::format("Not drawn: {}.\n\n", t.not_drawn)
                             : fmt::format("![{}]({})\n\n", markdown_text(t.title), t.picture);
    if (t.summary.cores.empty()) continue;
    std::vector<std::string> headings = {"cores"};
    for (const Timeline::State& s : t.states) headings.push_back(s.name);
    out += markdown_head(headings, "l" + std::string(t.states.size(), 'r'));
    for (const TimelineSummary::Cores& kind : t.summary.cores) {
      std::vector<std::string> cells = {fmt::format("{} {}", kind.count, kind.kind)};
      for (const double share : kind.shares) cells.push_back(percent(share));
      out += markdown_row(cells);
    }
    out += fmt::format("\n{} of {}{}.", with_unit(t.phase.to - t.phase.from, "s", 4), "`" + t.trace + "`",
                       t.phase.name.empty() ? "" : ", its phase " + markdown_text(t.phase.name));
    if (t.summary.communication_s > 0) {
      out += fmt::format(" Progress threads copied and combined for {} in all; {} of it overlapped computation.",
                         with_unit(t.summary.communication_s, "s", 4), percent(t.summary.overlapped));
    }
    if (t.summary.cores_at_once > 0) {
      out +=
          fmt::format(" While any core communicated, {} did so on average.", significant(t.summary.cores_at_once, 3));
    }
    out += "\n\n";
  }
  return out;
}

}  // namespace strata::analysis
