// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/point_traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "analysis/format.h"
#include "analysis/markdown_text.h"
#include "records/folder.h"

namespace strata::analysis {
namespace {

std::string percent(double share) { return fmt::format("{:.2g} %", share * 100); }

void append_point(std::string& out, const PointTraffic& point) {
  out += markdown_head({"level", "links", "used", "bytes over them", "mean utilisation", "largest"}, "lrrrrr");
  for (const LevelTraffic& l : point.levels) {
    out += markdown_row({markdown_text(l.level), std::to_string(l.links), std::to_string(l.used),
                         with_unit(l.bytes, "B", 4), percent(l.mean), percent(l.most)});
  }
  out += "\n";
  if (point.busiest.empty()) return;
  out += markdown_head({"busiest links", "level", "", "capacity", "bytes", "messages", "utilisation"}, "lllrrrr");
  for (const LinkTraffic& l : point.busiest) {
    out += markdown_row({markdown_text(l.link), markdown_text(l.level), l.direction, with_unit(l.capacity, "B/s", 3),
                         with_unit(l.bytes, "B", 4), std::to_string(l.messages), percent(l.utilisation)});
  }
  out += "\n";
}

}  // namespace

PointTraffic summarize_links(const std::vector<LinkTraffic>& links) {
  PointTraffic point;
  for (const LinkTraffic& l : links) {
    auto level = std::find_if(point.levels.begin(), point.levels.end(),
                              [&](const LevelTraffic& known) { return known.level == l.level; });
    if (level == point.levels.end()) level = point.levels.insert(level, {.level = l.level});
    ++level->links;
    level->used += l.messages > 0 ? 1 : 0;
    level->bytes += l.bytes;
    level->mean += l.utilisation;
    level->most = std::max(level->most, l.utilisation);
  }
  for (LevelTraffic& level : point.levels) level.mean /= static_cast<double>(level.links);
  for (const LinkTraffic& l : links) {
    if (l.bytes > 0) point.busiest.push_back(l);
  }
  std::stable_sort(point.busiest.begin(), point.busiest.end(),
                   [](const LinkTraffic& a, const LinkTraffic& b) { return a.utilisation > b.utilisation; });
  if (point.busiest.size() > kBusiestLinks) point.busiest.resize(kBusiestLinks);
  return point;
}

std::vector<PointTraffic> summarize_traffic(const Results& results) {
  const Study& study = results.manifest.study;
  const std::vector<Json> points = study.points();
  std::vector<PointTraffic> all;
  for (size_t i = 0; i < points.size(); ++i) {
    const std::string folder = traffic_path(static_cast<int>(i));
    const std::filesystem::path file = results.folder / folder / kLinksFile;
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) continue;
    PointTraffic point = summarize_links(read_links(file));
    point.title = points[i].empty() ? study.title : parameters_text(points[i]);
    point.folder = folder;
    all.push_back(std::move(point));
  }
  return all;
}

std::string traffic_markdown(const std::vector<PointTraffic>& points) {
  if (points.empty()) return "";
  std::string out =
      "## Traffic\n\n"
      "What the links carried, a message counting on each link of its way, with its envelope of 16 B. Utilisation is "
      "of "
      "the time in which any message was under way. All links are in `links.csv`, who sent how much to whom in "
      "`size.mtx` and `msg.mtx` (`strata matrix` draws them).\n\n";
  for (const PointTraffic& p : points) {
    if (points.size() == 1) {
      out += fmt::format("`{}`:\n\n", p.folder);
      append_point(out, p);
      continue;
    }
    out += fmt::format("<details><summary>{}: <code>{}</code></summary>\n\n", markdown_text(p.title), p.folder);
    append_point(out, p);
    out += "</details>\n\n";
  }
  return out;
}

}  // namespace strata::analysis
